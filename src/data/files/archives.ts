// Archives of ladders that are over, one file each.

import { createHash } from "node:crypto";
import { open, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

import { openThread, SMALL_HEAP } from "#base/threads/thread.ts";
import type { LadderId } from "#core/words/ids.ts";
import { storeError, StoreError } from "#data/store/errors.ts";

import type { ArchiveDocument, MatchLine, ArchiveQuestion, MadeArchive } from "./archive-job.ts";
import { makeFolder } from "./folder.ts";
import { TEMPORARY } from "./whole-file.ts";

export type ArchiveParts = {
  /** Files at the top of the archive, in this order. */
  documents: readonly ArchiveDocument[];
  /** Pages of matches, newest first. One page is in memory at a time, and crosses to a thread. */
  matches: AsyncIterable<readonly MatchLine[]>;
};

/** Rejects with StoreError. */
export type Archives = {
  path(ladderId: LadderId): string;
  /** An archive for reading; null where there is none. Its file is opened at the first read. */
  open(ladderId: LadderId): Promise<OpenArchive | null>;
  /** The size of an archive; null where there is none. */
  sizeOf(ladderId: LadderId): Promise<number | null>;
  /** The ladders that have one. */
  ladders(): Promise<Set<LadderId>>;
  /**
   * Makes an archive with the replays that are there, in a thread of its own. The file exists
   * completely or not at all. Rejects with AbortError once `signal` aborts, leaving nothing behind.
   */
  make(ladderId: LadderId, parts: ArchiveParts, signal: AbortSignal): Promise<MadeArchive>;
  /** Size and SHA-256, in hex, of an archive that is there; null where there is none. */
  sumOf(ladderId: LadderId): Promise<ArchiveSum | null>;
};

type OpenArchive = { bytes: number; stream: Readable };
export type ArchiveSum = Pick<MadeArchive, "bytes" | "sha256">;

/** Of an archive, in one read. */
const CHUNK_BYTES = 64 * 1024;

const EXTENSION = ".tar.gz";
const LADDER_ID = /^[a-z0-9][a-z0-9-]{1,31}$/;

/**
 * Opens the folder of archives, or makes it for the owner alone, and removes what a killed server
 * left half-written. `replays` is the folder of replays.
 */
export async function openArchives(folder: string, replays: string): Promise<Archives> {
  makeFolder(folder);
  await typed(() => removeTemporary(folder, ""));
  const path = (ladderId: LadderId) => join(folder, fileName(ladderId));
  return {
    path,
    open: async (ladderId) => typed(() => openFile(path(ladderId))),
    sumOf: async (ladderId) => typed(() => sumOf(path(ladderId))),
    sizeOf: async (ladderId) => typed(() => sizeOf(path(ladderId))),
    ladders: () => typed(() => laddersIn(folder)),
    make: async (ladderId, parts, signal) => {
      const begin = { kind: "begin", path: path(ladderId), replays, documents: parts.documents };
      try {
        return await make(begin as ArchiveQuestion, parts.matches, signal);
      } catch (error) {
        await removeTemporary(folder, fileName(ladderId)).catch(() => {});
        signal.throwIfAborted();
        throw storeError(error);
      }
    },
  };
}

/** Only ids of ladders name a file, so none leads out of the folder. */
function fileName(ladderId: LadderId): string {
  if (!LADDER_ID.test(ladderId)) throw new StoreError("invalid", "an archive is named by a ladder");
  return ladderId + EXTENSION;
}

async function typed<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw storeError(error);
  }
}

async function make(
  begin: ArchiveQuestion,
  matches: ArchiveParts["matches"],
  signal: AbortSignal,
): Promise<MadeArchive> {
  signal.throwIfAborted();
  const entry = new URL("./archive-worker.ts", import.meta.url);
  const thread = openThread(entry, { name: "archive", heap: SMALL_HEAP, restarts: false });
  const ask = <T>(question: ArchiveQuestion) => thread.ask<T>(question);
  const end = () => void thread.close();
  signal.addEventListener("abort", end);
  try {
    await ask(begin);
    for await (const page of matches) await ask({ kind: "matches", page });
    return await ask<MadeArchive>({ kind: "finish" });
  } finally {
    signal.removeEventListener("abort", end);
    await thread.close();
  }
}

async function sizeOf(path: string): Promise<number | null> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  return found?.isFile() === true ? found.size : null;
}

async function openFile(path: string): Promise<OpenArchive | null> {
  const bytes = await sizeOf(path);
  return bytes === null ? null : { bytes, stream: Readable.from(bytesOf(path)) };
}

/** Nobody may ever read what is opened, so a file that is held must not be part of it. */
async function* bytesOf(path: string): AsyncGenerator<Buffer> {
  const file = await open(path);
  try {
    for (;;) {
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(CHUNK_BYTES), 0);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

async function sumOf(path: string): Promise<ArchiveSum | null> {
  const opened = await openFile(path);
  if (opened === null) return null;
  const hash = createHash("sha256");
  await pipeline(opened.stream, hash);
  return { bytes: opened.bytes, sha256: hash.digest("hex") };
}

async function laddersIn(folder: string): Promise<Set<LadderId>> {
  const files = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isFile());
  const names = files.map(({ name }) => name).filter((name) => name.endsWith(EXTENSION));
  return new Set(names.map((name) => name.slice(0, -EXTENSION.length)));
}

/** Other files in the folder are left alone. */
async function removeTemporary(folder: string, beginning: string): Promise<void> {
  const names = (await readdir(folder)).filter(
    (name) =>
      name.startsWith(beginning) && name.includes(`${EXTENSION}.`) && name.endsWith(TEMPORARY),
  );
  for (const name of names) await rm(join(folder, name), { force: true });
}
