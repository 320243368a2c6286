// The recorder as the arena calls it: on its own thread, or in this one for tests.

import type { ResourceLimits } from "node:worker_threads";

import { openThread } from "#base/threads/thread.ts";
import type { FightRecord } from "#core/replay/write-up.ts";
import type { MatchId } from "#core/words/ids.ts";
import { StoreError } from "#data/store/errors.ts";

import { fileMatch } from "./filing.ts";
import type { Filed, Filing, ReplayShelf } from "./filing.ts";
import { withSecondTry } from "./second-try.ts";

/** Writes up finished matches and files their replays, away from the thread that serves matches. */
export type Recorder = {
  /**
   * Takes what `record` returned. Resolves with the statistics document as JSON text (null for a
   * match without one) once the replay will survive a power cut. Rejects with StoreError if the
   * replay cannot be filed, and with another error if the record does not play to what it says.
   */
  file(matchId: MatchId, record: unknown): Promise<string | null>;
  /** Removes what was filed of a match, if anything was. Rejects with StoreError. */
  remove(matchId: MatchId): Promise<void>;
  close(): Promise<void>;
};

/** Files in this thread. */
export function localRecorder(shelf: ReplayShelf): Recorder {
  return {
    file: (matchId, record) => fileMatch(shelf, { matchId, record: record as FightRecord }),
    remove: async (matchId) => void (await shelf.remove(matchId)),
    close: async () => {},
  };
}

const WORKER = new URL("./recorder-worker.ts", import.meta.url);
/** Of a burst of matches V8 would otherwise keep 50 MiB of room for garbage; half of this is slower. */
const HEAP: ResourceLimits = { maxYoungGenerationSizeMb: 24 };

/**
 * Starts the recorder's thread, which files replays in the folder of the shelf. They are removed
 * from here, since it may be the thread that fails.
 */
export function openRecorder(
  folder: string,
  shelf: Pick<ReplayShelf, "remove">,
  now: () => number,
  entry = WORKER,
): Recorder {
  const thread = openThread(entry, {
    name: "recorder",
    data: folder,
    heap: HEAP,
    restarts: true,
  });
  const ask = withSecondTry((filing: Filing) => thread.ask<Filed>(filing), now);
  return {
    file: async (matchId, record) => {
      const filed = await ask({ matchId, record: record as FightRecord });
      if ("failure" in filed) throw new StoreError(filed.failure, filed.message);
      return filed.stats;
    },
    remove: async (matchId) => void (await shelf.remove(matchId)),
    close: async () => void (await thread.close()),
  };
}
