// Retries the records that the recorder thread held when it died.

import { ThreadEndedError } from "#base/threads/thread.ts";
import { MINUTE_US } from "#base/util/time.ts";
import { StoreError } from "#data/store/errors.ts";

/** This many deaths within the time, each on a different record, aren't caused by the records. */
const MAX_DEATHS = 3;
const DEATH_WINDOW = MINUTE_US;

/**
 * Sends requests to a thread that restarts by itself. Requests pending at its death are retried one
 * at a time. The one it dies on again is rejected with ThreadEnded; the others are unaffected. A
 * thread that keeps dying is a machine fault and rejects with StoreError "io".
 */
export function withIsolatedRetry<Question, Answer>(
  send: (request: Question) => Promise<Answer>,
  now: () => number,
): (request: Question) => Promise<Answer> {
  /** When the thread died. A second death on one record counts as the first. */
  let deathTimes: number[] = [];
  let lastDeath: ThreadEndedError | null = null;
  /** Whether the record that caused the latest death has been found. */
  let isCauseFound = true;
  /** Settles once no isolated retry is running. */
  let isolatedWork: Promise<unknown> = Promise.resolve();

  function recordDeath(): void {
    deathTimes = [...deathTimes.filter((at) => now() - at < DEATH_WINDOW), now()];
  }

  function assertAlive(threadError: ThreadEndedError): void {
    if (deathTimes.length < MAX_DEATHS) return;
    throw new StoreError("io", `${threadError.message}, ${MAX_DEATHS} times`, {
      cause: threadError,
    });
  }

  async function retryAlone(request: Question): Promise<Answer> {
    try {
      return await send(request);
    } catch (error) {
      if (error instanceof ThreadEndedError) {
        if (isCauseFound) recordDeath();
        isCauseFound = true;
        assertAlive(error);
      }
      throw error;
    }
  }

  return async (request) => {
    await isolatedWork;
    try {
      return await send(request);
    } catch (error) {
      if (!(error instanceof ThreadEndedError)) throw error;
      if (error !== lastDeath) {
        lastDeath = error;
        isCauseFound = false;
        recordDeath();
      }
      assertAlive(error);
    }
    const retry = isolatedWork.then(() => retryAlone(request));
    isolatedWork = retry.catch(() => {});
    return retry;
  };
}
