// Captures of profiles on disk: for each a note of what it is, and its profile once it has one. Both
// are named by the capture's id alone.

import { readdirSync, statSync } from "node:fs";
import { open, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";

import { Value } from "typebox/value";

import { CaptureSchema } from "#core/operator/profiling.ts";
import type { Capture } from "#core/operator/profiling.ts";
import { storeError, StoreError } from "#data/store/errors.ts";

import { makeFolder } from "./folder.ts";
import { FILE_MODE, TEMPORARY, wholeFiles } from "./whole-file.ts";

/** Rejects with StoreError. The folder is made, and made again, when something is written. */
export type Profiles = {
  /** What is noted, without notes that are damaged. */
  notes(): Promise<Capture[]>;
  note(capture: Capture): Promise<void>;
  putProfile(id: string, text: string): Promise<void>;
  /** The size of a profile; null where there is none. */
  sizeOf(id: string): Promise<number | null>;
  /** A profile for reading; its file is opened at the first read. */
  read(id: string): Readable;
  /** Removes the files of all other captures. */
  keep(ids: ReadonlySet<string>): Promise<void>;
};

const NOTE = ".json";
const PROFILE = ".cpuprofile";
const UUID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
const ID = new RegExp(`^${UUID}$`);
/** Only these files in the folder are ours. */
const OURS = new RegExp(`^(${UUID})(?:\\${NOTE}|\\${PROFILE})(?:\\.[0-9a-f-]{36}\\${TEMPORARY})?$`);
/** A note is much smaller. */
const NOTE_BYTES = 16 * 1024;
/** Notes that are read of a folder into which somebody has copied more. */
const MOST_NOTES = 1000;
/** Of a profile, in one read. */
const CHUNK_BYTES = 64 * 1024;

export function openProfiles(folder: string): Profiles {
  const files = wholeFiles(folder);
  const path = (id: string, extension: string) => {
    if (!ID.test(id)) throw new StoreError("invalid", "a capture's file is named by its id");
    return join(folder, id + extension);
  };
  const put = (id: string, extension: string, text: string) =>
    typed(async () => {
      makeFolder(folder);
      await files.put(path(id, extension), (temporary) =>
        writeFile(temporary, text, { flag: "wx", mode: FILE_MODE, flush: true }),
      );
    });
  return {
    notes: () => typed(() => notesIn(folder)),
    note: (capture) => put(capture.id, NOTE, JSON.stringify(capture)),
    putProfile: (id, text) => put(id, PROFILE, text),
    sizeOf: (id) => typed(() => sizeOf(path(id, PROFILE))),
    read: (id) => Readable.from(bytesOf(path(id, PROFILE))),
    keep: (ids) => typed(() => removeOthers(folder, ids)),
  };
}

async function typed<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw storeError(error);
  }
}

async function notesIn(folder: string): Promise<Capture[]> {
  const names = ours(folder).filter((name) => name.endsWith(NOTE));
  // Ids begin with the time.
  const newest = names.toSorted().toReversed().slice(0, MOST_NOTES);
  const notes = await Promise.all(newest.map((name) => noteIn(join(folder, name))));
  return notes.filter((note) => note !== null);
}

/** Null for anything but a note, and for one that cannot be read. */
async function noteIn(path: string): Promise<Capture | null> {
  try {
    const found = await stat(path);
    if (!found.isFile() || found.size > NOTE_BYTES) return null;
    const note: unknown = JSON.parse(await readFile(path, "utf8"));
    return Value.Check(CaptureSchema, note) && path.endsWith(`${note.id}${NOTE}`) ? note : null;
  } catch {
    return null;
  }
}

async function sizeOf(path: string): Promise<number | null> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (["ENOENT", "ENOTDIR"].includes(error.code ?? "")) return null;
    throw error;
  });
  return found?.isFile() === true ? found.size : null;
}

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

/** What cannot be removed stays, and is tried again the next time. */
async function removeOthers(folder: string, ids: ReadonlySet<string>): Promise<void> {
  for (const name of ours(folder))
    if (!ids.has(OURS.exec(name)?.[1] ?? ""))
      await rm(join(folder, name), { force: true }).catch(() => {});
}

function ours(folder: string): string[] {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  return readdirSync(folder).filter((name) => OURS.test(name));
}
