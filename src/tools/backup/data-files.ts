import { constants } from "node:fs";
import { copyFile, link, open, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";

import { mapConcurrent } from "#base/util/map-concurrent.ts";
import { TEMPORARY_SUFFIX } from "#data/files/atomic-files.ts";
import { makePrivateFolder } from "#data/files/private-folder.ts";

import { PROGRESS_INTERVAL } from "./manifest.ts";

/** Replays come first. They are the most numerous, and new ones appear during a backup. */
const FOLDERS = ["replays", "images", "archives"] as const;

const MAX_CONCURRENT_FILES = 8;

/**
 * Returns paths relative to the data folder. Files with these names are complete and never change;
 * incomplete files have other names.
 */
export async function listDataFiles(data: string): Promise<string[]> {
  const paths: string[] = [];
  for (const folder of FOLDERS)
    for (const entry of await readEntries(join(data, folder)))
      if (entry.isFile() && !entry.name.endsWith(TEMPORARY_SUFFIX))
        paths.push(`${folder}/${entry.name}`);
  return paths.filter((path) => /^[a-z]+\/[\w-][\w.-]*$/.test(path));
}

async function readEntries(folder: string) {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

/** Returns the total size in bytes. Files that no longer exist count 0. */
export async function sumFileBytes(data: string, paths: readonly string[]): Promise<number> {
  let bytes = 0;
  await mapConcurrent(MAX_CONCURRENT_FILES, paths, async (path) => {
    const fileStat = await stat(join(data, path)).catch(nullIfMissing);
    bytes += fileStat?.size ?? 0;
  });
  return bytes;
}

/**
 * Puts a file in another place. Returns false if the file no longer exists, because the server
 * deletes replays.
 */
export type Placer = (from: string, to: string) => Promise<boolean>;

const linkFile: Placer = async (from, to) => isPlaced(link(from, to));

/** Copies the file and syncs it to disk. */
export const copyDurably: Placer = async (from, to) => {
  if (!(await isPlaced(copyFile(from, to, constants.COPYFILE_EXCL)))) return false;
  await using file = await open(to, "r+");
  await file.sync();
  return true;
};

const isPlaced = async (placement: Promise<void>): Promise<boolean> =>
  (await placement.then(() => true as const).catch(nullIfMissing)) !== null;

function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT") return null;
  throw error;
}

/**
 * Link errors for which the file is copied instead: other disk, no hard link support, too many
 * links, or links not permitted.
 */
const LINK_ERROR_CODES = ["EXDEV", "EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"];

/**
 * Returns a function that puts files from `data` into `folder`, as hard links if possible and
 * otherwise as copies.
 */
export async function choosePlacer(data: string, folder: string): Promise<Placer> {
  const [samplePath] = await listDataFiles(data);
  if (samplePath === undefined) return copyDurably;
  const probe = join(folder, "link-probe");
  try {
    await link(join(data, samplePath), probe);
    return linkFile;
  } catch (error) {
    if (LINK_ERROR_CODES.includes((error as NodeJS.ErrnoException).code ?? "")) return copyDurably;
    throw error;
  } finally {
    await rm(probe, { force: true });
  }
}

export const needsSpace = (placeFile: Placer): boolean => placeFile === copyDurably;

/** Resolves with the files that still existed. */
export async function placeFiles(
  from: string,
  to: string,
  paths: readonly string[],
  placeFile: Placer,
  reportProgress: (statusText: string) => void,
): Promise<string[]> {
  for (const folder of FOLDERS) makePrivateFolder(join(to, folder));
  const placedPaths: string[] = [];
  let finishedCount = 0;
  await mapConcurrent(MAX_CONCURRENT_FILES, paths, async (path) => {
    if (await placeFile(join(from, path), join(to, path))) placedPaths.push(path);
    finishedCount += 1;
    if (finishedCount % PROGRESS_INTERVAL === 0)
      reportProgress(`files: ${finishedCount} of ${paths.length}`);
  });
  for (const folder of FOLDERS) await syncFolder(join(to, folder));
  return placedPaths;
}

export async function syncFolder(folder: string): Promise<void> {
  await using folderHandle = await open(folder, "r");
  await folderHandle.sync();
}
