// The limits in force on a running server, and which changes to them are valid.

import { LIMIT_TABLE } from "./limits.ts";
import type { LimitName, LimitRow, Limits, Overrides, Setting } from "./limits.ts";

export type Settings = {
  /** Ask at the moment of use: a change replaces the whole value, so a kept one is a snapshot. */
  current(): Limits;
  /** The number of changes so far. */
  revision(): number;
  /** Replaces all earlier changes: what is left out returns to the value at startup. */
  change(overrides: Overrides): void;
};

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
  if (isWithin(row, value)) return null;
  const kind = row.type === "integer" ? "a whole number" : "a number";
  return `takes ${kind} from ${row.least} to ${row.most}`;
}

function isWithin({ type, least, most }: Setting, value: unknown): boolean {
  if (typeof value !== "number" || (type === "integer" && !Number.isInteger(value))) return false;
  return value >= least && value <= most;
}
