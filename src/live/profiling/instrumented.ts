// Times calls to the arena's dependencies. Without profiling, nothing is wrapped.

import type { Clock } from "#base/clock/clock.ts";
import { wrapRepositories } from "#data/store/store.ts";
import type { Store } from "#data/store/store.ts";
import type { Health } from "#live/health/health.ts";
import type { Matchmaker } from "#live/matchmaker/matchmaker.ts";
import type { Recorder } from "#live/recorder/recorder.ts";

import type { OperationTimings } from "./operation-timings.ts";

type InstrumentedParts = {
  store: Store;
  matchmaker: Matchmaker;
  recorder: Recorder;
  health: Health;
};

/** Returns wrappers that record the duration of each call, including failed calls. */
export function instrumented<Parts extends InstrumentedParts>(
  parts: Parts,
  operations: Pick<OperationTimings, "record">,
  clock: Pick<Clock, "now">,
): Parts {
  type AsyncMethod<A extends unknown[], T> = (...args: A) => Promise<T>;
  const withTiming =
    <A extends unknown[], T>(name: string, invoke: AsyncMethod<A, T>): AsyncMethod<A, T> =>
    async (...args) => {
      const startedAt = clock.now();
      try {
        return await invoke(...args);
      } finally {
        operations.record(name, clock.now() - startedAt);
      }
    };
  const { store, matchmaker, recorder, health } = parts;
  const timedNamespaces = wrapRepositories(store, (storeMethod, name) =>
    withTiming(`store ${name}`, storeMethod),
  );
  return {
    ...parts,
    store: { ...timedNamespaces, close: () => store.close() },
    matchmaker: {
      load: withTiming("matchmaker load", (history) => matchmaker.load(history)),
      rate: withTiming("matchmaker rate", (match) => matchmaker.rate(match)),
      unrate: withTiming("matchmaker unrate", (match) => matchmaker.unrate(match)),
      pair: withTiming("matchmaker pair", (requests) => matchmaker.pair(requests)),
      board: withTiming("matchmaker board", (competition) => matchmaker.board(competition)),
      finalBoard: withTiming("matchmaker settle", (competition) =>
        matchmaker.finalBoard(competition),
      ),
      compare: withTiming("matchmaker compare", (...args) => matchmaker.compare(...args)),
      drop: withTiming("matchmaker forget", (competition) => matchmaker.drop(competition)),
      close: () => matchmaker.close(),
    },
    recorder: {
      file: withTiming("recorder file", (...args) => recorder.file(...args)),
      remove: withTiming("recorder remove", (matchId) => recorder.remove(matchId)),
      close: () => recorder.close(),
    },
    health: {
      ...health,
      // The arena measures these durations itself.
      recordDuration: (timing, duration) => {
        health.recordDuration(timing, duration);
        operations.record(`match ${timing}`, duration);
      },
    },
  };
}
