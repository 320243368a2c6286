// Operator routes for awards: view an account's progress, revoke and restore awards, and reconcile
// awards with stored matches.

import { Type } from "typebox";

import type { ErrorBody } from "#core/api/common-schemas.ts";
import {
  AdminEventProgressSchema,
  ReconciliationSchema,
  RestoredAwardSchema,
  RevokedAwardSchema,
} from "#core/api/event.ts";
import type { Reconciliation } from "#core/api/event.ts";
import type { EarnedAward } from "#core/events/awards.ts";
import type { AccountId } from "#core/ids/ids.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";
import { STORABLE_PATTERN } from "#data/credentials/storable-text.ts";
import {
  findAccountByAnyHandle,
  findAccountByIdOrHandle,
  CLOSED_OBJECT,
  credentials,
  refuseMissingAccount,
  operatorHooks,
} from "#web/admin/admin-route.ts";
import { auditPerson } from "#web/auth/audit-entry.ts";
import { assertAuthenticated } from "#web/auth/auth-hooks.ts";
import type { App } from "#web/http/deps.ts";
import { refuseNotFound, refuseWithCode } from "#web/http/errors.ts";
import { okResponses } from "#web/http/route-params.ts";
import type { LadderDeps } from "#web/ladders/ladder-mutex.ts";

import {
  findAchievement,
  EventParams,
  refuseUnknownAchievement,
  eventAuditEntry,
} from "./event-route-helpers.ts";
import { eventProgress } from "./progress-view.ts";

const account = Type.String({ description: "account id or handle (case-insensitive)" });
const AccountParams = Type.Object({ ...EventParams.properties, account });
const AwardParams = Type.Object({
  ...AccountParams.properties,
  id: Type.String({ description: "id of the achievement" }),
});
const RequiredReasonBody = Type.Object(
  {
    reason: Type.String({
      minLength: 1,
      maxLength: FIXED_LIMITS.reason_max,
      pattern: STORABLE_PATTERN,
      description: "recorded in the audit log and shown to the affected account",
    }),
  },
  CLOSED_OBJECT,
);

export function awardRoutes(app: App, deps: LadderDeps): void {
  evidenceRoute(app, deps);
  revokeRoute(app, deps);
  restoreRoute(app, deps);
  reconcileRoute(app, deps);
}

function evidenceRoute(app: App, deps: LadderDeps): void {
  const schema = { params: AccountParams, response: okResponses(AdminEventProgressSchema) };
  const summary = "An account's progress in an event, with evidence but without flags";
  const errorCodes = [404] as const;
  const config = {
    endpoint: "admin_event_account",
    summary: summary,
    credentials,
    errorCodes: errorCodes,
  };
  const options = { schema, config, ...operatorHooks(deps) };
  const url = "/api/admin/events/:event/accounts/:account";
  app.get(url, options, async ({ params }, reply) => {
    const event = deps.events.byId(params.event);
    if (event === null) return refuseNotFound(reply, "event");
    const target = await findAccountByAnyHandle(deps, params.account);
    if (target === null) return refuseMissingAccount(reply, params.account);
    const { id, handle } = target;
    return { account: { id, handle }, ...(await eventProgress(deps, event, id)) };
  });
}

const AWARD_PATH = "/api/admin/events/:event/accounts/:account/achievements/:id";
const ERROR_CODES = [404, "not_earned"] as const;

function revokeRoute(app: App, deps: LadderDeps): void {
  const schema = {
    params: AwardParams,
    body: RequiredReasonBody,
    response: okResponses(RevokedAwardSchema),
  };
  const summary = "Revokes an award, permanently unless it is restored";
  const config = {
    endpoint: "admin_event_revoke",
    summary: summary,
    credentials,
    errorCodes: ERROR_CODES,
  };
  const options = { schema, config, ...operatorHooks(deps) };
  app.post(`${AWARD_PATH}/revoke`, options, async ({ params, body, caller }, reply) => {
    const target = await findAward(deps, params);
    if (typeof target === "string")
      return target === "achievement"
        ? refuseUnknownAchievement(reply)
        : refuseNotFound(reply, target);
    const auditEntry = eventAuditEntry(
      deps,
      assertAuthenticated(caller),
      "event.revoked",
      target.event,
      {
        reason: body.reason,
        ...target.auditDetails,
      },
    );
    const outcome = await deps.store.awards.revoke(target.key, auditEntry);
    return outcome === null ? refuseWithCode(reply, "not_earned") : { revoked: true as const };
  });
}

