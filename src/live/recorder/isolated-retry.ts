import { ThreadEndedError } from "#base/threads/thread.ts";
import { MINUTE_US } from "#base/util/time.ts";
import { StoreError } from "#data/store/errors.ts";

/**
 * After this many deaths within the window, each on a different record, the records can't be the
 * cause.
 */
const MAX_DEATHS = 3;
const DEATH_WINDOW = MINUTE_US;

/**
 * Sends requests to a thread that restarts automatically. Requests pending when the thread dies are
 * retried one at a time. A request that kills it again is rejected with ThreadEndedError and
 * doesn't affect the rest. If the thread repeatedly dies, requests are rejected with StoreError
 * "io", which means a machine fault.
 */
export function withIsolatedRetry<Question, Answer>(
  send: (request: Question) => Promise<Answer>,
  now: () => number,
): (request: Question) => Promise<Answer> {
  /** When the thread died. Two deaths on the same record count once. */
  let deathTimes: number[] = [];
  let lastDeath: ThreadEndedError | null = null;
  /** Whether the record that caused the latest death is known. */
  let isCauseFound = true;
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
