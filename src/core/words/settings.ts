// The limits in force on a running server, and whether a change of them may be.

import { LIMIT_TABLE } from "./limits.ts";
import type { LimitName, LimitRow, Limits, Overrides, Setting } from "./limits.ts";

export type Settings = {
  /** To be asked at the moment of use. A change replaces it whole: kept, it is a snapshot. */
  current(): Limits;
  /** Counts the changes. */
  revision(): number;
  /** Takes the place of all earlier changes: what is left out is again as the server began. */
  change(overrides: Overrides): void;
};

/** What is wrong with a change of settings that somebody asks for; one line for each name. */
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
