// Operators list events, make them, and delete those in which nothing was earned.

import { Type } from "typebox";

import type { EventDefinition } from "#core/events/event.ts";
import { AdminEventSchema, DeletedEventSchema, NewEventSchema } from "#core/resources/event.ts";
import type { AuditEntry } from "#data/store/audit.ts";
import { credentials, mayHaveReason, operatorHooks } from "#web/admin/operator.ts";
import { admitted } from "#web/auth/auth.ts";
import type { App } from "#web/http/deps.ts";
import { missing, refusals, refuse, refuseWith } from "#web/http/errors.ts";
import { answers } from "#web/http/query.ts";
import type { LadderDeps } from "#web/ladders/door.ts";

import { awardRoutes } from "./event-award.ts";
import { eventChangeRoutes, HTTPS_ONLY } from "./event-change.ts";
import { eventImageRoutes } from "./event-image.ts";
import { EventParams, noteOf, sweepImages, written } from "./event-parts.ts";
import { adminEvent } from "./event-view.ts";
import { bodyFaults, definitionOf, eventFaults, faultText } from "./new-event.ts";

export function adminEventRoutes(app: App, deps: LadderDeps): void {
  listRoute(app, deps);
  creationRoute(app, deps);
  deletionRoute(app, deps);
  eventChangeRoutes(app, deps);
  eventImageRoutes(app, deps);
  awardRoutes(app, deps);
}

function listRoute(app: App, deps: LadderDeps): void {
  const schema = { response: answers(Type.Array(AdminEventSchema)) };
  const about = "All events, with what they lack and how many take part";
  const config = { endpoint: "admin_events", about, credentials };
  app.get("/api/admin/events", { schema, config, ...operatorHooks(deps) }, () =>
    Promise.all(deps.events.all().map((event) => adminEvent(deps, event))),
  );
}

function creationRoute(app: App, deps: LadderDeps): void {
  const schema = { body: NewEventSchema, response: { 201: AdminEventSchema, ...refusals } };
  const config = {
    endpoint: "admin_event_creation",
    about: "Makes an event, which begins disabled",
    credentials,
    refuses: [400, 404, "invalid_window", "event_exists"] as const,
    fieldTexts: { submission_url: HTTPS_ONLY },
  };
  const options = { schema, config, ...operatorHooks(deps) };
  app.post("/api/admin/events", options, async ({ body, caller }, reply) => {
    const [wrong] = bodyFaults(body);
    if (wrong !== undefined) return refuseWith(reply, 400, faultText(wrong));
    const ladder = deps.ladders.byId(body.ladder_id);
    if (ladder === null) return missing(reply, "ladder");
    if (deps.events.byId(body.id) !== null) return refuse(reply, "event_exists");
    const event = definitionOf(body);
    const note = noteOf(deps, admitted(caller), "event.created", event, { detail: { ...body } });
    const outcome = await deps.door.inTurn(async () => {
      const present = deps.ladders.byId(ladder.id);
      if (present === null) return "no_ladder";
      const [fault] = eventFaults(body, present, deps.events.all());
      return fault ?? add(deps, event, note);
    });
    if (typeof outcome === "object")
      return outcome.code === undefined
        ? refuseWith(reply, 400, faultText(outcome))
        : refuse(reply, outcome.code);
    if (outcome === "no_ladder") return missing(reply, "ladder");
    if (outcome === "event_exists") return refuse(reply, outcome);
    reply.code(201);
    return adminEvent(deps, event);
  });
}

async function add(deps: LadderDeps, event: EventDefinition, note: AuditEntry) {
  const { store, events } = deps;
  const outcome = await written(deps, () => store.events.add(event, note));
  if (outcome === "added") events.put(event);
  return outcome;
}

function deletionRoute(app: App, deps: LadderDeps): void {
  const schema = {
    params: EventParams,
    querystring: Type.Object(mayHaveReason),
    response: answers(DeletedEventSchema),
  };
  const config = {
    endpoint: "admin_event_deletion",
    about: "Deletes an event in which nothing was earned",
    credentials,
    refuses: [404, "event_has_awards"] as const,
  };
  const options = { schema, config, ...operatorHooks(deps) };
  app.delete("/api/admin/events/:event", options, async ({ params, query, caller }, reply) => {
    const event = deps.events.byId(params.event);
    if (event === null) return missing(reply, "event");
    const { reason = null } = query;
    const note = noteOf(deps, admitted(caller), "event.deleted", event, { reason });
    const outcome = await deps.door.inTurn(async () => {
      const done = await written(deps, () => deps.store.events.delete(event.id, note));
      if (done !== "event_has_awards") deps.events.drop(event.id);
      return done;
    });
    if (outcome === "event_has_awards") return refuse(reply, outcome);
    sweepImages(deps);
    return outcome === null ? missing(reply, "event") : { deleted: event.id };
  });
}
