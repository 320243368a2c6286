import type { FastifyReply } from "fastify";

import {
  LadderDetailSchema,
  LadderPlaySchema,
  LadderScheduleSchema,
  LadderSettingsSchema,
} from "#core/api/admin-ladder.ts";
import type { LadderDetail } from "#core/api/admin-ladder.ts";
import type { ErrorBody } from "#core/api/common-schemas.ts";
import { mapCountIssues } from "#core/events/definition-issues.ts";
import { eventPhase } from "#core/events/event.ts";
import type { EventDefinition } from "#core/events/event.ts";
import { isWindowWithin, windowRefusal } from "#core/ladder/ladder-window.ts";
import type { Window } from "#core/ladder/ladder-window.ts";
import { DEFAULT_LADDER, PUBLIC_LADDER } from "#core/ladder/ladder.ts";
import type { LadderDefinition } from "#core/ladder/ladder.ts";
import { ladderSettingsRefusal } from "#core/ladder/settings-change.ts";
import type { LadderSettingsChange } from "#core/ladder/settings-change.ts";
import type { LadderChange, LadderRecord } from "#data/store/ladder.ts";
import { credentials, operatorHooks } from "#web/admin/admin-route.ts";
import type { Caller } from "#web/auth/account-lookup.ts";
import { assertAuthenticated } from "#web/auth/auth-hooks.ts";
import type { App } from "#web/http/deps.ts";
import { refuseNotFound, refuseWithCode, refuseWithStatus } from "#web/http/errors.ts";
import { okResponses } from "#web/http/route-params.ts";

import { ladderDetail } from "./ladder-detail.ts";
import {
  ladderErrorText,
  ladderInstantErrors,
  PASSWORD_PROBLEMS,
  passwordProblem,
  ladderWindow,
} from "./ladder-input.ts";
import type { LadderDeps } from "./ladder-mutex.ts";
import {
  hashPassword,
  LadderParams,
  ladderAuditEntry,
  refusePasswordQueue,
  writeLadder,
} from "./ladder-route-helpers.ts";

export function ladderChangeRoutes(app: App, deps: LadderDeps): void {
  playRoute(app, deps);
  scheduleRoute(app, deps);
  settingsRoute(app, deps);
}

function playRoute(app: App, deps: LadderDeps): void {
  const schema = {
    params: LadderParams,
    body: LadderPlaySchema,
    response: okResponses(LadderDetailSchema),
  };
  const summary = "Sets a ladder's maps and house bots, starting with the next wave";
  const errorCodes = [400, 404] as const;
  const config = {
    endpoint: "admin_ladder_play",
    summary: summary,
    credentials,
    errorCodes: errorCodes,
  };
  const options = { schema, config, ...operatorHooks(deps) };
  app.put("/api/admin/ladders/:id", options, ({ params, body, caller }, reply) =>
    updateLadder(deps, reply, params.id, (ladder) => {
      const unsatisfiedEvent = body.maps && findUnsatisfiedEvent(deps, ladder, body.maps);
      if (unsatisfiedEvent !== undefined)
        return refuseWithStatus(reply, 400, tooFewMapsText(unsatisfiedEvent.id));
      return applyLadderChange(deps, caller, ladder, body);
    }),
  );
}

/** Returns an unfinished event with an achievement that can't be earned on these maps. */
function findUnsatisfiedEvent(
  { events, clock }: LadderDeps,
  { id }: LadderDefinition,
  maps: LadderDefinition["maps"],
) {
  const now = clock().toISOString();
  const isNotOver = (event: EventDefinition) => eventPhase(event, now) !== "closed";
  return events
    .onLadder(id)
    .find((event) => isNotOver(event) && mapCountIssues(event.achievements, { maps }).length > 0);
}

const tooFewMapsText = (id: string) =>
  `The event '${id}' has an achievement that needs more maps than these.`;

function scheduleRoute(app: App, deps: LadderDeps): void {
  const schema = {
    params: LadderParams,
    body: LadderScheduleSchema,
    response: okResponses(LadderDetailSchema),
  };
  const config = {
    endpoint: "admin_ladder_schedule",
    summary: "Sets when a ladder opens and closes",
    credentials,
    errorCodes: [
      ...([400, 404, "invalid_ladder", "window_closed"] as const),
      ...(["window_started", "invalid_window", "window_past"] as const),
    ],
  };
  const options = { schema, config, ...operatorHooks(deps) };
  const url = "/api/admin/ladders/:id/schedule";
  app.put(url, options, async ({ params, body, caller }, reply) => {
    const [error] = ladderInstantErrors(body);
    if (error !== undefined) return refuseWithStatus(reply, 400, ladderErrorText(error));
    const window = ladderWindow(body);
    return updateLadder(deps, reply, params.id, (ladder) => {
      if (ladder.id === DEFAULT_LADDER) return refuseWithCode(reply, "invalid_ladder");
      const now = deps.clock().toISOString();
      const refusal = windowRefusal(ladder, window, now, (to) => containsEvents(deps, ladder, to));
      return refusal === null
        ? applyLadderChange(deps, caller, ladder, window)
        : refuseWithCode(reply, refusal);
    });
  });
}

