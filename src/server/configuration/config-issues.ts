import type { ConfiguredLadder } from "#core/api/admin-ladder.ts";
import { ConfigSchema } from "#core/api/config-file.ts";
import type { NewEvent } from "#core/api/event.ts";
import type { EventDefinition } from "#core/events/event.ts";
import { PUBLIC_LADDER } from "#core/ladder/ladder.ts";
import type { LadderDefinition } from "#core/ladder/ladder.ts";
import { validationIssues, fieldPath } from "#core/protocol/validation-issues.ts";
import type { ValidationIssue } from "#core/protocol/validation-issues.ts";
import { eventErrors, toEventDefinition as eventOf } from "#web/events/event-input.ts";
import { toLadderDefinition, ladderErrors } from "#web/ladders/ladder-input.ts";

type Environment = Readonly<Record<string, string | undefined>>;
type Fields = Record<string, unknown>;

/** Invalid fields are replaced by placeholders in `body`. */
type ConfigEntry<T> = { location: string; shapeIssues: readonly ValidationIssue[]; body: T };

/**
 * Returns all issues, grouped by entry, with schema issues before semantic issues. Each issue
 * contains its path in the file.
 */
export function configIssues(value: unknown, environment: Environment): ValidationIssue[] {
  if (Array.isArray(value) || typeof value !== "object" || value === null)
    return [{ path: "", problem: 'is not a JSON object {"ladders": [...], "events": [...]}' }];
  const shapeIssues = validationIssues(ConfigSchema, value);
  const file: Fields = { ladders: [], events: [], ...value };
  const ladders = entriesOf(shapeIssues, "ladders", file["ladders"], ladderWithStandIns);
  const events = entriesOf(shapeIssues, "events", file["events"], eventWithStandIns);
  const entries = [...ladders, ...events].flatMap((entry) => entry.shapeIssues);
  const laddersById = new Map(ladders.map(({ body }) => [body.id, toLadderDefinition(body)]));
  laddersById.set(PUBLIC_LADDER.id, PUBLIC_LADDER);
  return [
    ...shapeIssues.filter((issue) => !entries.includes(issue)),
    ...ladders.flatMap((entry, at) =>
      issuesOfEntry(entry, [
        ...ladderIdIssues(ladders, at),
        ...ladderIssues(entry.body, environment),
      ]),
    ),
    ...events.flatMap((entry, at) => {
      const ladder = laddersById.get(entry.body.ladder_id);
      const earlierEvents = events.slice(0, at).map(({ body }) => eventOf(body));
      const isKnown = ladder !== undefined || !Array.isArray(file["ladders"]);
      return issuesOfEntry(entry, [
        ...idIssues(events, at),
        ...(isKnown ? [] : [{ path: "ladder_id", problem: UNKNOWN_LADDER }]),
        ...eventErrors(entry.body, ladder ?? PUBLIC_LADDER, earlierEvents),
      ]);
    }),
  ];
}

const UNKNOWN_LADDER = "must be public or a ladder in this file";

const isWithin = (path: string, location: string): boolean =>
  path === location || [".", "["].some((mark) => path.startsWith(location + mark));

function entriesOf<T>(
  faults: readonly ValidationIssue[],
  name: string,
  list: unknown,
  fillStandIns: (issues: readonly ValidationIssue[], value: unknown, location: string) => T,
): ConfigEntry<T>[] {
  if (!Array.isArray(list)) return [];
  return list.map((value: unknown, at) => {
    const location = `${name}[${at}]`;
    const shapeIssues = faults.filter(({ path }) => isWithin(path, location));
    return { location, shapeIssues, body: fillStandIns(shapeIssues, value, location) };
  });
}

function validFields(issues: readonly ValidationIssue[], value: unknown, location: string): Fields {
  if (typeof value !== "object" || value === null) return {};
  const isValid = (name: string) =>
    !issues.some(({ path }) => isWithin(path, fieldPath(location, name)));
  return Object.fromEntries(Object.entries(value).filter(([name]) => isValid(name)));
}

