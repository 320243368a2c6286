import type { LadderId } from "#core/ids/ids.ts";

import type { LimitRow, NumberSetting, Setting } from "./limit-row.ts";
import { LIMIT_TABLE, SETTING_NAMES } from "./limits.ts";
import type { LimitName, Limits, Overrides, SettingName } from "./limits.ts";

/** Maximum concurrent matches on a ladder, in total and per owner. Null if not set. */
export type LadderBounds = { maxConcurrent: number | null; ownerConcurrency: number | null };

export type BoundsByLadder = Readonly<Record<LadderId, LadderBounds>>;

export const NO_BOUNDS: LadderBounds = Object.freeze({
  maxConcurrent: null,
  ownerConcurrency: null,
});

export type LiveSettings = {
  /**
   * Call this whenever you need a value. A change replaces the whole object, so a stored reference
   * becomes outdated.
   */
  current(): Limits;
  /** Values without overrides: the defaults and this server's flags. */
  deployment(): Limits;
  ladderBounds(ladderId: LadderId): LadderBounds;
  revision(): number;
  /**
   * Replaces all overrides. Omitted settings return to their deployment values, and omitted ladders
   * to their own bounds. `revision` defaults to the next number.
   */
  change(overrides: Overrides, bounds?: BoundsByLadder, revision?: number): void;
  removeLadder(ladderId: LadderId): void;
};

export type SettingValue = number | boolean;

/** Returns the problems in a requested settings change, one line per name. */
export function settingErrors(overrides: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(overrides).flatMap(([name, value]) => {
    const problem = settingError(name, value);
    return problem === null ? [] : [`${name} ${problem}`];
  });
}

function settingError(name: string, value: unknown): string | null {
  if (!Object.hasOwn(LIMIT_TABLE, name)) return "is not a setting";
  const row: LimitRow = LIMIT_TABLE[name as LimitName];
  if (row.applies === "fixed") return "cannot be changed";
  if (row.type === "boolean") return typeof value === "boolean" ? null : "takes true or false";
  if (isWithinBounds(row, value)) return null;
  const kind = row.type === "integer" ? "a whole number" : "a number";
  return `takes ${kind} from ${row.least} to ${row.most}`;
}

function isWithinBounds({ type, least, most }: NumberSetting, value: unknown): boolean {
  if (typeof value !== "number" || (type === "integer" && !Number.isInteger(value))) return false;
  return value >= least && value <= most;
}

/** Returns the stored overrides that are still valid, and the problems of the invalid ones. */
export function validOverrides(storedOverrides: Readonly<Record<string, unknown>>): {
  overrides: Overrides;
  problems: string[];
} {
  const validEntries = Object.entries(storedOverrides).filter(
    ([name, value]) => settingError(name, value) === null,
  );
  return { overrides: Object.fromEntries(validEntries), problems: settingErrors(storedOverrides) };
}

/** Applies stored overrides. Skips overrides that this build rejects and returns their problems. */
export function applyStoredSettings(
  settings: Pick<LiveSettings, "change">,
  storedSettings: {
    revision: number;
    overrides: Readonly<Record<string, unknown>>;
    bounds: BoundsByLadder;
  },
): string[] {
  const { overrides, problems } = validOverrides(storedSettings.overrides);
  settings.change(overrides, storedSettings.bounds, storedSettings.revision);
  return problems;
}

export const settingRow = (name: SettingName): Setting => LIMIT_TABLE[name];

export const settingValues = (limits: Limits) =>
  Object.fromEntries(SETTING_NAMES.map((name) => [name, limits[name]] as const)) as Pick<
    Limits,
    SettingName
  >;

const UNITS = { s: "seconds", ms: "milliseconds", bytes: "bytes" } as const;

/**
 * Returns the unit of a limit, which is the suffix of its name, or null for counts and switches.
 */
export function limitUnit(name: LimitName): string | null {
  const suffix = name.split("_").at(-1) ?? "";
  return Object.hasOwn(UNITS, suffix) ? UNITS[suffix as keyof typeof UNITS] : null;
}
