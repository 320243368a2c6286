import { createHash } from "node:crypto";
import { open, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

import { openThread, SMALL_HEAP } from "#base/threads/thread.ts";
import type { LadderId } from "#core/ids/ids.ts";
import { toStoreError, StoreError } from "#data/store/errors.ts";

import type {
  ArchiveDocument,
  MatchJsonLine,
  ArchiveCommand,
  ArchiveResult,
} from "./archive-protocol.ts";
import { TEMPORARY_SUFFIX } from "./atomic-files.ts";
import { makePrivateFolder } from "./private-folder.ts";

export type ArchiveContents = {
  /** Placed at the top level of the archive, in this order. */
  documents: readonly ArchiveDocument[];
  /** Pages of matches, newest first. Only one page is in memory at a time. */
  matches: AsyncIterable<readonly MatchJsonLine[]>;
};

export type Archives = {
  path(ladderId: LadderId): string;
  /**
   * Returns a readable archive, or null if the ladder has none. The file is opened on the first
   * read.
   */
  open(ladderId: LadderId): Promise<OpenArchive | null>;
  sizeOf(ladderId: LadderId): Promise<number | null>;
  ladders(): Promise<Set<LadderId>>;
  /**
   * Creates an archive on a separate thread, with all replays that still exist. The file appears
   * only once it is complete. Rejects with AbortError if `signal` aborts, and then leaves no files
   * behind.
   */
  make(ladderId: LadderId, contents: ArchiveContents, signal: AbortSignal): Promise<ArchiveResult>;
  /** Returns the size in bytes and the SHA-256 in hex, or null if the ladder has no archive. */
  checksum(ladderId: LadderId): Promise<ArchiveChecksum | null>;
};

type OpenArchive = { bytes: number; stream: Readable };
export type ArchiveChecksum = Pick<ArchiveResult, "bytes" | "sha256">;

const CHUNK_BYTES = 64 * 1024;

const EXTENSION = ".tar.gz";
const LADDER_ID = /^[a-z0-9][a-z0-9-]{1,31}$/;

/**
 * Opens the archive folder, creating it with owner-only permissions if needed. Deletes partial
 * files of a server that was killed. `replays` is the replay folder.
 */
export async function openArchives(folder: string, replays: string): Promise<Archives> {
  makePrivateFolder(folder);
  await withStoreErrors(() => removeTemporary(folder, ""));
  const archivePath = (ladderId: LadderId) => join(folder, fileName(ladderId));
  return {
    path: archivePath,
    open: async (ladderId) => withStoreErrors(() => openArchiveFile(archivePath(ladderId))),
    checksum: async (ladderId) => withStoreErrors(() => checksum(archivePath(ladderId))),
    sizeOf: async (ladderId) => withStoreErrors(() => sizeOf(archivePath(ladderId))),
    ladders: () => withStoreErrors(() => archivedLadders(folder)),
    make: async (ladderId, contents, signal) => {
      const beginCommand = {
        kind: "begin",
        path: archivePath(ladderId),
        replays,
        documents: contents.documents,
      };
      try {
        return await createArchive(beginCommand as ArchiveCommand, contents.matches, signal);
      } catch (error) {
        await removeTemporary(folder, fileName(ladderId)).catch(() => {});
        signal.throwIfAborted();
        throw toStoreError(error);
      }
    },
  };
}

/** Accepts only ladder IDs, so that no path can leave the folder. */
function fileName(ladderId: LadderId): string {
  if (!LADDER_ID.test(ladderId))
    throw new StoreError("invalid", "archive name must be a ladder ID");
  return ladderId + EXTENSION;
}

async function withStoreErrors<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw toStoreError(error);
  }
}

async function createArchive(
  beginCommand: ArchiveCommand,
  matches: ArchiveContents["matches"],
  signal: AbortSignal,
): Promise<ArchiveResult> {
  signal.throwIfAborted();
  const workerUrl = new URL("./archive-worker.ts", import.meta.url);
  const thread = openThread(workerUrl, {
    name: "archive",
    resourceLimits: SMALL_HEAP,
    restarts: false,
  });
  const sendCommand = <T>(command: ArchiveCommand) => thread.ask<T>(command);
  const closeThread = () => void thread.close();
  signal.addEventListener("abort", closeThread);
  try {
    await sendCommand(beginCommand);
    for await (const page of matches) await sendCommand({ kind: "matches", page });
    return await sendCommand<ArchiveResult>({ kind: "finish" });
  } finally {
    signal.removeEventListener("abort", closeThread);
    await thread.close();
  }
}

async function sizeOf(path: string): Promise<number | null> {
  const stats = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  return stats?.isFile() === true ? stats.size : null;
}

async function openArchiveFile(path: string): Promise<OpenArchive | null> {
  const bytes = await sizeOf(path);
  return bytes === null ? null : { bytes, stream: Readable.from(readChunks(path)) };
}

/** Opens the file on the first read, because the stream may never be read. */
async function* readChunks(path: string): AsyncGenerator<Buffer> {
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

async function checksum(path: string): Promise<ArchiveChecksum | null> {
  const archiveFile = await openArchiveFile(path);
  if (archiveFile === null) return null;
  const hash = createHash("sha256");
  await pipeline(archiveFile.stream, hash);
  return { bytes: archiveFile.bytes, sha256: hash.digest("hex") };
}

async function archivedLadders(folder: string): Promise<Set<LadderId>> {
  const files = (await readdir(folder, { withFileTypes: true })).filter((workerUrl) =>
    workerUrl.isFile(),
  );
  const names = files.map(({ name }) => name).filter((name) => name.endsWith(EXTENSION));
  return new Set(names.map((name) => name.slice(0, -EXTENSION.length)));
}

/** Deletes only files that this module created. */
async function removeTemporary(folder: string, prefix: string): Promise<void> {
  const names = (await readdir(folder)).filter(
    (name) =>
      name.startsWith(prefix) && name.includes(`${EXTENSION}.`) && name.endsWith(TEMPORARY_SUFFIX),
  );
  for (const name of names) await rm(join(folder, name), { force: true });
}
