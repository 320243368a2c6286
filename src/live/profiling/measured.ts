// What the arena works with, with the time of each call noted. Without profiling nothing of this is
// made, and calls go straight to what they are for.

import type { Clock } from "#base/clock/clock.ts";
import { around } from "#data/store/store.ts";
import type { Store } from "#data/store/store.ts";
import type { Health } from "#live/health/health.ts";
import type { Matchmaker } from "#live/matchmaker/matchmaker.ts";
import type { Recorder } from "#live/recorder/recorder.ts";

import type { Operations } from "./operations.ts";

type Measured = { store: Store; matchmaker: Matchmaker; recorder: Recorder; health: Health };

/** The same parts. A call that fails counts as well: it took its time. */
export function measured<Parts extends Measured>(
  parts: Parts,
  operations: Pick<Operations, "note">,
  clock: Pick<Clock, "now">,
): Parts {
  type Ask<A extends unknown[], T> = (...args: A) => Promise<T>;
  const timed =
    <A extends unknown[], T>(name: string, ask: Ask<A, T>): Ask<A, T> =>
    async (...args) => {
      const began = clock.now();
      try {
        return await ask(...args);
      } finally {
        operations.note(name, clock.now() - began);
      }
    };
  const { store, matchmaker, recorder, health } = parts;
  const nouns = around(store, (method, name) => timed(`store ${name}`, method));
  return {
    ...parts,
    store: { ...nouns, close: () => store.close() },
    matchmaker: {
      load: timed("matchmaker load", (history) => matchmaker.load(history)),
      rate: timed("matchmaker rate", (game) => matchmaker.rate(game)),
      unrate: timed("matchmaker unrate", (game) => matchmaker.unrate(game)),
      pair: timed("matchmaker pair", (requests) => matchmaker.pair(requests)),
      board: timed("matchmaker board", (competition) => matchmaker.board(competition)),
      settle: timed("matchmaker settle", (competition) => matchmaker.settle(competition)),
      compare: timed("matchmaker compare", (...asked) => matchmaker.compare(...asked)),
      forget: timed("matchmaker forget", (competition) => matchmaker.forget(competition)),
      close: () => matchmaker.close(),
    },
    recorder: {
      file: timed("recorder file", (...asked) => recorder.file(...asked)),
      remove: timed("recorder remove", (matchId) => recorder.remove(matchId)),
      close: () => recorder.close(),
    },
    health: {
      ...health,
      // The arena has measured these already.
      time: (timing, duration) => {
        health.time(timing, duration);
        operations.note(`match ${timing}`, duration);
      },
    },
  };
}
