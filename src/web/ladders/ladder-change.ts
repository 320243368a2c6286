// Operators change ladders: their windows, settings, maps and house bots.

import type { FastifyReply } from "fastify";

import { mapFaults } from "#core/events/definition.ts";
import { eventPhase } from "#core/events/event.ts";
import type { EventDefinition } from "#core/events/event.ts";
import { DEFAULT_LADDER, PUBLIC } from "#core/ladder/ladder.ts";
import type { LadderDefinition } from "#core/ladder/ladder.ts";
import { settingsRefusal } from "#core/ladder/settings-change.ts";
import type { SettingsChange } from "#core/ladder/settings-change.ts";
import { isWithin, windowRefusal } from "#core/ladder/window.ts";
import type { Window } from "#core/ladder/window.ts";
import {
  LadderDetailSchema,
  LadderPlaySchema,
  LadderScheduleSchema,
  LadderSettingsSchema,
} from "#core/resources/admin-ladder.ts";
import type { LadderDetail } from "#core/resources/admin-ladder.ts";
import type { ErrorBody } from "#core/resources/common.ts";
import type { LadderChange, LadderRecord } from "#data/store/ladder.ts";
import { credentials, operatorHooks } from "#web/admin/operator.ts";
import { admitted } from "#web/auth/auth.ts";
import type { Caller } from "#web/auth/people.ts";
import type { App } from "#web/http/deps.ts";
import { missing, refuse, refuseWith } from "#web/http/errors.ts";
import { answers } from "#web/http/query.ts";

import type { LadderDeps } from "./door.ts";
import { ladderDetail } from "./ladder-detail.ts";
import { hashed, LadderParams, noteOf, refuseBusy, written } from "./ladder-parts.ts";
import {
  faultText,
  instantFaults,
  PASSWORD_PROBLEMS,
  passwordProblem,
  windowOf,
} from "./new-ladder.ts";

export function changeRoutes(app: App, deps: LadderDeps): void {
  playRoute(app, deps);
  scheduleRoute(app, deps);
  settingsRoute(app, deps);
}

function playRoute(app: App, deps: LadderDeps): void {
  const schema = {
    params: LadderParams,
    body: LadderPlaySchema,
    response: answers(LadderDetailSchema),
  };
  const about = "Sets a ladder's maps and house bots, from the next wave on";
  const refuses = [400, 404] as const;
  const config = { endpoint: "admin_ladder_play", about, credentials, refuses };
  const options = { schema, config, ...operatorHooks(deps) };
  app.put("/api/admin/ladders/:id", options, ({ params, body, caller }, reply) =>
    changing(deps, reply, params.id, (ladder) => {
      const needy = body.maps && eventThatNeedsMore(deps, ladder, body.maps);
      if (needy !== undefined) return refuseWith(reply, 400, tooFewMaps(needy.id));
      return apply(deps, caller, ladder, body);
    }),
  );
}

/** An event that is not over, and whose achievements nobody could earn on these maps. */
function eventThatNeedsMore(
  { events, clock }: LadderDeps,
  { id }: LadderDefinition,
  maps: LadderDefinition["maps"],
) {
  const now = clock().toISOString();
  const isDue = (event: EventDefinition) => eventPhase(event, now) !== "closed";
  return events
    .onLadder(id)
    .find((event) => isDue(event) && mapFaults(event.achievements, { maps }).length > 0);
}

const tooFewMaps = (id: string) =>
  `The event '${id}' has an achievement that needs more maps than these.`;

function scheduleRoute(app: App, deps: LadderDeps): void {
  const schema = {
    params: LadderParams,
    body: LadderScheduleSchema,
    response: answers(LadderDetailSchema),
  };
  const config = {
    endpoint: "admin_ladder_schedule",
    about: "Sets when a ladder opens and closes",
    credentials,
    refuses: [
      ...([400, 404, "invalid_ladder", "window_closed"] as const),
      ...(["window_started", "invalid_window", "window_past"] as const),
    ],
  };
  const options = { schema, config, ...operatorHooks(deps) };
  const url = "/api/admin/ladders/:id/schedule";
  app.put(url, options, async ({ params, body, caller }, reply) => {
    const [fault] = instantFaults(body);
    if (fault !== undefined) return refuseWith(reply, 400, faultText(fault));
    const window = windowOf(body);
    return changing(deps, reply, params.id, (ladder) => {
      if (ladder.id === DEFAULT_LADDER) return refuse(reply, "invalid_ladder");
      const now = deps.clock().toISOString();
      const refused = windowRefusal(ladder, window, now, (to) => holdsEvents(deps, ladder, to));
      return refused === null ? apply(deps, caller, ladder, window) : refuse(reply, refused);
    });
  });
}

