// The file with the ladders and events of a deployment, and what a start adds from it.

import { readFile } from "node:fs/promises";

import { notJson, parseJson } from "#base/units/json-text.ts";
import type { LadderDefinition } from "#core/ladder/ladder.ts";
import type { PlacedFault } from "#core/protocol/faults.ts";
import type { ConfigBody } from "#core/resources/config.ts";
import type { NewEvent } from "#core/resources/event.ts";
import { SYSTEM } from "#core/words/audit.ts";
import type { AuditEntry } from "#data/store/audit.ts";
import type { Store } from "#data/store/store.ts";
import { definitionOf as eventOf } from "#web/events/new-event.ts";
import { definitionOf } from "#web/ladders/new-ladder.ts";

import { configFaults, storedFaults } from "./config-faults.ts";
import { UsageError } from "./flag-values.ts";

export type Config = {
  /** The password is null where only invitations let people in, or none is asked for. */
  ladders: readonly { ladder: LadderDefinition; password: string | null }[];
  events: readonly NewEvent[];
};

const NOTHING: Config = { ladders: [], events: [] };

/** The file as it is meant, or all that is wrong with it. */
export async function checkConfig(
  path: string,
  environment: NodeJS.ProcessEnv,
): Promise<Config | { faults: PlacedFault[] }> {
  const value = await readJson(path);
  if ("problem" in value) return { faults: [{ path: "", problem: value.problem }] };
  const faults = configFaults(value.json, environment);
  if (faults.length > 0) return { faults };
  const { ladders = [], events = [] } = value.json as ConfigBody;
  const made = ladders.map(({ password_env: variable, ...body }) => ({
    ladder: definitionOf(body),
    password: variable === undefined ? null : (environment[variable] ?? null),
  }));
  return { ladders: made, events };
}

async function readJson(path: string): Promise<{ json: unknown } | { problem: string }> {
  try {
    const json = parseJson(await readFile(path, "utf8"));
    return "place" in json ? { problem: notJson(json.place) } : { json: json.value };
  } catch (error) {
    return { problem: `cannot be read (${(error as NodeJS.ErrnoException).code})` };
  }
}

/** A line about a fault. */
export const faultLine = ({ path, problem }: PlacedFault): string =>
  path === "" ? `the file ${problem}` : `${path} ${problem}`;

/** The file of a start; nothing without one. Rejects with a UsageError that lists its faults. */
export async function readConfig(
  path: string | null,
  environment: NodeJS.ProcessEnv,
): Promise<Config> {
  if (path === null) return NOTHING;
  const config = await checkConfig(path, environment);
  if (!("faults" in config)) return config;
  throw notRight(`--config ${path} is not right`, config.faults);
}

const notRight = (what: string, faults: readonly PlacedFault[]) =>
  new UsageError(`${what}:${faults.map((fault) => `\n  ${faultLine(fault)}`).join("")}`);

type AddDeps = {
  store: Pick<Store, "ladders" | "events">;
  /** Null never: at a start nobody else waits. */
  hash: (password: string) => Promise<string | null>;
  newId: () => string;
  now: () => Date;
};

/**
 * Makes the ladders and events that are not in the database yet; those that are stay as they are
 * there. Rejects with a UsageError, having made nothing, if an event does not suit what is there.
 */
export async function addConfigured(deps: AddDeps, { ladders, events }: Config): Promise<void> {
  const { store } = deps;
  const [kept, running] = [await store.ladders.list(), await store.events.list()];
  const fresh = without(kept, ladders, ({ ladder }) => ladder.id);
  const all = [...kept, ...fresh.map(({ ladder }) => ladder)];
  const faults = storedFaults(events, all, running);
  if (faults.length > 0)
    throw notRight("events of --config do not suit the ladders and events in the database", faults);
  for (const { ladder, password } of fresh) {
    const hash = password === null ? null : await deps.hash(password);
    await store.ladders.add(ladder, hash, noteOf(deps, "ladder", ladder));
  }
  for (const event of without(running, events, ({ id }) => id).map(eventOf))
    await store.events.add(event, noteOf(deps, "event", event));
}

/** Those whose id is not known. */
function without<T>(
  known: readonly { id: string }[],
  all: readonly T[],
  idOf: (one: T) => string,
): T[] {
  const ids = new Set(known.map(({ id }) => id));
  return all.filter((one) => !ids.has(idOf(one)));
}

const noteOf = (
  { newId, now }: AddDeps,
  kind: "ladder" | "event",
  { id, name }: { id: string; name: string },
): AuditEntry => ({
  id: newId(),
  at: now().toISOString(),
  kind: `${kind}.created`,
  actor: SYSTEM,
  subject: { kind, id, name },
  reason: null,
  detail: { by: "the configuration file" },
});