/** Placeholders for invalid parts. They cause no further issues. */
const STAND_IN = {
  ladder: { id: "", name: "" },
  event: { id: "", ladder_id: PUBLIC_LADDER.id, name: "", opens_at: "", closes_at: "" },
  /** Doesn't require a password, but a password that is set is still checked. */
  access: "password",
  achievement: (at: number) => ({ id: `#${at}`, name: "", description: "" }),
  condition: { kind: "games", count: 1 },
};

function ladderWithStandIns(issues: readonly ValidationIssue[], value: unknown, location: string) {
  const valid = validFields(issues, value, location);
  const hasAccess = !issues.some(({ path }) => path === fieldPath(location, "access"));
  const access = hasAccess ? {} : { access: STAND_IN.access };
  return { ...STAND_IN.ladder, ...valid, ...access } as ConfiguredLadder;
}

function eventWithStandIns(issues: readonly ValidationIssue[], value: unknown, location: string) {
  const { conditions, approved } = Object(value) as Fields;
  const valid = (part: unknown, name: string) =>
    validFields(issues, part, fieldPath(location, name));
  const achievements = (Array.isArray(conditions) ? conditions : []).map((part: unknown, at) => {
    const { condition } = Object(part) as Fields;
    const name = `conditions[${at}]`;
    return {
      ...STAND_IN.achievement(at),
      ...valid(part, name),
      condition: { ...STAND_IN.condition, ...valid(condition, `${name}.condition`) },
    };
  });
  return {
    ...STAND_IN.event,
    ...validFields(issues, value, location),
    conditions: achievements,
    approved: valid(approved, "approved"),
  } as NewEvent;
}

/** Reports each path only once. A schema issue takes precedence over a semantic issue. */
function issuesOfEntry(
  { location, shapeIssues }: ConfigEntry<unknown>,
  meaningIssues: readonly ValidationIssue[],
): ValidationIssue[] {
  const reportedPaths = shapeIssues.map(({ path }) => path);
  if (reportedPaths.includes(location)) return [...shapeIssues];
  return [
    ...shapeIssues,
    ...prefixIssues(location, meaningIssues).filter(({ path }) => !reportedPaths.includes(path)),
  ];
}

const prefixIssues = (location: string, issues: readonly ValidationIssue[]): ValidationIssue[] =>
  issues.map(({ path, problem }) => ({ path: fieldPath(location, path), problem }));

function idIssues(entries: readonly ConfigEntry<{ id: string }>[], at: number): ValidationIssue[] {
  const id = entries[at]?.body.id;
  const isTaken = entries.slice(0, at).some(({ body }) => body.id === id);
  return isTaken ? [{ path: "id", problem: "is already used by an earlier entry" }] : [];
}

function ladderIdIssues(
  entries: readonly ConfigEntry<{ id: string }>[],
  at: number,
): ValidationIssue[] {
  if (entries[at]?.body.id !== PUBLIC_LADDER.id) return idIssues(entries, at);
  return [{ path: "id", problem: "is reserved for the built-in ladder" }];
}

function ladderIssues(ladder: ConfiguredLadder, environment: Environment): ValidationIssue[] {
  const { password_env: variable, ...body } = ladder;
  const password = variable === undefined ? undefined : environment[variable];
  const isUnset = variable !== undefined && password === undefined;
  const unsetIssue = {
    path: "password_env",
    problem: `names the variable ${variable}, which is not set`,
  };
  const issues = ladderErrors(body, password, { mayLackPassword: true });
  return [
    ...(isUnset ? [unsetIssue] : []),
    ...issues.map(({ field, problem }) => ({
      path: field === "password" ? "password_env" : field,
      problem: field === "password" ? `names a password that ${problem}` : problem,
    })),
  ];
}

/** Returns the issues that prevent adding events to a database with these ladders and events. */
export function storedIssues(
  events: readonly NewEvent[],
  ladders: readonly LadderDefinition[],
  storedEvents: readonly EventDefinition[],
): ValidationIssue[] {
  const laddersById = new Map([PUBLIC_LADDER, ...ladders].map((ladder) => [ladder.id, ladder]));
  return events.flatMap((event, at) => {
    if (storedEvents.some(({ id }) => id === event.id)) return [];
    return prefixIssues(
      `events[${at}]`,
      eventErrors(event, laddersById.get(event.ladder_id) ?? PUBLIC_LADDER, storedEvents),
    );
  });
}