function restoreRoute(app: App, deps: LadderDeps): void {
  const response = okResponses(RestoredAwardSchema);
  const schema = { params: AwardParams, body: RequiredReasonBody, response };
  const summary = "Restores a revoked award";
  const config = {
    endpoint: "admin_event_restore",
    summary: summary,
    credentials,
    errorCodes: ERROR_CODES,
  };
  const options = { schema, config, ...operatorHooks(deps) };
  app.post(`${AWARD_PATH}/restore`, options, async ({ params, body, caller }, reply) => {
    const target = await findAward(deps, params);
    if (typeof target === "string")
      return target === "achievement"
        ? refuseUnknownAchievement(reply)
        : refuseNotFound(reply, target);
    const auditEntry = eventAuditEntry(
      deps,
      assertAuthenticated(caller),
      "event.restored",
      target.event,
      {
        reason: body.reason,
        ...target.auditDetails,
      },
    );
    const outcome = await deps.store.awards.restore(target.key, auditEntry);
    return outcome === null ? refuseWithCode(reply, "not_earned") : { restored: true as const };
  });
}

async function findAward(deps: LadderDeps, params: { event: string; account: string; id: string }) {
  const event = deps.events.byId(params.event);
  if (event === null) return "event";
  const target = await findAccountByIdOrHandle(deps, params.account);
  if (target === null) return "account";
  const achievement = findAchievement(event, params.id);
  if (achievement === null) return "achievement";
  const key = { eventId: event.id, accountId: target.id, achievementId: achievement.id };
  const detail = { account: target.id, achievement: achievement.id, name: achievement.name };
  return { event, key, auditDetails: { detail, person: auditPerson(target) } };
}

const ReconcileBody = Type.Object(
  {
    apply: Type.Optional(Type.Boolean({ description: "write missing awards; default: false" })),
  },
  CLOSED_OBJECT,
);

function reconcileRoute(app: App, deps: LadderDeps): void {
  const response = okResponses(ReconciliationSchema);
  const schema = { params: EventParams, body: ReconcileBody, response };
  const summary = "Compares awards with stored matches, and optionally writes missing ones";
  const errorCodes = [404, "event_closed"] as const;
  const config = {
    endpoint: "admin_event_reconcile",
    summary: summary,
    credentials,
    errorCodes: errorCodes,
  };
  const options = { schema, config, ...operatorHooks(deps) };
  const url = "/api/admin/events/:event/reconcile";
  app.post(
    url,
    options,
    async ({ params, body, caller }, reply): Promise<Reconciliation | ErrorBody> => {
      const event = deps.events.byId(params.event);
      if (event === null) return refuseNotFound(reply, "event");
      const { store, awards } = deps;
      const applied = body.apply === true;
      if (applied && !event.enabled) return refuseWithCode(reply, "event_closed", DISABLED);
      const facts = await awards.recomputeAwards(event);
      const storedAwards = await store.awards.listByEvent(event.id);
      const awardKeys = new Set(storedAwards.map(awardKey));
      const missingFacts = facts.filter((fact) => !awardKeys.has(awardKey(fact)));
      if (applied) {
        await awards.grantAwards(event, missingFacts);
        const detail = { facts: facts.length, missing: missingFacts.length };
        await store.audit.add([
          eventAuditEntry(deps, assertAuthenticated(caller), "event.reconciled", event, { detail }),
        ]);
      }
      const handles = await readHandles(deps, facts);
      const toView = (fact: EarnedAward) => factView(fact, handles);
      return { facts: facts.map(toView), missing_awards: missingFacts.map(toView), applied };
    },
  );
}

const DISABLED = "A disabled event gives no awards. Enable it first.";

const awardKey = ({ accountId, achievementId }: Pick<EarnedAward, "accountId" | "achievementId">) =>
  `${accountId} ${achievementId}`;

type Handles = ReadonlyMap<AccountId, string | null>;

async function readHandles({ store }: LadderDeps, facts: readonly EarnedAward[]): Promise<Handles> {
  const handles = new Map<AccountId, string | null>();
  for (const id of new Set(facts.map(({ accountId }) => accountId)))
    handles.set(id, (await store.accounts.byId(id))?.handle ?? null);
  return handles;
}

const factView = (
  { accountId, achievementId, earnedAt, evidence }: EarnedAward,
  handles: Handles,
): Reconciliation["facts"][number] => ({
  account_id: accountId,
  handle: handles.get(accountId) ?? null,
  achievement_id: achievementId,
  earned_at: earnedAt,
  evidence: [...evidence],
});
