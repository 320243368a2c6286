// The limits in force on a running server, and which changes to them are valid.

import type { LadderId } from "./ids.ts";
import type { LimitRow, NumberSetting, Setting } from "./limit-row.ts";
import { LIMIT_TABLE, SETTING_NAMES } from "./limits.ts";
import type { LimitName, Limits, Overrides, SettingName } from "./limits.ts";

/** Matches at once on a ladder, in all and of one owner; null where nothing is said. */
export type LadderBounds = { maxConcurrent: number | null; ownerConcurrency: number | null };

/** Of the ladders for which settings say something: it takes the place of the ladder's own. */
export type BoundsByLadder = Readonly<Record<LadderId, LadderBounds>>;

export const NO_BOUNDS: LadderBounds = Object.freeze({
  maxConcurrent: null,
  ownerConcurrency: null,
});

export type Settings = {
  /** Ask at the moment of use: a change replaces the whole value, so a kept one is a snapshot. */
  current(): Limits;
  /** What is in force without any change: the defaults, and the flags of this server. */
  deployment(): Limits;
  /** What is changed for one ladder. */
  boundsOf(ladderId: LadderId): LadderBounds;
  /** The number of changes so far. */
  revision(): number;
  /**
   * Replaces all earlier changes: what is left out returns to the value of the deployment, and of
   * ladders to their own. Without a revision it is the next one.
   */
  change(overrides: Overrides, bounds?: BoundsByLadder, revision?: number): void;
  /** A ladder that is gone takes along what was changed for it. */
  forget(ladderId: LadderId): void;
};

export type SettingValue = number | boolean;

/** What is wrong with a requested change of settings, one line per name. */
export function problemsOf(overrides: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(overrides).flatMap(([name, value]) => {
    const problem = problemOf(name, value);
    return problem === null ? [] : [`${name} ${problem}`];
  });
}

function problemOf(name: string, value: unknown): string | null {
  if (!Object.hasOwn(LIMIT_TABLE, name)) return "is no setting";
  const row: LimitRow = LIMIT_TABLE[name as LimitName];
  if (row.applies === "fixed") return "is fixed";
  if (row.type === "boolean") return typeof value === "boolean" ? null : "takes true or false";
  if (isWithin(row, value)) return null;
  const kind = row.type === "integer" ? "a whole number" : "a number";
  return `takes ${kind} from ${row.least} to ${row.most}`;
}

function isWithin({ type, least, most }: NumberSetting, value: unknown): boolean {
  if (typeof value !== "number" || (type === "integer" && !Number.isInteger(value))) return false;
  return value >= least && value <= most;
}

/** Changes that were valid once: what still is, and what is wrong with the rest. */
export function stillValid(stored: Readonly<Record<string, unknown>>): {
  overrides: Overrides;
  problems: string[];
} {
  const valid = Object.entries(stored).filter(([name, value]) => problemOf(name, value) === null);
  return { overrides: Object.fromEntries(valid), problems: problemsOf(stored) };
}

/**
 * Puts changes into force as they were stored; those that this build would refuse are left out, and
 * returned with what is wrong with them.
 */
export function adoptStored(
  settings: Pick<Settings, "change">,
  stored: {
    revision: number;
    overrides: Readonly<Record<string, unknown>>;
    bounds: BoundsByLadder;
  },
): string[] {
  const { overrides, problems } = stillValid(stored.overrides);
  settings.change(overrides, stored.bounds, stored.revision);
  return problems;
}

export const settingRow = (name: SettingName): Setting => LIMIT_TABLE[name];

/** The settings among the limits. */
export const settingsIn = (limits: Limits) =>
  Object.fromEntries(SETTING_NAMES.map((name) => [name, limits[name]] as const)) as Pick<
    Limits,
    SettingName
  >;

const UNITS = { s: "seconds", ms: "milliseconds", bytes: "bytes" } as const;

/** The unit of a limit, which ends its name; null for counts and switches. */
export function unitOf(name: LimitName): string | null {
  const end = name.split("_").at(-1) ?? "";
  return Object.hasOwn(UNITS, end) ? UNITS[end as keyof typeof UNITS] : null;
}
