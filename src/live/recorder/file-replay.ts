import { gzipSync } from "node:zlib";

import type { MatchId } from "#core/ids/ids.ts";
import { writeReplay } from "#core/replay/write-replay.ts";
import type { FinishedMatchRecording } from "#core/replay/write-replay.ts";
import type { Replays } from "#data/files/replays.ts";
import type { StoreErrorCode } from "#data/store/errors.ts";

/**
 * Tuned for replays of about 20 KB with similar lines. zlib level 5 compresses 6% better but takes
 * 40% longer. A larger window only takes longer to clear.
 */
const GZIP_OPTIONS = { level: 3, windowBits: 13, memLevel: 6 };

export type FileReplayRequest = { matchId: MatchId; record: FinishedMatchRecording };
export type FileReplayResult =
  | { stats: string | null }
  | { failure: StoreErrorCode; message: string };

export type ReplayFiles = Pick<Replays, "write"> & { remove: (id: string) => Promise<unknown> };

/** Writes a match's replay. Returns and rejects like `Recorder.file`. */
export async function fileReplay(
  replayFiles: Pick<ReplayFiles, "write">,
  { matchId, record }: FileReplayRequest,
): Promise<string | null> {
  const { replay, stats } = writeReplay(record);
  await replayFiles.write(matchId, gzipSync(replay, GZIP_OPTIONS));
  return stats === null ? null : JSON.stringify(stats);
}
