// What the routes of ladders have in common.

import type { FastifyReply } from "fastify";
import { Type } from "typebox";

import { DEFAULT_LADDER, PUBLIC } from "#core/ladder/ladder.ts";
import type { LadderDefinition } from "#core/ladder/ladder.ts";
import type { ErrorBody } from "#core/resources/common.ts";
import type { AuditKind } from "#core/words/audit.ts";
import type { LadderId } from "#core/words/ids.ts";
import { admitted } from "#web/auth/auth.ts";
import { actorOf, entryOf } from "#web/auth/entry.ts";
import type { EntryDetails } from "#web/auth/entry.ts";
import type { Caller } from "#web/auth/people.ts";
import type { ApiDeps } from "#web/http/deps.ts";
import { refuse } from "#web/http/errors.ts";

import type { LadderDeps } from "./door.ts";

export const LadderParams = Type.Object({ id: Type.String({ description: "id of the ladder" }) });

/** An audit entry about a ladder. */
export const noteOf = (
  deps: ApiDeps,
  caller: Caller,
  kind: AuditKind,
  { id, name }: Pick<LadderDefinition, "id" | "name">,
  more: EntryDetails = {},
) => entryOf(deps, actorOf(caller), kind, { kind: "ladder", id, name }, more);

/** Writes a ladder, in turn. What fails may be done nevertheless: memory follows the store then. */
export async function written<T>(
  deps: LadderDeps,
  { id }: Pick<LadderDefinition, "id">,
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write();
  } catch (error) {
    deps.arena.inDoubt(() => deps.door.inTurn(() => followStore(deps, id)));
    throw error;
  }
}

/** A ladder is gone, with the bounds that settings gave it. */
export function forget({ ladders, liveSettings }: LadderDeps, id: LadderId): void {
  ladders.drop(id);
  liveSettings.forget(id);
}

async function followStore(deps: LadderDeps, id: LadderId): Promise<void> {
  const { store, ladders, arena } = deps;
  const kept = (await store.ladders.byId(id)) ?? (id === DEFAULT_LADDER ? PUBLIC : null);
  if (kept !== null) ladders.put(kept);
  else if (ladders.byId(id) !== null) forget(deps, id);
  arena.laddersChanged();
}

/** The hash of a password; `busy` when too many passwords wait. */
export async function hashed(
  { accounts }: ApiDeps,
  { account }: Caller,
  password: string,
): Promise<string> {
  return (await admitted(accounts).passwords.hash(password, account.id)) ?? "busy";
}

/** Seconds after which a password may be looked at again. */
const RETRY_AFTER_S = 1;

export function refuseBusy(reply: FastifyReply): ErrorBody {
  reply.header("Retry-After", RETRY_AFTER_S);
  const refusal = refuse(reply, "rate_limited", "Too many passwords wait. Try again in a moment.");
  return { ...refusal, limit: "passwords_waiting" };
}
