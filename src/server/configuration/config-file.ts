import { readFile } from "node:fs/promises";

import { invalidJsonText, parseJson } from "#base/util/parse-json.ts";
import type { ConfigBody } from "#core/api/config-file.ts";
import type { NewEvent } from "#core/api/event.ts";
import { SYSTEM_ACTOR } from "#core/ids/audit-kinds.ts";
import type { LadderDefinition } from "#core/ladder/ladder.ts";
import type { ValidationIssue } from "#core/protocol/validation-issues.ts";
import type { AuditEntry } from "#data/store/audit.ts";
import type { Store } from "#data/store/store.ts";
import { toEventDefinition as eventOf } from "#web/events/event-input.ts";
import { toLadderDefinition } from "#web/ladders/ladder-input.ts";

import { configIssues, storedIssues } from "./config-issues.ts";
import { UsageError } from "./flag-values.ts";

export type Config = {
  /** `password` is null if the ladder is invite-only or requires no password. */
  ladders: readonly { ladder: LadderDefinition; password: string | null }[];
  events: readonly NewEvent[];
};

const EMPTY_CONFIG: Config = { ladders: [], events: [] };

export async function checkConfig(
  path: string,
  environment: NodeJS.ProcessEnv,
): Promise<Config | { faults: ValidationIssue[] }> {
  const value = await readJson(path);
  if ("problem" in value) return { faults: [{ path: "", problem: value.problem }] };
  const faults = configIssues(value.json, environment);
  if (faults.length > 0) return { faults };
  const { ladders = [], events = [] } = value.json as ConfigBody;
  const ladderEntries = ladders.map(({ password_env: variable, ...body }) => ({
    ladder: toLadderDefinition(body),
    password: variable === undefined ? null : (environment[variable] ?? null),
  }));
  return { ladders: ladderEntries, events };
}

async function readJson(path: string): Promise<{ json: unknown } | { problem: string }> {
  try {
    const json = parseJson(await readFile(path, "utf8"));
    return "position" in json ? { problem: invalidJsonText(json.position) } : { json: json.value };
  } catch (error) {
    return { problem: `cannot be read (${(error as NodeJS.ErrnoException).code})` };
  }
}

export const issueLine = ({ path, problem }: ValidationIssue): string =>
  path === "" ? `the file ${problem}` : `${path} ${problem}`;

/**
 * Reads the configuration file. Returns an empty configuration if `path` is null. Rejects with a
 * UsageError that lists all issues.
 */
export async function readConfig(
  path: string | null,
  environment: NodeJS.ProcessEnv,
): Promise<Config> {
  if (path === null) return EMPTY_CONFIG;
  const config = await checkConfig(path, environment);
  if (!("faults" in config)) return config;
  throw invalidConfig(`--config ${path} is invalid`, config.faults);
}

const invalidConfig = (subject: string, faults: readonly ValidationIssue[]) =>
  new UsageError(`${subject}:${faults.map((issue) => `\n  ${issueLine(issue)}`).join("")}`);

type AddConfiguredDeps = {
  store: Pick<Store, "ladders" | "events">;
  /** Returns null if too many passwords are queued for hashing, which can't happen at startup. */
  hash: (password: string) => Promise<string | null>;
  newId: () => string;
  now: () => Date;
};

/**
 * Adds new ladders and events to the database. Existing ladders and events stay unchanged. Rejects
 * with a UsageError, without changes, if an event conflicts with the database.
 */
export async function addConfigured(
  deps: AddConfiguredDeps,
  { ladders, events }: Config,
): Promise<void> {
  const { store } = deps;
  const [storedLadders, storedEvents] = [await store.ladders.list(), await store.events.list()];
  const newLadders = excludeKnown(storedLadders, ladders, ({ ladder }) => ladder.id);
  const allLadders = [...storedLadders, ...newLadders.map(({ ladder }) => ladder)];
  const faults = storedIssues(events, allLadders, storedEvents);
  if (faults.length > 0)
    throw invalidConfig(
      "events in --config conflict with the ladders and events in the database",
      faults,
    );
  for (const { ladder, password } of newLadders) {
    const hash = password === null ? null : await deps.hash(password);
    await store.ladders.add(ladder, hash, auditEntryOf(deps, "ladder", ladder));
  }
  for (const event of excludeKnown(storedEvents, events, ({ id }) => id).map(eventOf))
    await store.events.add(event, auditEntryOf(deps, "event", event));
}

function excludeKnown<T>(
  knownRecords: readonly { id: string }[],
  items: readonly T[],
  idOf: (item: T) => string,
): T[] {
  const ids = new Set(knownRecords.map(({ id }) => id));
  return items.filter((item) => !ids.has(idOf(item)));
}

const auditEntryOf = (
  { newId, now }: AddConfiguredDeps,
  kind: "ladder" | "event",
  { id, name }: { id: string; name: string },
): AuditEntry => ({
  id: newId(),
  at: now().toISOString(),
  kind: `${kind}.created`,
  actor: SYSTEM_ACTOR,
  subject: { kind, id, name },
  reason: null,
  detail: { by: "the configuration file" },
});
