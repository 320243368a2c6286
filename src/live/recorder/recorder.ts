// Client of the recorder, on its own thread or, for tests, on this one.

import type { ResourceLimits } from "node:worker_threads";

import { openThread } from "#base/threads/thread.ts";
import type { MatchId } from "#core/ids/ids.ts";
import type { FinishedMatchRecording } from "#core/replay/write-replay.ts";
import { StoreError } from "#data/store/errors.ts";

import { fileReplay } from "./file-replay.ts";
import type { FileReplayResult, FileReplayRequest, ReplayFiles } from "./file-replay.ts";
import { withIsolatedRetry } from "./isolated-retry.ts";

/** Writes and files replays of finished matches off the main thread. */
export type Recorder = {
  /**
   * Files a finished match from its `record`. Resolves with the statistics document as JSON text
   * (null if the match has none) once the replay is durable. Rejects with StoreError if the replay
   * can't be filed, and with another error if the record doesn't replay to its result.
   */
  file(matchId: MatchId, record: unknown): Promise<string | null>;
  /** Removes a match's replay, if any. Rejects with StoreError. */
  remove(matchId: MatchId): Promise<void>;
  close(): Promise<void>;
};

/** Files replays on this thread. */
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
 * After a burst of matches, V8 would otherwise keep 50 MiB for garbage. Half this limit is slower.
 */
const HEAP_LIMITS: ResourceLimits = { maxYoungGenerationSizeMb: 24 };

/**
 * Starts the recorder thread, which files replays in the folder of `replayFiles`. Removals happen
 * here, because the thread may be what fails.
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
