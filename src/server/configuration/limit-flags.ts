import { LIMIT_TABLE, limitsWith } from "#core/limits/limits.ts";
import type { LimitFlag, LimitName, LimitRow, Limits } from "#core/limits/limits.ts";

import { parseSeconds, parseWhole } from "./flag-values.ts";

const FLAGGED_LIMITS = (Object.keys(LIMIT_TABLE) as LimitName[]).flatMap((limit) => {
  const row: LimitRow = LIMIT_TABLE[limit];
  if (row.applies === "fixed" || row.type === "boolean" || row.flag === undefined) return [];
  return [{ ...row, limit, name: row.flag.name as LimitFlag, about: row.flag.about }];
});

/** Only durations accept fractions. */
export const LIMIT_FLAGS = FLAGGED_LIMITS.map(
  ({ name, about, type, least: min, most: max, default: fallback }) => {
    const [value, parserOf] = type === "number" ? ["SECONDS", parseSeconds] : ["N", parseWhole];
    return { name, value, fallback, read: parserOf(min, max), about };
  },
);

export function limitsOf(options: Readonly<Record<LimitFlag, number>>): Limits {
  return limitsWith(
    Object.fromEntries(FLAGGED_LIMITS.map(({ limit, name }) => [limit, options[name]])),
  );
}
