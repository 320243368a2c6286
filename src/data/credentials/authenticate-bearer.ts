import { authenticateBot, readBearer } from "#core/accounts/authentication.ts";
import type { BotCaller } from "#core/accounts/authentication.ts";
import type { BotRecord } from "#data/store/bot.ts";
import type { Store } from "#data/store/store.ts";

import { hashToken } from "./token.ts";

export type TokenLookup = Pick<Store["bots"], "byToken">;

export async function authenticateBearer(
  tokenLookup: TokenLookup,
  authorization: string | undefined,
): Promise<BotCaller<BotRecord>> {
  const bearer = readBearer(authorization);
  if (bearer.kind === "refused") return bearer;
  return authenticateBot(await tokenLookup.byToken(hashToken(bearer.token)));
}
