import type { FastifyReply } from "fastify";
import { Type } from "typebox";

import type { ErrorBody } from "#core/api/common-schemas.ts";
import type { AuditKind } from "#core/ids/audit-kinds.ts";
import type { LadderId } from "#core/ids/ids.ts";
import { DEFAULT_LADDER, PUBLIC_LADDER } from "#core/ladder/ladder.ts";
import type { LadderDefinition } from "#core/ladder/ladder.ts";
import type { Caller } from "#web/auth/account-lookup.ts";
import { auditActor, newAuditEntry } from "#web/auth/audit-entry.ts";
import type { AuditDetails } from "#web/auth/audit-entry.ts";
import { assertAuthenticated } from "#web/auth/auth-hooks.ts";
import type { ApiDeps } from "#web/http/deps.ts";
import { refuseWithCode } from "#web/http/errors.ts";

import type { LadderDeps } from "./ladder-mutex.ts";

export const LadderParams = Type.Object({ id: Type.String({ description: "id of the ladder" }) });

export const ladderAuditEntry = (
  deps: ApiDeps,
  caller: Caller,
  kind: AuditKind,
  { id, name }: Pick<LadderDefinition, "id" | "name">,
  details: AuditDetails = {},
) => newAuditEntry(deps, auditActor(caller), kind, { kind: "ladder", id, name }, details);

/**
 * Runs a write on a ladder. The write may have been stored even if it fails, so memory is then
 * synced with the store.
 */
export async function writeLadder<T>(
  deps: LadderDeps,
  { id }: Pick<LadderDefinition, "id">,
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write();
  } catch (error) {
    deps.arena.reconcile(() => deps.mutex.run(() => reloadLadder(deps, id)));
    throw error;
  }
}

export function dropLadder({ ladders, liveSettings }: LadderDeps, id: LadderId): void {
  ladders.remove(id);
  liveSettings.removeLadder(id);
}

async function reloadLadder(deps: LadderDeps, id: LadderId): Promise<void> {
  const { store, ladders, arena } = deps;
  const storedLadder =
    (await store.ladders.byId(id)) ?? (id === DEFAULT_LADDER ? PUBLIC_LADDER : null);
  if (storedLadder !== null) ladders.upsert(storedLadder);
  else if (ladders.byId(id) !== null) dropLadder(deps, id);
  arena.onLaddersChanged();
}

/** Hashes a password. Returns `busy` if too many passwords are queued. */
export async function hashPassword(
  { accounts }: ApiDeps,
  { account }: Caller,
  password: string,
): Promise<string> {
  return (await assertAuthenticated(accounts).passwords.hash(password, account.id)) ?? "busy";
}

const RETRY_AFTER_S = 1;

export function refusePasswordQueue(reply: FastifyReply): ErrorBody {
  reply.header("Retry-After", RETRY_AFTER_S);
  const refusal = refuseWithCode(
    reply,
    "rate_limited",
    "Too many password checks are queued. Try again in a moment.",
  );
  return { ...refusal, limit: "passwords_waiting" };
}
