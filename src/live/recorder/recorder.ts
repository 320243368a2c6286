import type { ResourceLimits } from "node:worker_threads";

import { openThread } from "#base/threads/thread.ts";
import type { MatchId } from "#core/ids/ids.ts";
import type { FinishedMatchRecording } from "#core/replay/write-replay.ts";
import { StoreError } from "#data/store/errors.ts";

import { fileReplay } from "./file-replay.ts";
import type { FileReplayResult, FileReplayRequest, ReplayFiles } from "./file-replay.ts";
import { withIsolatedRetry } from "./isolated-retry.ts";

/** Writes replays of finished matches off the main thread. */
export type Recorder = {
  /**
   * Writes the replay of a finished match. Resolves when the replay is durable, with the statistics
   * document as JSON text, or null if the match has no statistics. Rejects with StoreError if the
   * replay can't be written, and with another error if the record doesn't replay to its result.
   */
  file(matchId: MatchId, record: unknown): Promise<string | null>;
  /** Removes a match's replay if it exists. Rejects with StoreError. */
  remove(matchId: MatchId): Promise<void>;
  close(): Promise<void>;
};

/** Returns a recorder that runs on the current thread. */
export function localRecorder(replayFiles: ReplayFiles): Recorder {
  return {
    file: (matchId, record) =>
      fileReplay(replayFiles, { matchId, record: record as FinishedMatchRecording }),
    remove: async (matchId) => void (await replayFiles.remove(matchId)),
    close: async () => {},
  };
}

const WORKER = new URL("./recorder-worker.ts", import.meta.url);
/**
 * Without a limit, V8 keeps 50 MiB for garbage after a burst of matches. Half of this limit is
 * measurably slower.
 */
const HEAP_LIMITS: ResourceLimits = { maxYoungGenerationSizeMb: 24 };

/**
 * Starts the recorder thread, which writes replays to the folder of `replayFiles`. Removals run on
 * the current thread, because they must work when the recorder thread fails.
 */
export function openRecorder(
  folder: string,
  replayFiles: Pick<ReplayFiles, "remove">,
  now: () => number,
  entry = WORKER,
): Recorder {
  const thread = openThread(entry, {
    name: "recorder",
    data: folder,
    resourceLimits: HEAP_LIMITS,
    restarts: true,
  });
  const sendRequest = withIsolatedRetry(
    (request: FileReplayRequest) => thread.ask<FileReplayResult>(request),
    now,
  );
  return {
    file: async (matchId, record) => {
      const result = await sendRequest({ matchId, record: record as FinishedMatchRecording });
      if ("failure" in result) throw new StoreError(result.failure, result.message);
      return result.stats;
    },
    remove: async (matchId) => void (await replayFiles.remove(matchId)),
    close: async () => void (await thread.close()),
  };
}
