import type { FastifyReply } from "fastify";
import { Type } from "typebox";

import type { ErrorBody } from "#core/api/common-schemas.ts";
import {
  AdminEventSchema,
  EventChangeSchema,
  EventScheduleSchema,
  OpponentsSchema,
  SubmissionSchema,
} from "#core/api/event.ts";
import type { AdminEvent, EventChange } from "#core/api/event.ts";
import { missingFlags } from "#core/events/achievement-flags.ts";
import {
  approvedVersionIssues,
  isWithinLadderWindow,
  mapCountIssues,
} from "#core/events/definition-issues.ts";
import type { EventDefinition } from "#core/events/event.ts";
import { eventPhase } from "#core/events/event.ts";
import { missingRequirements, missingFlagText } from "#core/events/readiness.ts";
import type { AuditKind } from "#core/ids/audit-kinds.ts";
import { windowRefusal } from "#core/ladder/ladder-window.ts";
import type { Window } from "#core/ladder/ladder-window.ts";
import type { EventChanges } from "#data/store/event.ts";
import { CLOSED_OBJECT, credentials, operatorHooks } from "#web/admin/admin-route.ts";
import type { Caller } from "#web/auth/account-lookup.ts";
import { assertAuthenticated } from "#web/auth/auth-hooks.ts";
import type { App } from "#web/http/deps.ts";
import { refuseNotFound, refuseWithCode, refuseWithStatus } from "#web/http/errors.ts";
import { okResponses } from "#web/http/route-params.ts";
import type { LadderDeps } from "#web/ladders/ladder-mutex.ts";

import {
  eventChangeErrors,
  eventErrorText,
  flagErrors,
  eventInstantErrors,
  readSubmissionUrl,
  eventWindow,
} from "./event-input.ts";
import type { EventError } from "./event-input.ts";
import { EventParams, eventAuditEntry, writeEvent } from "./event-route-helpers.ts";
import { adminEvent, eventContext, eventLadder } from "./event-view.ts";

export function eventChangeRoutes(app: App, deps: LadderDeps): void {
  definitionRoute(app, deps);
  opponentsRoute(app, deps);
  scheduleRoute(app, deps);
  submissionRoute(app, deps);
  settingsRoute(app, deps);
}

const response = okResponses(AdminEventSchema);

function definitionRoute(app: App, deps: LadderDeps): void {
  const schema = { params: EventParams, body: EventChangeSchema, response };
  const config = {
    endpoint: "admin_event",
    summary: "Changes an event's text, time zone and flag mode, and its conditions until it opens",
    credentials,
    errorCodes: [400, 404, "window_started", "event_not_ready"] as const,
  };
  const options = { schema, config, ...operatorHooks(deps) };
  app.put("/api/admin/events/:event", options, async ({ params, body, caller }, reply) => {
    const [fieldError] = eventChangeErrors(body);
    if (fieldError !== undefined) return refuseWithStatus(reply, 400, eventErrorText(fieldError));
    return updateEvent(deps, reply, params.event, (event) => {
      const [error] = changeErrors(deps, event, body);
      if (error !== undefined) return refuseWithStatus(reply, 400, eventErrorText(error));
      if (isFrozen(deps, event, body)) return refuseWithCode(reply, "window_started");
      const step = toEventStep(body);
      const lostFlags = findLostFlags(deps, event, step);
      if (lostFlags.length > 0)
        return refuseWithCode(
          reply,
          "event_not_ready",
          notReadyText(lostFlags.map(missingFlagText)),
        );
      return applyEventChange(deps, caller, event, step);
    });
  });
}

function toEventStep({ conditions, flag_mode, ...fields }: EventChange): EventChanges {
  return {
    ...fields,
    ...(flag_mode !== undefined && { flagMode: flag_mode }),
    ...(conditions !== undefined && { achievements: conditions }),
  };
}

function changeErrors(
  deps: LadderDeps,
  event: EventDefinition,
  { conditions }: EventChange,
): EventError[] {
  if (conditions === undefined) return [];
  const errors = mapCountIssues(conditions, eventLadder(deps, event));
  return [...errors, ...flagErrors(event.id, conditions, deps.events.list())];
}

/** Returns the achievements of an enabled event whose flags the change would make unavailable. */
function findLostFlags(
  { flags }: LadderDeps,
  event: EventDefinition,
  step: EventChanges,
): string[] {
  if (!event.enabled) return [];
  const missingBefore = new Set(missingFlags(flags, event));
  return missingFlags(flags, { ...event, ...step }).filter((id) => !missingBefore.has(id));
}

const notReadyText = (problems: readonly string[]) =>
  `The event is not ready: ${problems.join("; ")}.`;

function isFrozen({ clock }: LadderDeps, event: EventDefinition, { conditions }: EventChange) {
  const isChanged =
    conditions !== undefined && JSON.stringify(conditions) !== JSON.stringify(event.achievements);
  return isChanged && eventPhase(event, clock().toISOString()) !== "upcoming";
}

function opponentsRoute(app: App, deps: LadderDeps): void {
  const schema = { params: EventParams, body: OpponentsSchema, response };
  const summary = "Sets the approved house bot versions for an event";
  const errorCodes = [400, 404] as const;
  const config = {
    endpoint: "admin_event_opponents",
    summary: summary,
    credentials,
    errorCodes: errorCodes,
  };
  const options = { schema, config, ...operatorHooks(deps) };
  app.put(
    "/api/admin/events/:event/opponents",
    options,
    async ({ params, body, caller }, reply) => {
      const [error] = approvedVersionIssues(body);
      if (error !== undefined) return refuseWithStatus(reply, 400, eventErrorText(error));
      return updateEvent(deps, reply, params.event, (event) =>
        applyEventChange(deps, caller, event, { approved: body.approved }),
      );
    },
  );
}

