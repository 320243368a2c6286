// What the recorder does with a finished match: writes it up and files the replay.

import { gzipSync } from "node:zlib";

import { writeUp } from "#core/replay/write-up.ts";
import type { FightRecord } from "#core/replay/write-up.ts";
import type { MatchId } from "#core/words/ids.ts";
import type { Replays } from "#data/files/replays.ts";
import type { StoreErrorCode } from "#data/store/errors.ts";

/**
 * A replay is about 20 KB of similar lines. zlib's level 5 makes it a sixteenth smaller but takes
 * two fifths longer, and a larger window only takes time to clear.
 */
const PACKING = { level: 3, windowBits: 13, memLevel: 6 };

/** What the recorder's thread is asked to file, and what it answers. */
export type Filing = { matchId: MatchId; record: FightRecord };
export type Filed = { stats: string | null } | { failure: StoreErrorCode; message: string };

export type ReplayShelf = Pick<Replays, "write"> & { remove: (id: string) => Promise<unknown> };

/** Writes a match up and files its replay, as `Recorder.file` does. */
export async function fileMatch(
  shelf: Pick<ReplayShelf, "write">,
  { matchId, record }: Filing,
): Promise<string | null> {
  const { replay, stats } = writeUp(record);
  await shelf.write(matchId, gzipSync(replay, PACKING));
  return stats === null ? null : JSON.stringify(stats);
}
