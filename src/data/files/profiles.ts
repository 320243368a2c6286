// Stores CPU profile captures: a metadata file, and the profile once recorded. Both files are named
// after the capture's ID.

import { readdirSync, statSync } from "node:fs";
import { open, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";

import { Value } from "typebox/value";

import { CaptureSchema } from "#core/api/profiling.ts";
import type { Capture } from "#core/api/profiling.ts";
import { toStoreError, StoreError } from "#data/store/errors.ts";

import { FILE_MODE, TEMPORARY_SUFFIX, openAtomicFiles } from "./atomic-files.ts";
import { makePrivateFolder } from "./private-folder.ts";

/** Methods reject with StoreError. Writes create the folder if it doesn't exist. */
export type Profiles = {
  captures(): Promise<Capture[]>;
  putCapture(capture: Capture): Promise<void>;
  putProfile(id: string, text: string): Promise<void>;
  sizeOf(id: string): Promise<number | null>;
  /** Returns a stream that opens the file on the first read. */
  read(id: string): Readable;
  removeExcept(ids: ReadonlySet<string>): Promise<void>;
};

const CAPTURE_EXTENSION = ".json";
const PROFILE_EXTENSION = ".cpuprofile";
const UUID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
const CAPTURE_ID = new RegExp(`^${UUID}$`);
const OWN_FILE_NAME = new RegExp(
  `^(${UUID})(?:\\${CAPTURE_EXTENSION}|\\${PROFILE_EXTENSION})(?:\\.[0-9a-f-]{36}\\${TEMPORARY_SUFFIX})?$`,
);
const MAX_CAPTURE_BYTES = 16 * 1024;
/** Max metadata files read, in case the folder contains many unrelated files. */
const MAX_CAPTURES = 1000;
const CHUNK_BYTES = 64 * 1024;

export function openProfiles(folder: string): Profiles {
  const files = openAtomicFiles(folder);
  const path = (id: string, extension: string) => {
    if (!CAPTURE_ID.test(id)) throw new StoreError("invalid", "capture file name must be its ID");
    return join(folder, id + extension);
  };
  const writeText = (id: string, extension: string, text: string) =>
    withStoreErrors(async () => {
      makePrivateFolder(folder);
      await files.put(path(id, extension), (temporary) =>
        writeFile(temporary, text, { flag: "wx", mode: FILE_MODE, flush: true }),
      );
    });
  return {
    captures: () => withStoreErrors(() => readCaptures(folder)),
    putCapture: (capture) => writeText(capture.id, CAPTURE_EXTENSION, JSON.stringify(capture)),
    putProfile: (id, text) => writeText(id, PROFILE_EXTENSION, text),
    sizeOf: (id) => withStoreErrors(() => sizeOf(path(id, PROFILE_EXTENSION))),
    read: (id) => Readable.from(readChunks(path(id, PROFILE_EXTENSION))),
    removeExcept: (ids) => withStoreErrors(() => removeOthers(folder, ids)),
  };
}

async function withStoreErrors<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw toStoreError(error);
  }
}

async function readCaptures(folder: string): Promise<Capture[]> {
  const names = ownFiles(folder).filter((name) => name.endsWith(CAPTURE_EXTENSION));
  // IDs start with a timestamp, so they sort by time.
  const newest = names.toSorted().toReversed().slice(0, MAX_CAPTURES);
  const captures = await Promise.all(newest.map((name) => readCapture(join(folder, name))));
  return captures.filter((capture) => capture !== null);
}

async function readCapture(path: string): Promise<Capture | null> {
  try {
    const stats = await stat(path);
    if (!stats.isFile() || stats.size > MAX_CAPTURE_BYTES) return null;
    const capture: unknown = JSON.parse(await readFile(path, "utf8"));
    return Value.Check(CaptureSchema, capture) && path.endsWith(`${capture.id}${CAPTURE_EXTENSION}`)
      ? capture
      : null;
  } catch {
    return null;
  }
}

async function sizeOf(path: string): Promise<number | null> {
  const stats = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (["ENOENT", "ENOTDIR"].includes(error.code ?? "")) return null;
    throw error;
  });
  return stats?.isFile() === true ? stats.size : null;
}

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

/** Ignores files that can't be deleted. The next call tries again. */
async function removeOthers(folder: string, ids: ReadonlySet<string>): Promise<void> {
  for (const name of ownFiles(folder))
    if (!ids.has(OWN_FILE_NAME.exec(name)?.[1] ?? ""))
      await rm(join(folder, name), { force: true }).catch(() => {});
}

function ownFiles(folder: string): string[] {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  return readdirSync(folder).filter((name) => OWN_FILE_NAME.test(name));
}