function scheduleRoute(app: App, deps: LadderDeps): void {
  const schema = { params: EventParams, body: EventScheduleSchema, response };
  const config = {
    endpoint: "admin_event_schedule",
    summary: "Sets when an event opens and closes, within its ladder's window",
    credentials,
    errorCodes: [
      ...([400, 404, "window_closed", "window_started"] as const),
      ...(["invalid_window", "window_past"] as const),
    ],
  };
  const options = { schema, config, ...operatorHooks(deps) };
  const url = "/api/admin/events/:event/schedule";
  app.put(url, options, async ({ params, body, caller }, reply) => {
    const [error] = eventInstantErrors(body);
    const window = eventWindow(body);
    if (error !== undefined) return refuseWithStatus(reply, 400, eventErrorText(error));
    return updateEvent(deps, reply, params.event, (event) => {
      if (window === null) return event;
      const ladder = eventLadder(deps, event);
      const now = deps.clock().toISOString();
      const isInLadderWindow = ({ opensAt, closesAt }: Window) =>
        opensAt !== null &&
        closesAt !== null &&
        isWithinLadderWindow({ opensAt, closesAt }, ladder);
      const refusal = windowRefusal(event, window, now, isInLadderWindow);
      return refusal === null
        ? applyEventChange(deps, caller, event, window)
        : refuseWithCode(reply, refusal);
    });
  });
}

function submissionRoute(app: App, deps: LadderDeps): void {
  const schema = { params: EventParams, body: SubmissionSchema, response };
  const summary = "Sets the submission address and instructions";
  const config = {
    endpoint: "admin_event_submission",
    summary: summary,
    credentials,
    errorCodes: [400, 404] as const,
    fieldTexts: { submission_url: HTTPS_ONLY },
  };
  const options = { schema, config, ...operatorHooks(deps) };
  const url = "/api/admin/events/:event/submission";
  app.put(url, options, ({ params, body, caller }, reply) => {
    const outcome = readSubmissionUrl(body.submission_url);
    if (!("url" in outcome)) return refuseWithStatus(reply, 400, eventErrorText(outcome));
    const step = {
      submissionUrl: outcome.url,
      submissionInstructions: body.submission_instructions,
    };
    return updateEvent(deps, reply, params.event, (event) =>
      applyEventChange(deps, caller, event, step),
    );
  });
}

export const HTTPS_ONLY =
  "The field 'submission_url' of the body must be an https address, or null.";

function settingsRoute(app: App, deps: LadderDeps): void {
  const body = Type.Object({ enabled: Type.Boolean() }, CLOSED_OBJECT);
  const schema = { params: EventParams, body, response };
  const config = {
    endpoint: "admin_event_settings",
    summary: "Enables an event that meets all requirements, or disables it",
    credentials,
    errorCodes: [404, "event_not_ready"] as const,
  };
  const options = { schema, config, ...operatorHooks(deps) };
  const url = "/api/admin/events/:event/settings";
  app.put(url, options, ({ params, body: { enabled }, caller }, reply) =>
    updateEvent(deps, reply, params.event, (event) => {
      if (event.enabled === enabled) return event;
      const problems = enabled ? missingRequirements(event, eventContext(deps, event)) : [];
      if (problems.length > 0)
        return refuseWithCode(reply, "event_not_ready", notReadyText(problems));
      const kind = enabled ? "event.enabled" : "event.disabled";
      return applyEventChange(deps, caller, event, { enabled }, kind);
    }),
  );
}

type Outcome = EventDefinition | ErrorBody;

/** Applies changes to an event's current state one at a time. */
export async function updateEvent(
  deps: LadderDeps,
  reply: FastifyReply,
  id: string,
  change: (event: EventDefinition) => Promise<Outcome> | Outcome,
): Promise<AdminEvent | ErrorBody> {
  const outcome = await deps.mutex.run(async () => {
    const event = deps.events.byId(id);
    return event === null ? refuseNotFound(reply, "event") : change(event);
  });
  return "error" in outcome ? outcome : adminEvent(deps, outcome);
}

/** Writes the fields that differ and increments the revision. */
export async function applyEventChange(
  deps: LadderDeps,
  caller: Caller | null,
  event: EventDefinition,
  step: EventChanges,
  kind: AuditKind = "event.changed",
): Promise<EventDefinition> {
  const currentValues: Record<string, unknown> = event;
  const changedEntries = Object.entries(step).filter(
    ([name, to]) => JSON.stringify(currentValues[name]) !== JSON.stringify(to),
  );
  if (changedEntries.length === 0) return event;
  const detail = Object.fromEntries(
    changedEntries.map(([name, to]) => [name, { from: currentValues[name], to }] as const),
  );
  const auditEntry = eventAuditEntry(deps, assertAuthenticated(caller), kind, event, { detail });
  const to = Object.fromEntries(changedEntries);
  const updatedEvent = await writeEvent(deps, () =>
    deps.store.events.change(event.id, to, auditEntry),
  );
  if (updatedEvent === null) return event;
  deps.events.upsert(updatedEvent);
  deps.awards.handleEventChanged(updatedEvent.id);
  return updatedEvent;
}
