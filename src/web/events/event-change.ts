// Operators change events: their texts, windows, opponents, and whether they are on.

import type { FastifyReply } from "fastify";
import { Type } from "typebox";

import { approvedFaults, fitsLadder, mapFaults } from "#core/events/definition.ts";
import type { EventDefinition } from "#core/events/event.ts";
import { eventPhase } from "#core/events/event.ts";
import { missingFlags } from "#core/events/flag.ts";
import { lacks, noFlagOf } from "#core/events/readiness.ts";
import { windowRefusal } from "#core/ladder/window.ts";
import type { Window } from "#core/ladder/window.ts";
import type { ErrorBody } from "#core/resources/common.ts";
import {
  AdminEventSchema,
  EventChangeSchema,
  EventScheduleSchema,
  OpponentsSchema,
  SubmissionSchema,
} from "#core/resources/event.ts";
import type { AdminEvent, EventChange } from "#core/resources/event.ts";
import type { AuditKind } from "#core/words/audit.ts";
import type { EventStep } from "#data/store/event.ts";
import { CLOSED, credentials, operatorHooks } from "#web/admin/operator.ts";
import { admitted } from "#web/auth/auth.ts";
import type { Caller } from "#web/auth/people.ts";
import type { App } from "#web/http/deps.ts";
import { missing, refuse, refuseWith } from "#web/http/errors.ts";
import { answers } from "#web/http/query.ts";
import type { LadderDeps } from "#web/ladders/door.ts";

import { EventParams, noteOf, written } from "./event-parts.ts";
import { adminEvent, around, ladderOfEvent } from "./event-view.ts";
import {
  changeFaults,
  faultText,
  flagFaults,
  instantFaults,
  readSubmissionUrl,
  windowOf,
} from "./new-event.ts";
import type { EventFault } from "./new-event.ts";

export function eventChangeRoutes(app: App, deps: LadderDeps): void {
  definitionRoute(app, deps);
  opponentsRoute(app, deps);
  scheduleRoute(app, deps);
  submissionRoute(app, deps);
  settingsRoute(app, deps);
}

const response = answers(AdminEventSchema);

function definitionRoute(app: App, deps: LadderDeps): void {
  const schema = { params: EventParams, body: EventChangeSchema, response };
  const config = {
    endpoint: "admin_event",
    about: "Changes an event's texts, time zone, flag mode, and until it opens its conditions",
    credentials,
    refuses: [400, 404, "window_started", "event_not_ready"] as const,
  };
  const options = { schema, config, ...operatorHooks(deps) };
  app.put("/api/admin/events/:event", options, async ({ params, body, caller }, reply) => {
    const [wrong] = changeFaults(body);
    if (wrong !== undefined) return refuseWith(reply, 400, faultText(wrong));
    return changing(deps, reply, params.event, (event) => {
      const [fault] = faultsOf(deps, event, body);
      if (fault !== undefined) return refuseWith(reply, 400, faultText(fault));
      if (isFrozen(deps, event, body)) return refuse(reply, "window_started");
      const step = stepOf(body);
      const lost = flagsLost(deps, event, step);
      if (lost.length > 0) return refuse(reply, "event_not_ready", notReady(lost.map(noFlagOf)));
      return apply(deps, caller, event, step);
    });
  });
}

function stepOf({ conditions, flag_mode, ...plain }: EventChange): EventStep {
  return {
    ...plain,
    ...(flag_mode !== undefined && { flagMode: flag_mode }),
    ...(conditions !== undefined && { achievements: conditions }),
  };
}

function faultsOf(
  deps: LadderDeps,
  event: EventDefinition,
  { conditions }: EventChange,
): EventFault[] {
  if (conditions === undefined) return [];
  const faults = mapFaults(conditions, ladderOfEvent(deps, event));
  return [...faults, ...flagFaults(event.id, conditions, deps.events.all())];
}

/** Achievements of an enabled event whose flags are nowhere after a step, and were before. */
function flagsLost({ flags }: LadderDeps, event: EventDefinition, step: EventStep): string[] {
  if (!event.enabled) return [];
  const before = new Set(missingFlags(flags, event));
  return missingFlags(flags, { ...event, ...step }).filter((id) => !before.has(id));
}

const notReady = (missed: readonly string[]) => `The event is not ready: ${missed.join("; ")}.`;

/** Conditions stay as they are from the opening on. */
function isFrozen({ clock }: LadderDeps, event: EventDefinition, { conditions }: EventChange) {
  const isOther =
    conditions !== undefined && JSON.stringify(conditions) !== JSON.stringify(event.achievements);
  return isOther && eventPhase(event, clock().toISOString()) !== "upcoming";
}

function opponentsRoute(app: App, deps: LadderDeps): void {
  const schema = { params: EventParams, body: OpponentsSchema, response };
  const about = "Approves versions of house bots for an event, in place of those before";
  const refuses = [400, 404] as const;
  const config = { endpoint: "admin_event_opponents", about, credentials, refuses };
  const options = { schema, config, ...operatorHooks(deps) };
  app.put(
    "/api/admin/events/:event/opponents",
    options,
    async ({ params, body, caller }, reply) => {
      const [fault] = approvedFaults(body);
      if (fault !== undefined) return refuseWith(reply, 400, faultText(fault));
      return changing(deps, reply, params.event, (event) =>
        apply(deps, caller, event, { approved: body.approved }),
      );
    },
  );
}

