// What becomes of the records that the recorder's thread held when it died.

import { ThreadEnded } from "#base/threads/thread.ts";
import { MINUTE } from "#base/units/time.ts";
import { StoreError } from "#data/store/errors.ts";

/** This many deaths within the time, each on a different record, are not the records' fault. */
const MOST_DEATHS = 3;
const WITHIN = MINUTE;

/**
 * Asks a thread that restarts by itself. Questions that were with it when it died are asked once
 * more, each alone. The one it dies on again is rejected with ThreadEnded; the others are
 * unaffected. A thread that keeps dying is a fault of the machine and rejects with StoreError "io".
 */
export function withSecondTry<Question, Answer>(
  ask: (question: Question) => Promise<Answer>,
  now: () => number,
): (question: Question) => Promise<Answer> {
  /** When the thread died. A second death on one record counts as the first. */
  let deaths: number[] = [];
  let latest: ThreadEnded | null = null;
  /** Whether the record that caused the death at `latest` has been found. */
  let isFound = true;
  /** Settles once no record is being tried alone. */
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