const containsEvents = (
  { events }: LadderDeps,
  { id }: LadderDefinition,
  window: Window,
): boolean => events.onLadder(id).every((event) => isWindowWithin(event, window));

function settingsRoute(app: App, deps: LadderDeps): void {
  const schema = {
    params: LadderParams,
    body: LadderSettingsSchema,
    response: okResponses(LadderDetailSchema),
  };
  const config = {
    endpoint: "admin_ladder_settings",
    summary: "Changes a ladder's name, description, access, password, and whether it is enabled",
    credentials,
    errorCodes: [400, 404, "invalid_ladder", "rate_limited"] as const,
  };
  const options = { schema, config, ...operatorHooks(deps) };
  const url = "/api/admin/ladders/:id/settings";
  app.put(url, options, async ({ params, body, caller }, reply) => {
    const { password, ...settings } = body;
    const problem = typeof password === "string" ? passwordProblem(password) : null;
    if (problem !== null) return refuseField(reply, "password", problem);
    if (deps.ladders.byId(params.id) === null) return refuseNotFound(reply, "ladder");
    const hash =
      typeof password === "string"
        ? await hashPassword(deps, assertAuthenticated(caller), password)
        : null;
    if (hash === "busy") return refusePasswordQueue(reply);
    return updateLadder(deps, reply, params.id, (ladder) => {
      const refusal = ladderSettingsRefusal(ladder, body);
      if (refusal === "invalid_ladder") return refuseWithCode(reply, refusal);
      if (refusal !== null) return refuseField(reply, "password", PASSWORD_PROBLEMS[refusal]);
      return applyLadderChange(deps, caller, ladder, {
        ...settings,
        ...passwordChange(ladder, body, hash),
      });
    });
  });
}

const refuseField = (reply: FastifyReply, field: string, problem: string) =>
  refuseWithStatus(reply, 400, ladderErrorText({ field, problem }));

function passwordChange(
  { access: currentAccess }: LadderDefinition,
  { access = currentAccess }: LadderSettingsChange,
  hash: string | null,
): Pick<LadderChange, "passwordHash"> {
  if (hash !== null) return { passwordHash: hash };
  return access !== "password" && currentAccess === "password" ? { passwordHash: null } : {};
}

type Outcome = LadderDefinition | ErrorBody;

async function updateLadder(
  deps: LadderDeps,
  reply: FastifyReply,
  id: string,
  change: (ladder: LadderDefinition) => Promise<Outcome> | Outcome,
): Promise<LadderDetail | ErrorBody> {
  const outcome = await deps.mutex.run(async () => {
    const ladder = deps.ladders.byId(id);
    return ladder === null ? refuseNotFound(reply, "ladder") : change(ladder);
  });
  return "error" in outcome ? outcome : ladderDetail(deps, outcome);
}

async function applyLadderChange(
  deps: LadderDeps,
  caller: Caller | null,
  ladder: LadderDefinition,
  change: LadderChange,
): Promise<LadderDefinition> {
  const { passwordHash, ...settings } = change;
  const currentValues: Record<string, unknown> = ladder;
  const changedEntries = Object.entries(settings).filter(
    ([name, to]) => JSON.stringify(currentValues[name]) !== JSON.stringify(to),
  );
  const passwordDetail = passwordHash === undefined ? {} : { password_set: passwordHash !== null };
  if (changedEntries.length === 0 && passwordHash === undefined) return ladder;
  const fields = changedEntries.map(
    ([name, to]) => [name, { from: currentValues[name], to }] as const,
  );
  const detail = { ...Object.fromEntries(fields), ...passwordDetail };
  const auditEntry = ladderAuditEntry(deps, assertAuthenticated(caller), "ladder.changed", ladder, {
    detail,
  });
  const updatedLadder = await writeLadder(deps, ladder, () =>
    storeChange(deps, ladder, change, auditEntry),
  );
  deps.ladders.upsert(updatedLadder);
  deps.arena.onLaddersChanged();
  return deps.ladders.byId(ladder.id) ?? updatedLadder;
}

/** The first change to public adds it to the store. */
async function storeChange(
  { store }: LadderDeps,
  ladder: LadderDefinition,
  change: LadderChange,
  auditEntry: Parameters<typeof store.ladders.change>[2],
): Promise<LadderDefinition> {
  const updatedLadder: LadderRecord | null = await store.ladders.change(
    ladder.id,
    change,
    auditEntry,
  );
  if (updatedLadder !== null) return updatedLadder;
  const definition = { ...PUBLIC_LADDER, ...change };
  await store.ladders.add(definition, null, auditEntry);
  return definition;
}
