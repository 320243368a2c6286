// The archive as the arena calls it: on a thread of its own, or in this one for tests.

import { gzipSync } from "node:zlib";

import { openThread } from "#judge/thread.ts";

import type { Archive, WriteUp } from "./fight-port.ts";
import { writeUp } from "./write-up.ts";
import type { FightRecord } from "./write-up.ts";

export function archived(record: FightRecord): WriteUp {
  const { replay, stats } = writeUp(record);
  const packed = gzipSync(replay);
  return { replay: packed, stats: stats === null ? null : JSON.stringify(stats) };
}

/** Writes up in this thread. */
export function localArchive(): Archive {
  return {
    writeUp: async (record) => archived(record as FightRecord),
    close: async () => {},
  };
}

/** Starts the archive's thread. */
export function openArchive(): Archive {
  const thread = openThread(new URL("./archive-worker.ts", import.meta.url), "archive");
  return { writeUp: (record) => thread.ask(record), close: () => thread.close() };
}
