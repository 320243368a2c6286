// The flags that set the defaults of a deployment, derived from the table of limits.

import { LIMIT_TABLE, limitsWith } from "#core/words/limits.ts";
import type { LimitFlag, LimitName, LimitRow, Limits } from "#core/words/limits.ts";

import { seconds, whole } from "./flag-values.ts";

const FLAGGED = (Object.keys(LIMIT_TABLE) as LimitName[]).flatMap((limit) => {
  const row: LimitRow = LIMIT_TABLE[limit];
  if (row.applies === "fixed" || row.type === "boolean" || row.flag === undefined) return [];
  return [{ ...row, limit, name: row.flag.name as LimitFlag, about: row.flag.about }];
});

/** Only times may have a fraction. */
export const LIMIT_FLAGS = FLAGGED.map(({ name, about, type, least, most, default: fallback }) => {
  const [value, reader] = type === "number" ? ["SECONDS", seconds] : ["N", whole];
  return { name, value, fallback, read: reader(least, most), about };
});

/** The defaults, overridden by the flags. */
export function limitsOf(options: Readonly<Record<LimitFlag, number>>): Limits {
  return limitsWith(Object.fromEntries(FLAGGED.map(({ limit, name }) => [limit, options[name]])));
}
