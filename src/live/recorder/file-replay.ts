// Writes replay and statistics of a finished match.

import { gzipSync } from "node:zlib";

import type { MatchId } from "#core/ids/ids.ts";
import { writeReplay } from "#core/replay/write-replay.ts";
import type { FinishedMatchRecording } from "#core/replay/write-replay.ts";
import type { Replays } from "#data/files/replays.ts";
import type { StoreErrorCode } from "#data/store/errors.ts";

/**
 * A replay is about 20 KB of similar lines. zlib level 5 saves a sixteenth more but takes two
 * fifths longer; a larger window only takes time to clear.
 */
const GZIP_OPTIONS = { level: 3, windowBits: 13, memLevel: 6 };

/** Request and response of the recorder thread. */
export type FileReplayRequest = { matchId: MatchId; record: FinishedMatchRecording };
export type FileReplayResult =
  | { stats: string | null }
  | { failure: StoreErrorCode; message: string };

export type ReplayFiles = Pick<Replays, "write"> & { remove: (id: string) => Promise<unknown> };

/** Writes and files the replay of a match, like `Recorder.file`. */
export async function fileReplay(
  replayFiles: Pick<ReplayFiles, "write">,
  { matchId, record }: FileReplayRequest,
): Promise<string | null> {
  const { replay, stats } = writeReplay(record);
  await replayFiles.write(matchId, gzipSync(replay, GZIP_OPTIONS));
  return stats === null ? null : JSON.stringify(stats);
}
