// The folders of files that belong to the database, in a data folder and in a backup.

import { constants } from "node:fs";
import { copyFile, link, open, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";

import { eachAtMost } from "#base/units/each-at-most.ts";
import { makeFolder } from "#data/files/folder.ts";
import { TEMPORARY } from "#data/files/whole-file.ts";

import { TELL_EVERY } from "./manifest.ts";

/** Replays come first: they are the most, and bots add to them while a backup is made. */
const FOLDERS = ["replays", "images", "archives"] as const;

/** Files that are copied at a time. */
const AT_ONCE = 8;

/**
 * The files in these folders, by paths in the data folder. What is there is whole and never
 * changes; what is not whole yet has another name.
 */
export async function keptFiles(data: string): Promise<string[]> {
  const found: string[] = [];
  for (const folder of FOLDERS)
    for (const entry of await entriesOf(join(data, folder)))
      if (entry.isFile() && !entry.name.endsWith(TEMPORARY)) found.push(`${folder}/${entry.name}`);
  return found.filter((path) => /^[a-z]+\/[\w-][\w.-]*$/.test(path));
}

async function entriesOf(folder: string) {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

/** Bytes of these files; those that are gone by now have none. */
export async function bytesOf(data: string, paths: readonly string[]): Promise<number> {
  let bytes = 0;
  await eachAtMost(AT_ONCE, paths, async (path) => {
    const found = await stat(join(data, path)).catch(orGone);
    bytes += found?.size ?? 0;
  });
  return bytes;
}

/** Puts a file in another place. False if it is gone by now: a server trims replays. */
export type Placer = (from: string, to: string) => Promise<boolean>;

/** A second name for the same file: no bytes are copied, and the first name may go. */
const linked: Placer = async (from, to) => isThere(link(from, to));

/** A file of its own, on disk by then. */
export const copied: Placer = async (from, to) => {
  if (!(await isThere(copyFile(from, to, constants.COPYFILE_EXCL)))) return false;
  await using file = await open(to, "r+");
  await file.sync();
  return true;
};

const isThere = async (done: Promise<void>): Promise<boolean> =>
  (await done.then(() => true as const).catch(orGone)) !== null;

function orGone(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT") return null;
  throw error;
}

/** Another disk, a file system without links, one that has too many, one that allows none. */
const NO_LINKS = ["EXDEV", "EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"];

/** How files get from one folder to another: by links where one can be made. */
export async function placerFor(data: string, folder: string): Promise<Placer> {
  const [sample] = await keptFiles(data);
  if (sample === undefined) return copied;
  const probe = join(folder, "link-probe");
  try {
    await link(join(data, sample), probe);
    return linked;
  } catch (error) {
    if (NO_LINKS.includes((error as NodeJS.ErrnoException).code ?? "")) return copied;
    throw error;
  } finally {
    await rm(probe, { force: true });
  }
}

/** Whether a backup made like this takes room for its files. */
export const takesRoom = (place: Placer): boolean => place === copied;

/** Puts files of one folder into another, as `place` does; resolves with those that were there. */
export async function placeFiles(
  from: string,
  to: string,
  paths: readonly string[],
  place: Placer,
  tell: (news: string) => void,
): Promise<string[]> {
  for (const folder of FOLDERS) makeFolder(join(to, folder));
  const placed: string[] = [];
  let done = 0;
  await eachAtMost(AT_ONCE, paths, async (path) => {
    if (await place(join(from, path), join(to, path))) placed.push(path);
    done += 1;
    if (done % TELL_EVERY === 0) tell(`files: ${done} of ${paths.length}`);
  });
  for (const folder of FOLDERS) await syncFolder(join(to, folder));
  return placed;
}

/** The names in a folder are on disk by then. */
export async function syncFolder(folder: string): Promise<void> {
  await using opened = await open(folder, "r");
  await opened.sync();
}
