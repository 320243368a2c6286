// Operators look at what an account has reached, revoke and restore awards, and compare all awards
// with what the stored matches say.

import { Type } from "typebox";

import type { AwardFact } from "#core/events/awards.ts";
import type { ErrorBody } from "#core/resources/common.ts";
import {
  AdminEventProgressSchema,
  ReconciliationSchema,
  RestoredAwardSchema,
  RevokedAwardSchema,
} from "#core/resources/event.ts";
import type { Reconciliation } from "#core/resources/event.ts";
import type { AccountId } from "#core/words/ids.ts";
import { FIXED } from "#core/words/limits.ts";
import { STORABLE } from "#data/access/storable.ts";
import {
  accountNow,
  accountSought,
  CLOSED,
  credentials,
  missingAccount,
  operatorHooks,
} from "#web/admin/operator.ts";
import { admitted } from "#web/auth/auth.ts";
import { personOf } from "#web/auth/entry.ts";
import type { App } from "#web/http/deps.ts";
import { missing, refuse } from "#web/http/errors.ts";
import { answers } from "#web/http/query.ts";
import type { LadderDeps } from "#web/ladders/door.ts";

import { achievementOf, EventParams, noAchievement, noteOf } from "./event-parts.ts";
import { eventProgress } from "./progress-view.ts";

const account = Type.String({ description: "the account's id, or its handle in any letter case" });
const AccountParams = Type.Object({ ...EventParams.properties, account });
const AwardParams = Type.Object({
  ...AccountParams.properties,
  id: Type.String({ description: "id of the achievement" }),
});
const ReasonNeeded = Type.Object(
  {
    reason: Type.String({
      minLength: 1,
      maxLength: FIXED.reason_max,
      pattern: STORABLE,
      description: "for the audit, and for whom it is about",
    }),
  },
  CLOSED,
);

export function awardRoutes(app: App, deps: LadderDeps): void {
  evidenceRoute(app, deps);
  revokeRoute(app, deps);
  restoreRoute(app, deps);
  reconcileRoute(app, deps);
}

function evidenceRoute(app: App, deps: LadderDeps): void {
  const schema = { params: AccountParams, response: answers(AdminEventProgressSchema) };
  const about = "An event as an account sees it, with its evidence; no flags";
  const refuses = [404] as const;
  const config = { endpoint: "admin_event_account", about, credentials, refuses };
  const options = { schema, config, ...operatorHooks(deps) };
  const url = "/api/admin/events/:event/accounts/:account";
  app.get(url, options, async ({ params }, reply) => {
    const event = deps.events.byId(params.event);
    if (event === null) return missing(reply, "event");
    const found = await accountNow(deps, params.account);
    if (found === null) return missingAccount(reply, params.account);
    const { id, handle } = found;
    return { account: { id, handle }, ...(await eventProgress(deps, event, id)) };
  });
}

const AWARD = "/api/admin/events/:event/accounts/:account/achievements/:id";
const REFUSES = [404, "not_earned"] as const;

function revokeRoute(app: App, deps: LadderDeps): void {
  const schema = { params: AwardParams, body: ReasonNeeded, response: answers(RevokedAwardSchema) };
  const about = "Revokes what an account has earned; it stays revoked";
  const config = { endpoint: "admin_event_revoke", about, credentials, refuses: REFUSES };
  const options = { schema, config, ...operatorHooks(deps) };
  app.post(`${AWARD}/revoke`, options, async ({ params, body, caller }, reply) => {
    const found = await awardSought(deps, params);
    if (typeof found === "string")
      return found === "achievement" ? noAchievement(reply) : missing(reply, found);
    const note = noteOf(deps, admitted(caller), "event.revoked", found.event, {
      reason: body.reason,
      ...found.entry,
    });
    const outcome = await deps.store.awards.revoke(found.key, note);
    return outcome === null ? refuse(reply, "not_earned") : { revoked: true as const };
  });
}

