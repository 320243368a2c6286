import { Type } from "typebox";

import { AdminEventSchema, DeletedEventSchema, NewEventSchema } from "#core/api/event.ts";
import type { EventDefinition } from "#core/events/event.ts";
import type { AuditEntry } from "#data/store/audit.ts";
import { credentials, optionalReason, operatorHooks } from "#web/admin/admin-route.ts";
import { assertAuthenticated } from "#web/auth/auth-hooks.ts";
import type { App } from "#web/http/deps.ts";
import {
  refuseNotFound,
  errorResponses,
  refuseWithCode,
  refuseWithStatus,
} from "#web/http/errors.ts";
import { okResponses } from "#web/http/route-params.ts";
import type { LadderDeps } from "#web/ladders/ladder-mutex.ts";

import { awardRoutes } from "./event-award.ts";
import { eventChangeRoutes, HTTPS_ONLY } from "./event-change.ts";
import { eventImageRoutes } from "./event-image.ts";
import { newEventErrors, toEventDefinition, eventErrors, eventErrorText } from "./event-input.ts";
import { EventParams, eventAuditEntry, sweepImages, writeEvent } from "./event-route-helpers.ts";
import { adminEvent } from "./event-view.ts";

export function adminEventRoutes(app: App, deps: LadderDeps): void {
  listRoute(app, deps);
  creationRoute(app, deps);
  deletionRoute(app, deps);
  eventChangeRoutes(app, deps);
  eventImageRoutes(app, deps);
  awardRoutes(app, deps);
}

function listRoute(app: App, deps: LadderDeps): void {
  const schema = { response: okResponses(Type.Array(AdminEventSchema)) };
  const summary = "All events, with missing requirements and participant counts";
  const config = { endpoint: "admin_events", summary, credentials };
  app.get("/api/admin/events", { schema, config, ...operatorHooks(deps) }, () =>
    Promise.all(deps.events.list().map((event) => adminEvent(deps, event))),
  );
}

function creationRoute(app: App, deps: LadderDeps): void {
  const schema = { body: NewEventSchema, response: { 201: AdminEventSchema, ...errorResponses } };
  const config = {
    endpoint: "admin_event_creation",
    summary: "Creates an event, initially disabled",
    credentials,
    errorCodes: [400, 404, "invalid_window", "event_exists"] as const,
    fieldTexts: { submission_url: HTTPS_ONLY },
  };
  const options = { schema, config, ...operatorHooks(deps) };
  app.post("/api/admin/events", options, async ({ body, caller }, reply) => {
    const [fieldError] = newEventErrors(body);
    if (fieldError !== undefined) return refuseWithStatus(reply, 400, eventErrorText(fieldError));
    const ladder = deps.ladders.byId(body.ladder_id);
    if (ladder === null) return refuseNotFound(reply, "ladder");
    if (deps.events.byId(body.id) !== null) return refuseWithCode(reply, "event_exists");
    const event = toEventDefinition(body);
    const auditEntry = eventAuditEntry(deps, assertAuthenticated(caller), "event.created", event, {
      detail: { ...body },
    });
    const outcome = await deps.mutex.run(async () => {
      const currentLadder = deps.ladders.byId(ladder.id);
      if (currentLadder === null) return "no_ladder";
      const [error] = eventErrors(body, currentLadder, deps.events.list());
      return error ?? addEvent(deps, event, auditEntry);
    });
    if (typeof outcome === "object")
      return outcome.code === undefined
        ? refuseWithStatus(reply, 400, eventErrorText(outcome))
        : refuseWithCode(reply, outcome.code);
    if (outcome === "no_ladder") return refuseNotFound(reply, "ladder");
    if (outcome === "event_exists") return refuseWithCode(reply, outcome);
    reply.code(201);
    return adminEvent(deps, event);
  });
}

async function addEvent(deps: LadderDeps, event: EventDefinition, auditEntry: AuditEntry) {
  const { store, events } = deps;
  const outcome = await writeEvent(deps, () => store.events.add(event, auditEntry));
  if (outcome === "added") events.upsert(event);
  return outcome;
}

function deletionRoute(app: App, deps: LadderDeps): void {
  const schema = {
    params: EventParams,
    querystring: Type.Object(optionalReason),
    response: okResponses(DeletedEventSchema),
  };
  const config = {
    endpoint: "admin_event_deletion",
    summary: "Deletes an event without any awards",
    credentials,
    errorCodes: [404, "event_has_awards"] as const,
  };
  const options = { schema, config, ...operatorHooks(deps) };
  app.delete("/api/admin/events/:event", options, async ({ params, query, caller }, reply) => {
    const event = deps.events.byId(params.event);
    if (event === null) return refuseNotFound(reply, "event");
    const { reason = null } = query;
    const auditEntry = eventAuditEntry(deps, assertAuthenticated(caller), "event.deleted", event, {
      reason,
    });
    const outcome = await deps.mutex.run(async () => {
      const result = await writeEvent(deps, () => deps.store.events.delete(event.id, auditEntry));
      if (result !== "event_has_awards") deps.events.remove(event.id);
      return result;
    });
    if (outcome === "event_has_awards") return refuseWithCode(reply, outcome);
    sweepImages(deps);
    return outcome === null ? refuseNotFound(reply, "event") : { deleted: event.id };
  });
}
