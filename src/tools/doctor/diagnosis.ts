// The result of one check.

import { SECOND_MS } from "#base/util/time.ts";

/**
 * Timeout of calls to other services. Generous, so that a busy machine isn't reported as a failure.
 */
export const CALL_TIMEOUT_MS = 8 * SECOND_MS;

export const LEVELS = ["ok", "warn", "fail"] as const;
export type Level = (typeof LEVELS)[number];

/** `advice` says how to fix the problem; null for `ok`. */
export type Diagnosis = { check: string; level: Level; found: string; advice: string | null };

export const okDiagnosis = (check: string, found: string): Diagnosis => {
  return { check, level: "ok", found, advice: null };
};

export const warnDiagnosis = (check: string, found: string, advice: string): Diagnosis => {
  return { check, level: "warn", found, advice };
};

export const failDiagnosis = (check: string, found: string, advice: string): Diagnosis => {
  return { check, level: "fail", found, advice };
};

/** Reports a check that throws as a failure. */
export async function runCheck(
  check: string,
  runChecks: () => Diagnosis[] | Promise<Diagnosis[]>,
): Promise<Diagnosis[]> {
  try {
    return await runChecks();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return [
      failDiagnosis(
        check,
        `the check failed: ${code ?? message}`,
        "Fix this error first, then run the doctor again.",
      ),
    ];
  }
}