/** Whether the events of a ladder lie within a window. */
const holdsEvents = ({ events }: LadderDeps, { id }: LadderDefinition, window: Window): boolean =>
  events.onLadder(id).every((event) => isWithin(event, window));

function settingsRoute(app: App, deps: LadderDeps): void {
  const schema = {
    params: LadderParams,
    body: LadderSettingsSchema,
    response: answers(LadderDetailSchema),
  };
  const config = {
    endpoint: "admin_ladder_settings",
    about: "Changes a ladder's name, description, access, password, and whether it is on",
    credentials,
    refuses: [400, 404, "invalid_ladder", "rate_limited"] as const,
  };
  const options = { schema, config, ...operatorHooks(deps) };
  const url = "/api/admin/ladders/:id/settings";
  app.put(url, options, async ({ params, body, caller }, reply) => {
    const { password, ...plain } = body;
    const problem = typeof password === "string" ? passwordProblem(password) : null;
    if (problem !== null) return refuseField(reply, "password", problem);
    if (deps.ladders.byId(params.id) === null) return missing(reply, "ladder");
    const hash =
      typeof password === "string" ? await hashed(deps, admitted(caller), password) : null;
    if (hash === "busy") return refuseBusy(reply);
    return changing(deps, reply, params.id, (ladder) => {
      const refused = settingsRefusal(ladder, body);
      if (refused === "invalid_ladder") return refuse(reply, refused);
      if (refused !== null) return refuseField(reply, "password", PASSWORD_PROBLEMS[refused]);
      return apply(deps, caller, ladder, { ...plain, ...lockOf(ladder, body, hash) });
    });
  });
}

const refuseField = (reply: FastifyReply, field: string, problem: string) =>
  refuseWith(reply, 400, faultText({ field, problem }));

/** A password goes with the access that asks for it. */
function lockOf(
  { access: before }: LadderDefinition,
  { access = before }: SettingsChange,
  hash: string | null,
): Pick<LadderChange, "passwordHash"> {
  if (hash !== null) return { passwordHash: hash };
  return access !== "password" && before === "password" ? { passwordHash: null } : {};
}

type Outcome = LadderDefinition | ErrorBody;

/** Decides about a ladder as it is when its turn comes. */
async function changing(
  deps: LadderDeps,
  reply: FastifyReply,
  id: string,
  change: (ladder: LadderDefinition) => Promise<Outcome> | Outcome,
): Promise<LadderDetail | ErrorBody> {
  const outcome = await deps.door.inTurn(async () => {
    const ladder = deps.ladders.byId(id);
    return ladder === null ? missing(reply, "ladder") : change(ladder);
  });
  return "error" in outcome ? outcome : ladderDetail(deps, outcome);
}

/** Writes what differs. */
async function apply(
  deps: LadderDeps,
  caller: Caller | null,
  ladder: LadderDefinition,
  change: LadderChange,
): Promise<LadderDefinition> {
  const { passwordHash, ...plain } = change;
  const known: Record<string, unknown> = ladder;
  const moved = Object.entries(plain).filter(
    ([name, to]) => JSON.stringify(known[name]) !== JSON.stringify(to),
  );
  const isLocked = passwordHash === undefined ? {} : { password_set: passwordHash !== null };
  if (moved.length === 0 && passwordHash === undefined) return ladder;
  const fields = moved.map(([name, to]) => [name, { from: known[name], to }] as const);
  const detail = { ...Object.fromEntries(fields), ...isLocked };
  const note = noteOf(deps, admitted(caller), "ladder.changed", ladder, { detail });
  const changed = await written(deps, ladder, () => write(deps, ladder, change, note));
  deps.ladders.put(changed);
  deps.arena.laddersChanged();
  return deps.ladders.byId(ladder.id) ?? changed;
}

/** Public is stored from its first change on. */
async function write(
  { store }: LadderDeps,
  ladder: LadderDefinition,
  change: LadderChange,
  note: Parameters<typeof store.ladders.change>[2],
): Promise<LadderDefinition> {
  const changed: LadderRecord | null = await store.ladders.change(ladder.id, change, note);
  if (changed !== null) return changed;
  const whole = { ...PUBLIC, ...change };
  await store.ladders.add(whole, null, note);
  return whole;
}