function scheduleRoute(app: App, deps: LadderDeps): void {
  const schema = { params: EventParams, body: EventScheduleSchema, response };
  const config = {
    endpoint: "admin_event_schedule",
    about: "Sets when an event opens and closes, within the window of its ladder",
    credentials,
    refuses: [
      ...([400, 404, "window_closed", "window_started"] as const),
      ...(["invalid_window", "window_past"] as const),
    ],
  };
  const options = { schema, config, ...operatorHooks(deps) };
  const url = "/api/admin/events/:event/schedule";
  app.put(url, options, async ({ params, body, caller }, reply) => {
    const [fault] = instantFaults(body);
    const window = windowOf(body);
    if (fault !== undefined) return refuseWith(reply, 400, faultText(fault));
    return changing(deps, reply, params.event, (event) => {
      if (window === null) return event;
      const ladder = ladderOfEvent(deps, event);
      const now = deps.clock().toISOString();
      const fits = ({ opensAt, closesAt }: Window) =>
        opensAt !== null && closesAt !== null && fitsLadder({ opensAt, closesAt }, ladder);
      const refused = windowRefusal(event, window, now, fits);
      return refused === null ? apply(deps, caller, event, window) : refuse(reply, refused);
    });
  });
}

function submissionRoute(app: App, deps: LadderDeps): void {
  const schema = { params: EventParams, body: SubmissionSchema, response };
  const about = "Sets where and how people hand something in";
  const config = {
    endpoint: "admin_event_submission",
    about,
    credentials,
    refuses: [400, 404] as const,
    fieldTexts: { submission_url: HTTPS_ONLY },
  };
  const options = { schema, config, ...operatorHooks(deps) };
  const url = "/api/admin/events/:event/submission";
  app.put(url, options, ({ params, body, caller }, reply) => {
    const outcome = readSubmissionUrl(body.submission_url);
    if (!("url" in outcome)) return refuseWith(reply, 400, faultText(outcome));
    const step = {
      submissionUrl: outcome.url,
      submissionInstructions: body.submission_instructions,
    };
    return changing(deps, reply, params.event, (event) => apply(deps, caller, event, step));
  });
}

/** Told of an address that people are not to be sent to. */
export const HTTPS_ONLY =
  "The field 'submission_url' of the body must be an https address, or null.";

function settingsRoute(app: App, deps: LadderDeps): void {
  const body = Type.Object({ enabled: Type.Boolean() }, CLOSED);
  const schema = { params: EventParams, body, response };
  const config = {
    endpoint: "admin_event_settings",
    about: "Enables an event that has all that it needs, or disables it",
    credentials,
    refuses: [404, "event_not_ready"] as const,
  };
  const options = { schema, config, ...operatorHooks(deps) };
  const url = "/api/admin/events/:event/settings";
  app.put(url, options, ({ params, body: { enabled }, caller }, reply) =>
    changing(deps, reply, params.event, (event) => {
      if (event.enabled === enabled) return event;
      const missed = enabled ? lacks(event, around(deps, event)) : [];
      if (missed.length > 0) return refuse(reply, "event_not_ready", notReady(missed));
      const kind = enabled ? "event.enabled" : "event.disabled";
      return apply(deps, caller, event, { enabled }, kind);
    }),
  );
}

type Outcome = EventDefinition | ErrorBody;

/** Decides about an event as it is when its turn comes. */
export async function changing(
  deps: LadderDeps,
  reply: FastifyReply,
  id: string,
  change: (event: EventDefinition) => Promise<Outcome> | Outcome,
): Promise<AdminEvent | ErrorBody> {
  const outcome = await deps.door.inTurn(async () => {
    const event = deps.events.byId(id);
    return event === null ? missing(reply, "event") : change(event);
  });
  return "error" in outcome ? outcome : adminEvent(deps, outcome);
}

/** Writes what differs; every such change counts. */
export async function apply(
  deps: LadderDeps,
  caller: Caller | null,
  event: EventDefinition,
  step: EventStep,
  kind: AuditKind = "event.changed",
): Promise<EventDefinition> {
  const known: Record<string, unknown> = event;
  const moved = Object.entries(step).filter(
    ([name, to]) => JSON.stringify(known[name]) !== JSON.stringify(to),
  );
  if (moved.length === 0) return event;
  const detail = Object.fromEntries(
    moved.map(([name, to]) => [name, { from: known[name], to }] as const),
  );
  const note = noteOf(deps, admitted(caller), kind, event, { detail });
  const to = Object.fromEntries(moved);
  const changed = await written(deps, () => deps.store.events.change(event.id, to, note));
  if (changed === null) return event;
  deps.events.put(changed);
  deps.awards.changed(changed.id);
  return changed;
}
