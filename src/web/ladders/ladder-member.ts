import type { FastifyReply } from "fastify";
import { Type } from "typebox";

import { MembersSchema } from "#core/api/admin-ladder.ts";
import { DEFAULT_LADDER } from "#core/ladder/ladder.ts";
import type { LadderDefinition } from "#core/ladder/ladder.ts";
import type { AccountRecord } from "#data/store/account.ts";
import type { MemberState, MembershipChange, MembershipOutcome } from "#data/store/member.ts";
import {
  findAccountByIdOrHandle,
  refuseMissingAccount,
  AccountParams,
  CLOSED_OBJECT,
  credentials,
  optionalReason,
  operatorHooks,
  ReasonSchema,
} from "#web/admin/admin-route.ts";
import { accountSubject, auditActor, newAuditEntry } from "#web/auth/audit-entry.ts";
import { assertAuthenticated } from "#web/auth/auth-hooks.ts";
import type { App } from "#web/http/deps.ts";
import { refuseNotFound, refuseWithCode, refuseWithStatus } from "#web/http/errors.ts";
import { okResponses } from "#web/http/route-params.ts";

import { ladderMembers } from "./ladder-detail.ts";
import type { LadderDeps } from "./ladder-mutex.ts";
import { LadderParams } from "./ladder-route-helpers.ts";

const MemberParams = Type.Object({
  ...LadderParams.properties,
  ...AccountParams.properties,
});

const RevocationSchema = Type.Object(
  Type.Required(Type.Object(optionalReason)).properties,
  CLOSED_OBJECT,
);

export function memberRoutes(app: App, deps: LadderDeps): void {
  approvalRoute(app, deps);
  revocationRoute(app, deps);
}

function approvalRoute(app: App, deps: LadderDeps): void {
  const schema = { params: MemberParams, body: ReasonSchema, response: okResponses(MembersSchema) };
  const config = {
    endpoint: "admin_member_approval",
    summary: "Approves a pending member of a ladder, or reinstates a revoked one",
    credentials,
    errorCodes: [404, "invalid_ladder", ["account_banned", 409]] as const,
  };
  const options = { schema, config, ...operatorHooks(deps) };
  const url = "/api/admin/ladders/:id/members/:account/approve";
  app.post(url, options, ({ params, body, caller }, reply) =>
    updateMember(deps, reply, params, async (ladder, account) => {
      const { reason = null } = body;
      const detail = await membershipChange(deps, ladder, account, "active");
      const actor = auditActor(assertAuthenticated(caller));
      const summary = accountSubject(account);
      const auditEntry = newAuditEntry(deps, actor, "member.approved", summary, { reason, detail });
      const approval = memberStep(deps, ladder, account, auditEntry);
      const outcome = await withMembershipReconciliation(deps, approval, () =>
        deps.store.members.approve(approval, auditEntry),
      );
      if (outcome === "account_banned") return refuseWithCode(reply, ["account_banned", 409]);
      if (outcome !== null) deps.ladders.addMember(account.id, ladder.id);
      return outcome;
    }),
  );
}

function revocationRoute(app: App, deps: LadderDeps): void {
  const schema = {
    params: MemberParams,
    body: RevocationSchema,
    response: okResponses(MembersSchema),
  };
  const config = {
    endpoint: "admin_member_revocation",
    summary: "Revokes a ladder membership; the account's waiting bots leave the queue",
    credentials,
    errorCodes: [404, "invalid_ladder"] as const,
  };
  const options = { schema, config, ...operatorHooks(deps) };
  const url = "/api/admin/ladders/:id/members/:account/revoke";
  app.post(url, options, ({ params, body, caller }, reply) =>
    updateMember(deps, reply, params, async (ladder, account) => {
      const { reason } = body;
      const detail = await membershipChange(deps, ladder, account, "revoked");
      const actor = auditActor(assertAuthenticated(caller));
      const summary = accountSubject(account);
      const auditEntry = newAuditEntry(deps, actor, "member.revoked", summary, { reason, detail });
      const step = memberStep(deps, ladder, account, auditEntry);
      return withDismissal(deps, step, () => deps.store.members.revoke(step, auditEntry));
    }),
  );
}

export async function membershipChange(
  { store }: Pick<LadderDeps, "store">,
  { id }: Pick<LadderDefinition, "id">,
  account: Pick<AccountRecord, "id">,
  to: MemberState | null,
) {
  const rows = await store.members.listByAccount(account.id);
  const currentRow = rows.find(({ ladderId, until }) => ladderId === id && until === null);
  return { ladder: id, from: currentRow?.state ?? null, to };
}

export const memberStep = (
  { newId }: Pick<LadderDeps, "newId">,
  ladder: Pick<LadderDefinition, "id">,
  account: Pick<AccountRecord, "id">,
  { at }: { at: string },
) => ({ id: newId(), ladderId: ladder.id, accountId: account.id, at });

type MembershipKey = Pick<MembershipChange, "ladderId" | "accountId">;

/**
 * Ends the membership in memory first. A match that ends during the write is therefore not rated
 * after the membership's end. Restores the membership if the store fails.
 */
export async function withDismissal<T>(
  deps: LadderDeps,
  key: MembershipKey,
  write: () => Promise<T>,
): Promise<T> {
  const { ladders, arena } = deps;
  const wasMember = ladders.removeMember(key.accountId, key.ladderId);
  try {
    return await withMembershipReconciliation(deps, key, write);
  } catch (error) {
    if (wasMember) ladders.addMember(key.accountId, key.ladderId);
    throw error;
  } finally {
    arena.onLaddersChanged();
  }
}

/**
 * Runs a write on a membership. The write may have been stored even if it fails, so memory is then
 * synced with the store.
 */
export async function withMembershipReconciliation<T>(
  deps: LadderDeps,
  key: MembershipKey,
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write();
  } catch (error) {
    deps.arena.reconcile(() => deps.mutex.run(() => reloadMembership(deps, key)));
    throw error;
  }
}

async function reloadMembership(
  { store, ladders, arena }: LadderDeps,
  { ladderId, accountId }: MembershipKey,
): Promise<void> {
  const rows = await store.members.listByAccount(accountId);
  const isMember = rows.some(
    (row) => row.ladderId === ladderId && row.state === "active" && row.until === null,
  );
  if (isMember) ladders.addMember(accountId, ladderId);
  else if (ladders.removeMember(accountId, ladderId)) arena.onLaddersChanged();
}

const notMemberText = ({ id, account }: { id: string; account: string }) =>
  `${account} is neither a member of the ladder ${id} nor waiting for approval. To list both, run "bout admin ladders show ${id}".`;

type MemberRefusal = ReturnType<typeof refuseWithCode>;

/** Applies membership changes one at a time. The ladder must have members. */
async function updateMember(
  deps: LadderDeps,
  reply: FastifyReply,
  params: { id: string; account: string },
  step: (
    ladder: LadderDefinition,
    account: AccountRecord,
  ) => Promise<MembershipOutcome | MemberRefusal | null>,
) {
  const ladder = deps.ladders.byId(params.id);
  if (ladder === null) return refuseNotFound(reply, "ladder");
  const account = await findAccountByIdOrHandle(deps, params.account);
  if (account === null) return refuseMissingAccount(reply, params.account);
  if (ladder.id === DEFAULT_LADDER) return refuseWithCode(reply, "invalid_ladder");
  const outcome = await deps.mutex.run(() => step(ladder, account));
  if (outcome === null) return refuseWithStatus(reply, 404, notMemberText(params));
  return "error" in outcome ? outcome : ladderMembers(deps, ladder.id);
}
