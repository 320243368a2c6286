// Keeps page assets across upgrades, because open pages still request the assets of the build they
// were loaded from.

import { createHash } from "node:crypto";
import { lstat, mkdir, readdir, readFile, rename, rm, utimes, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";

import { makePrivateFolder } from "./private-folder.ts";

/** The current build and the previous one. */
const RETAINED_BUILDS = 2;
const TEMPORARY_SUFFIX = ".tmp";
/** Matches the names that this module creates. Other files in the folder are never deleted. */
const BUILD_NAME = /^[0-9a-f]{16}$/;
const OWN_FILE_NAME = /^[0-9a-f]{16}(?:\.tmp)?$/;

export type RetainedAssets = {
  /** Folders to serve, as absolute paths. Newest build first. */
  folders: string[];
  /** Set if this build couldn't be copied. Its assets are then served from the build output. */
  error: Error | null;
};

/**
 * Copies the files in `buildOutput` to a folder in `data`, and deletes all but the newest builds. A
 * copy is either complete or missing. Callers must hold the lock of the data folder.
 */
export async function retainAssets(data: string, buildOutput: string): Promise<RetainedAssets> {
  const folder = resolve(data);
  try {
    makePrivateFolder(folder);
    const buildFolder = join(folder, await buildName(buildOutput));
    if (!(await isCompleteCopy(buildFolder, buildOutput)))
      await copyBuild(buildOutput, buildFolder);
    const now = new Date();
    await utimes(buildFolder, now, now);
    const olderBuilds = (await listBuilds(folder)).filter((build) => build !== buildFolder);
    const retained = [buildFolder, ...olderBuilds].slice(0, RETAINED_BUILDS);
    await removeOtherBuilds(folder, retained);
    return { folders: retained, error: null };
  } catch (error) {
    const existingBuilds = await listBuilds(folder).catch(() => []);
    return {
      folders: [buildOutput, ...existingBuilds.slice(0, RETAINED_BUILDS)],
      error: error as Error,
    };
  }
}

/**
 * Hashes the file names, which identify a build because each contains a hash of the file's content.
 */
async function buildName(buildOutput: string): Promise<string> {
  const names = (await readdir(buildOutput)).toSorted();
  return createHash("sha256").update(names.join("\n")).digest("hex").slice(0, 16);
}

async function isCompleteCopy(copyFolder: string, buildOutput: string): Promise<boolean> {
  if (!(await isBuild(copyFolder))) return false;
  for (const name of await readdir(buildOutput)) {
    const copiedBytes = await readFile(join(copyFolder, name)).catch(() => null);
    if (copiedBytes?.equals(await readFile(join(buildOutput, name))) !== true) return false;
  }
  return true;
}

/** Writes to a temporary folder, and renames it once every file is on disk. */
async function copyBuild(buildOutput: string, copyFolder: string): Promise<void> {
  const temporary = `${copyFolder}${TEMPORARY_SUFFIX}`;
  await rm(temporary, { recursive: true, force: true });
  try {
    await mkdir(temporary);
    for (const name of await readdir(buildOutput))
      await writeFile(join(temporary, name), await readFile(join(buildOutput, name)), {
        flush: true,
      });
    await rm(copyFolder, { recursive: true, force: true });
    await rename(temporary, copyFolder);
  } catch (error) {
    // The disk may be full, so free the space.
    await rm(temporary, { recursive: true, force: true }).catch(() => {});
    throw error;
  }
}

async function listBuilds(folder: string): Promise<string[]> {
  const paths = (await readdir(folder)).filter((name) => BUILD_NAME.test(name));
  const builds: { path: string; started: number }[] = [];
  for (const path of paths.map((name) => join(folder, name)))
    if (await isBuild(path)) builds.push({ path, started: (await lstat(path)).mtimeMs });
  return builds.toSorted((a, b) => b.started - a.started).map(({ path }) => path);
}

/** Returns whether the folder contains only regular files, so that no link leads out of it. */
async function isBuild(path: string): Promise<boolean> {
  const stats = await lstat(path).catch(() => null);
  if (stats?.isDirectory() !== true) return false;
  const entries = await readdir(path, { withFileTypes: true });
  return entries.every((entry) => entry.isFile() && !entry.name.startsWith("."));
}

async function removeOtherBuilds(folder: string, retained: readonly string[]): Promise<void> {
  for (const name of (await readdir(folder)).filter((entry) => OWN_FILE_NAME.test(entry))) {
    const path = join(folder, name);
    if (!retained.includes(path)) await rm(path, { recursive: true, force: true });
  }
}
