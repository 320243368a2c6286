import { SECOND_MS } from "#base/util/time.ts";

/**
 * Timeout for calls to other services. Long enough that a busy machine isn't reported as a failure.
 */
export const CALL_TIMEOUT_MS = 8 * SECOND_MS;

export const LEVELS = ["ok", "warn", "fail"] as const;
export type Level = (typeof LEVELS)[number];

/** `advice` says how to fix the problem; null if `level` is `ok`. */
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

/** Runs a check, and reports it as failed if it throws. */
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
