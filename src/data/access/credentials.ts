// Looks up the credentials of a request, of whatever kind.

import { askerOf, readBearer } from "#core/accounts/asker.ts";
import type { Asker } from "#core/accounts/asker.ts";
import type { BotRecord } from "#data/store/bot.ts";
import type { Store } from "#data/store/store.ts";

import { hashToken } from "./token.ts";

export type Credentials = Pick<Store["bots"], "byToken">;

/** Who sent a request with this Authorization header. */
export async function whoAsks(
  credentials: Credentials,
  authorization: string | undefined,
): Promise<Asker<BotRecord>> {
  const read = readBearer(authorization);
  if (read.kind === "refused") return read;
  return askerOf(await credentials.byToken(hashToken(read.token)));
}
