// What becomes of the records that were with the recorder's thread when it died.

import { ThreadEnded } from "#base/threads/thread.ts";
import { MINUTE } from "#base/units/time.ts";
import { StoreError } from "#data/store/errors.ts";

/** So many deaths within the time, each over another record, are not the records' fault. */
const MOST_DEATHS = 3;
const WITHIN = MINUTE;

/**
 * Asks a thread that starts again by itself. What was with it when it died is asked once more, one
 * at a time and with nothing beside it: the one over which it dies again is rejected with
 * ThreadEnded, and the others are none the worse. A thread that goes on dying is a fault of the
 * machine, and rejects with StoreError "io".
 */
export function withSecondTry<Question, Answer>(
  ask: (question: Question) => Promise<Answer>,
  now: () => number,
): (question: Question) => Promise<Answer> {
  /** When the thread died; a second death over one record is the same as its first. */
  let deaths: number[] = [];
  let latest: ThreadEnded | null = null;
  /** The record over which it died `latest` has been found. */
  let isFound = true;
  /** Settles once no record is tried alone. */
  let alone: Promise<unknown> = Promise.resolve();

  function noteDeath(): void {
    deaths = [...deaths.filter((at) => now() - at < WITHIN), now()];
  }

  function insistOnLife(death: ThreadEnded): void {
    if (deaths.length < MOST_DEATHS) return;
    throw new StoreError("io", `${death.message}, ${MOST_DEATHS} times`, { cause: death });
  }

  async function askAlone(question: Question): Promise<Answer> {
    try {
      return await ask(question);
    } catch (error) {
      if (error instanceof ThreadEnded) {
        if (isFound) noteDeath();
        isFound = true;
        insistOnLife(error);
      }
      throw error;
    }
  }

  return async (question) => {
    await alone;
    try {
      return await ask(question);
    } catch (error) {
      if (!(error instanceof ThreadEnded)) throw error;
      if (error !== latest) {
        latest = error;
        isFound = false;
        noteDeath();
      }
      insistOnLife(error);
    }
    const second = alone.then(() => askAlone(question));
    alone = second.catch(() => {});
    return second;
  };
}