function restoreRoute(app: App, deps: LadderDeps): void {
  const response = answers(RestoredAwardSchema);
  const schema = { params: AwardParams, body: ReasonNeeded, response };
  const about = "Gives back what was revoked";
  const config = { endpoint: "admin_event_restore", about, credentials, refuses: REFUSES };
  const options = { schema, config, ...operatorHooks(deps) };
  app.post(`${AWARD}/restore`, options, async ({ params, body, caller }, reply) => {
    const found = await awardSought(deps, params);
    if (typeof found === "string")
      return found === "achievement" ? noAchievement(reply) : missing(reply, found);
    const note = noteOf(deps, admitted(caller), "event.restored", found.event, {
      reason: body.reason,
      ...found.entry,
    });
    const outcome = await deps.store.awards.restore(found.key, note);
    return outcome === null ? refuse(reply, "not_earned") : { restored: true as const };
  });
}

/** The award that a path means, or the first part of it that names nothing. */
async function awardSought(
  deps: LadderDeps,
  params: { event: string; account: string; id: string },
) {
  const event = deps.events.byId(params.event);
  if (event === null) return "event";
  const found = await accountSought(deps, params.account);
  if (found === null) return "account";
  const achievement = achievementOf(event, params.id);
  if (achievement === null) return "achievement";
  const key = { eventId: event.id, accountId: found.id, achievementId: achievement.id };
  const detail = { account: found.id, achievement: achievement.id, name: achievement.name };
  return { event, key, entry: { detail, person: personOf(found) } };
}

const ReconcileBody = Type.Object(
  {
    apply: Type.Optional(Type.Boolean({ description: "write the missing ones; false if absent" })),
  },
  CLOSED,
);

function reconcileRoute(app: App, deps: LadderDeps): void {
  const response = answers(ReconciliationSchema);
  const schema = { params: EventParams, body: ReconcileBody, response };
  const about = "Compares the awards with what the stored matches earn, and writes missing ones";
  const refuses = [404, "event_closed"] as const;
  const config = { endpoint: "admin_event_reconcile", about, credentials, refuses };
  const options = { schema, config, ...operatorHooks(deps) };
  const url = "/api/admin/events/:event/reconcile";
  app.post(
    url,
    options,
    async ({ params, body, caller }, reply): Promise<Reconciliation | ErrorBody> => {
      const event = deps.events.byId(params.event);
      if (event === null) return missing(reply, "event");
      const { store, awards } = deps;
      const applied = body.apply === true;
      if (applied && !event.enabled) return refuse(reply, "event_closed", DISABLED);
      const facts = await awards.recount(event);
      const given = await store.awards.ofEvent(event.id);
      const known = new Set(given.map(nameOf));
      const lost = facts.filter((fact) => !known.has(nameOf(fact)));
      if (applied) {
        await awards.give(event, lost);
        const detail = { facts: facts.length, missing: lost.length };
        await store.audit.add([
          noteOf(deps, admitted(caller), "event.reconciled", event, { detail }),
        ]);
      }
      const handles = await handlesOf(deps, facts);
      const shown = (fact: AwardFact) => factView(fact, handles);
      return { facts: facts.map(shown), missing_awards: lost.map(shown), applied };
    },
  );
}

const DISABLED = "An event that is not enabled earns nothing. Enable it first.";

const nameOf = ({ accountId, achievementId }: Pick<AwardFact, "accountId" | "achievementId">) =>
  `${accountId} ${achievementId}`;

type Handles = ReadonlyMap<AccountId, string | null>;

async function handlesOf({ store }: LadderDeps, facts: readonly AwardFact[]): Promise<Handles> {
  const handles = new Map<AccountId, string | null>();
  for (const id of new Set(facts.map(({ accountId }) => accountId)))
    handles.set(id, (await store.accounts.byId(id))?.handle ?? null);
  return handles;
}

const factView = (
  { accountId, achievementId, earnedAt, evidence }: AwardFact,
  handles: Handles,
): Reconciliation["facts"][number] => ({
  account_id: accountId,
  handle: handles.get(accountId) ?? null,
  achievement_id: achievementId,
  earned_at: earnedAt,
  evidence: [...evidence],
});
