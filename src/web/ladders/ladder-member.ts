// Operators let people onto a ladder, and off it.

import type { FastifyReply } from "fastify";
import { Type } from "typebox";

import { DEFAULT_LADDER } from "#core/ladder/ladder.ts";
import type { LadderDefinition } from "#core/ladder/ladder.ts";
import { MembersSchema } from "#core/resources/admin-ladder.ts";
import type { AccountRecord } from "#data/store/account.ts";
import type { MemberState, MemberStep, StepOutcome } from "#data/store/member.ts";
import {
  accountSought,
  missingAccount,
  AccountParams,
  CLOSED,
  credentials,
  mayHaveReason,
  operatorHooks,
  ReasonSchema,
} from "#web/admin/operator.ts";
import { admitted } from "#web/auth/auth.ts";
import { aboutAccount, actorOf, entryOf } from "#web/auth/entry.ts";
import type { App } from "#web/http/deps.ts";
import { missing, refuse, refuseWith } from "#web/http/errors.ts";
import { answers } from "#web/http/query.ts";

import type { LadderDeps } from "./door.ts";
import { membersOf } from "./ladder-detail.ts";
import { LadderParams } from "./ladder-parts.ts";

const MemberParams = Type.Object({
  ...LadderParams.properties,
  ...AccountParams.properties,
});

const RevocationSchema = Type.Object(Type.Required(Type.Object(mayHaveReason)).properties, CLOSED);

export function memberRoutes(app: App, deps: LadderDeps): void {
  approvalRoute(app, deps);
  revocationRoute(app, deps);
}

function approvalRoute(app: App, deps: LadderDeps): void {
  const schema = { params: MemberParams, body: ReasonSchema, response: answers(MembersSchema) };
  const config = {
    endpoint: "admin_member_approval",
    about: "Makes somebody who asked, or was shown out, a member of a ladder",
    credentials,
    refuses: [404, "invalid_ladder", ["account_banned", 409]] as const,
  };
  const options = { schema, config, ...operatorHooks(deps) };
  const url = "/api/admin/ladders/:id/members/:account/approve";
  app.post(url, options, ({ params, body, caller }, reply) =>
    stepping(deps, reply, params, async (ladder, account) => {
      const { reason = null } = body;
      const detail = await movedTo(deps, ladder, account, "active");
      const actor = actorOf(admitted(caller));
      const about = aboutAccount(account);
      const note = entryOf(deps, actor, "member.approved", about, { reason, detail });
      const approval = stepOf(deps, ladder, account, note);
      const outcome = await settling(deps, approval, () =>
        deps.store.members.approve(approval, note),
      );
      if (outcome === "account_banned") return refuse(reply, ["account_banned", 409]);
      if (outcome !== null) deps.ladders.admit(account.id, ladder.id);
      return outcome;
    }),
  );
}

function revocationRoute(app: App, deps: LadderDeps): void {
  const schema = { params: MemberParams, body: RevocationSchema, response: answers(MembersSchema) };
  const config = {
    endpoint: "admin_member_revocation",
    about: "Ends somebody's membership of a ladder; their waiting bots leave the queue",
    credentials,
    refuses: [404, "invalid_ladder"] as const,
  };
  const options = { schema, config, ...operatorHooks(deps) };
  const url = "/api/admin/ladders/:id/members/:account/revoke";
  app.post(url, options, ({ params, body, caller }, reply) =>
    stepping(deps, reply, params, async (ladder, account) => {
      const { reason } = body;
      const detail = await movedTo(deps, ladder, account, "revoked");
      const actor = actorOf(admitted(caller));
      const about = aboutAccount(account);
      const note = entryOf(deps, actor, "member.revoked", about, { reason, detail });
      const step = stepOf(deps, ladder, account, note);
      return dismissing(deps, step, () => deps.store.members.revoke(step, note));
    }),
  );
}

/** The detail of an entry: the membership before and after. */
export async function movedTo(
  { store }: Pick<LadderDeps, "store">,
  { id }: Pick<LadderDefinition, "id">,
  account: Pick<AccountRecord, "id">,
  to: MemberState | null,
) {
  const rows = await store.members.ofAccount(account.id);
  const present = rows.find(({ ladderId, until }) => ladderId === id && until === null);
  return { ladder: id, from: present?.state ?? null, to };
}

/** The step that an entry tells of. */
export const stepOf = (
  { newId }: Pick<LadderDeps, "newId">,
  ladder: Pick<LadderDefinition, "id">,
  account: Pick<AccountRecord, "id">,
  { at }: { at: string },
) => ({ id: newId(), ladderId: ladder.id, accountId: account.id, at });

type Tie = Pick<MemberStep, "ladderId" | "accountId">;

/**
 * In memory first: a game that ends while the store writes is not rated after the interval's end.
 * Taken back if the store fails.
 */
export async function dismissing<T>(
  deps: LadderDeps,
  tie: Tie,
  write: () => Promise<T>,
): Promise<T> {
  const { ladders, arena } = deps;
  const wasMember = ladders.dismiss(tie.accountId, tie.ladderId);
  try {
    return await settling(deps, tie, write);
  } catch (error) {
    if (wasMember) ladders.admit(tie.accountId, tie.ladderId);
    throw error;
  } finally {
    arena.laddersChanged();
  }
}

/** Writes about a member, in turn. What fails may be done nevertheless: memory follows then. */
export async function settling<T>(deps: LadderDeps, tie: Tie, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    deps.arena.inDoubt(() => deps.door.inTurn(() => followStore(deps, tie)));
    throw error;
  }
}

async function followStore(
  { store, ladders, arena }: LadderDeps,
  { ladderId, accountId }: Tie,
): Promise<void> {
  const rows = await store.members.ofAccount(accountId);
  const isMember = rows.some(
    (row) => row.ladderId === ladderId && row.state === "active" && row.until === null,
  );
  if (isMember) ladders.admit(accountId, ladderId);
  else if (ladders.dismiss(accountId, ladderId)) arena.laddersChanged();
}

const noMember = ({ id, account }: { id: string; account: string }) =>
  `${account} is neither a member of the ladder ${id} nor waiting for approval. "bout admin ladders show ${id}" lists both.`;

type Refused = ReturnType<typeof refuse>;

/** A step of one account on a ladder with members, one at a time. */
async function stepping(
  deps: LadderDeps,
  reply: FastifyReply,
  params: { id: string; account: string },
  step: (ladder: LadderDefinition, account: AccountRecord) => Promise<StepOutcome | Refused | null>,
) {
  const ladder = deps.ladders.byId(params.id);
  if (ladder === null) return missing(reply, "ladder");
  const account = await accountSought(deps, params.account);
  if (account === null) return missingAccount(reply, params.account);
  if (ladder.id === DEFAULT_LADDER) return refuse(reply, "invalid_ladder");
  const outcome = await deps.door.inTurn(() => step(ladder, account));
  if (outcome === null) return refuseWith(reply, 404, noMember(params));
  return "error" in outcome ? outcome : membersOf(deps, ladder.id);
}
