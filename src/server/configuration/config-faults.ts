// What is wrong with a configuration file, each fault under its place in the file.

import type { EventDefinition } from "#core/events/event.ts";
import { PUBLIC } from "#core/ladder/ladder.ts";
import type { LadderDefinition } from "#core/ladder/ladder.ts";
import { faultsIn, fieldAt } from "#core/protocol/faults.ts";
import type { PlacedFault } from "#core/protocol/faults.ts";
import type { ConfiguredLadder } from "#core/resources/admin-ladder.ts";
import { ConfigSchema } from "#core/resources/config.ts";
import type { NewEvent } from "#core/resources/event.ts";
import { eventFaults, definitionOf as eventOf } from "#web/events/new-event.ts";
import { definitionOf, ladderFaults } from "#web/ladders/new-ladder.ts";

type Environment = Readonly<Record<string, string | undefined>>;
type Fields = Record<string, unknown>;

/** In the body stand-ins are in place of what does not have its shape. */
type Entry<T> = { place: string; shape: readonly PlacedFault[]; body: T };

/** All faults, entry by entry: those of its shape, then those of what the rest of it means. */
export function configFaults(value: unknown, environment: Environment): PlacedFault[] {
  if (Array.isArray(value) || typeof value !== "object" || value === null)
    return [{ path: "", problem: 'is no JSON object {"ladders": [...], "events": [...]}' }];
  const shape = faultsIn(ConfigSchema, value);
  const file: Fields = { ladders: [], events: [], ...value };
  const ladders = entriesOf(shape, "ladders", file["ladders"], soundLadder);
  const events = entriesOf(shape, "events", file["events"], soundEvent);
  const entries = [...ladders, ...events].flatMap((entry) => entry.shape);
  const known = new Map(ladders.map(({ body }) => [body.id, definitionOf(body)]));
  known.set(PUBLIC.id, PUBLIC);
  return [
    ...shape.filter((fault) => !entries.includes(fault)),
    ...ladders.flatMap((entry, at) =>
      allOf(entry, [...ladderIdFaults(ladders, at), ...ofLadder(entry.body, environment)]),
    ),
    ...events.flatMap((entry, at) => {
      const ladder = known.get(entry.body.ladder_id);
      const earlier = events.slice(0, at).map(({ body }) => eventOf(body));
      const isKnown = ladder !== undefined || !Array.isArray(file["ladders"]);
      return allOf(entry, [
        ...idFaults(events, at),
        ...(isKnown ? [] : [{ path: "ladder_id", problem: NO_LADDER }]),
        ...eventFaults(entry.body, ladder ?? PUBLIC, earlier),
      ]);
    }),
  ];
}

const NO_LADDER = "is neither public nor a ladder of this file";

const isAt = (path: string, place: string): boolean =>
  path === place || [".", "["].some((mark) => path.startsWith(place + mark));

function entriesOf<T>(
  faults: readonly PlacedFault[],
  name: string,
  list: unknown,
  soundOf: (faults: readonly PlacedFault[], value: unknown, place: string) => T,
): Entry<T>[] {
  if (!Array.isArray(list)) return [];
  return list.map((value: unknown, at) => {
    const place = `${name}[${at}]`;
    const shape = faults.filter(({ path }) => isAt(path, place));
    return { place, shape, body: soundOf(shape, value, place) };
  });
}

/** The fields of an object in which no fault is. */
function soundFields(faults: readonly PlacedFault[], value: unknown, place: string): Fields {
  if (typeof value !== "object" || value === null) return {};
  const isSound = (name: string) => !faults.some(({ path }) => isAt(path, fieldAt(place, name)));
  return Object.fromEntries(Object.entries(value).filter(([name]) => isSound(name)));
}

/** What a faulty part is taken for, so that nothing follows from it. */
const STAND_IN = {
  ladder: { id: "", name: "" },
  event: { id: "", ladder_id: PUBLIC.id, name: "", opens_at: "", closes_at: "" },
  /** Nobody asks it for a password, and one that it names may be looked at. */
  access: "password",
  achievement: (at: number) => ({ id: `#${at}`, name: "", description: "" }),
  condition: { kind: "games", count: 1 },
};

function soundLadder(faults: readonly PlacedFault[], value: unknown, place: string) {
  const sound = soundFields(faults, value, place);
  const hasAccess = !faults.some(({ path }) => path === fieldAt(place, "access"));
  const access = hasAccess ? {} : { access: STAND_IN.access };
  return { ...STAND_IN.ladder, ...sound, ...access } as ConfiguredLadder;
}

function soundEvent(faults: readonly PlacedFault[], value: unknown, place: string) {
  const { conditions, approved } = Object(value) as Fields;
  const sound = (part: unknown, name: string) => soundFields(faults, part, fieldAt(place, name));
  const achievements = (Array.isArray(conditions) ? conditions : []).map((one: unknown, at) => {
    const { condition } = Object(one) as Fields;
    const name = `conditions[${at}]`;
    return {
      ...STAND_IN.achievement(at),
      ...sound(one, name),
      condition: { ...STAND_IN.condition, ...sound(condition, `${name}.condition`) },
    };
  });
  return {
    ...STAND_IN.event,
    ...soundFields(faults, value, place),
    conditions: achievements,
    approved: sound(approved, "approved"),
  } as NewEvent;
}

/** A place is told once: what is wrong with its shape comes before what it means. */
function allOf({ place, shape }: Entry<unknown>, meaning: readonly PlacedFault[]): PlacedFault[] {
  const told = shape.map(({ path }) => path);
  if (told.includes(place)) return [...shape];
  return [...shape, ...under(place, meaning).filter(({ path }) => !told.includes(path))];
}

const under = (place: string, faults: readonly PlacedFault[]): PlacedFault[] =>
  faults.map(({ path, problem }) => ({ path: fieldAt(place, path), problem }));

function idFaults(entries: readonly Entry<{ id: string }>[], at: number): PlacedFault[] {
  const id = entries[at]?.body.id;
  const isTaken = entries.slice(0, at).some(({ body }) => body.id === id);
  return isTaken ? [{ path: "id", problem: "is that of an earlier entry" }] : [];
}

function ladderIdFaults(entries: readonly Entry<{ id: string }>[], at: number): PlacedFault[] {
  if (entries[at]?.body.id !== PUBLIC.id) return idFaults(entries, at);
  return [{ path: "id", problem: "is that of the ladder that is always there" }];
}

function ofLadder(ladder: ConfiguredLadder, environment: Environment): PlacedFault[] {
  const { password_env: variable, ...body } = ladder;
  const password = variable === undefined ? undefined : environment[variable];
  const isUnset = variable !== undefined && password === undefined;
  const unset = { path: "password_env", problem: `names ${variable}, which is not set` };
  const faults = ladderFaults(body, password, { mayLackPassword: true });
  return [
    ...(isUnset ? [unset] : []),
    ...faults.map(({ field, problem }) => ({
      path: field === "password" ? "password_env" : field,
      problem: field === "password" ? `names a password that ${problem}` : problem,
    })),
  ];
}

/** What keeps the events of a file that are new from a database with its ladders and events. */
export function storedFaults(
  events: readonly NewEvent[],
  ladders: readonly LadderDefinition[],
  stored: readonly EventDefinition[],
): PlacedFault[] {
  const known = new Map([PUBLIC, ...ladders].map((ladder) => [ladder.id, ladder]));
  return events.flatMap((event, at) => {
    if (stored.some(({ id }) => id === event.id)) return [];
    return under(`events[${at}]`, eventFaults(event, known.get(event.ladder_id) ?? PUBLIC, stored));
  });
}
