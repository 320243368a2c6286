// What the doctor says of one thing.

import { SECOND_MS } from "#base/units/time.ts";

/** For calls to other services: generous, so that a busy machine is not reported as a failure. */
export const CALL_TIMEOUT_MS = 8 * SECOND_MS;

export const LEVELS = ["ok", "warn", "fail"] as const;
export type Level = (typeof LEVELS)[number];

/** `advice` says what to do, and is null where all is well. */
export type Diagnosis = { check: string; level: Level; found: string; advice: string | null };

export const fine = (check: string, found: string): Diagnosis => {
  return { check, level: "ok", found, advice: null };
};

export const warning = (check: string, found: string, advice: string): Diagnosis => {
  return { check, level: "warn", found, advice };
};

export const failure = (check: string, found: string, advice: string): Diagnosis => {
  return { check, level: "fail", found, advice };
};

/** What becomes of a look that fails itself: it counts as bad as what it looked at. */
export async function looked(
  check: string,
  look: () => Diagnosis[] | Promise<Diagnosis[]>,
): Promise<Diagnosis[]> {
  try {
    return await look();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return [
      failure(check, `it cannot be looked at: ${code ?? message}`, "See to the cause first."),
    ];
  }
}
