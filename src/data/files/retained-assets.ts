// Keeps page assets across upgrades: an open page still requests the assets of its own build.

import { createHash } from "node:crypto";
import { lstat, mkdir, readdir, readFile, rename, rm, utimes, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";

import { makePrivateFolder } from "./private-folder.ts";

/** Builds that are served: the current and the previous one. */
const RETAINED_BUILDS = 2;
const TEMPORARY_SUFFIX = ".tmp";
/** Names created by this module. Other files in the folder are left alone. */
const BUILD_NAME = /^[0-9a-f]{16}$/;
const OWN_FILE_NAME = /^[0-9a-f]{16}(?:\.tmp)?$/;

export type RetainedAssets = {
  /** Folders to serve, as absolute paths, newest build first. */
  folders: string[];
  /** Why this build couldn't be copied; it is then served from the build output. */
  error: Error | null;
};

/**
 * Copies the files in `buildOutput` to a folder in `data`, and removes all but the newest builds. A
 * copy exists completely or not at all. Callers hold the data folder's lock.
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

/** File names identify a build, because each contains a hash of its content. */
async function buildName(buildOutput: string): Promise<string> {
  const names = (await readdir(buildOutput)).toSorted();
  return createHash("sha256").update(names.join("\n")).digest("hex").slice(0, 16);
}

/** Whether a copy has every file of the build, byte for byte. */
async function isCompleteCopy(copyFolder: string, buildOutput: string): Promise<boolean> {
  if (!(await isBuild(copyFolder))) return false;
  for (const name of await readdir(buildOutput)) {
    const copiedBytes = await readFile(join(copyFolder, name)).catch(() => null);
    if (copiedBytes?.equals(await readFile(join(buildOutput, name))) !== true) return false;
  }
  return true;
}

/** Writes under a temporary name and renames once every file is on disk. */
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
    // Free the space: the disk may be full.
    await rm(temporary, { recursive: true, force: true }).catch(() => {});
    throw error;
  }
}

/** Paths of the retained builds, most recent start first. */
async function listBuilds(folder: string): Promise<string[]> {
  const paths = (await readdir(folder)).filter((name) => BUILD_NAME.test(name));
  const builds: { path: string; started: number }[] = [];
  for (const path of paths.map((name) => join(folder, name)))
    if (await isBuild(path)) builds.push({ path, started: (await lstat(path)).mtimeMs });
  return builds.toSorted((a, b) => b.started - a.started).map(({ path }) => path);
}

/** Whether a folder has plain files only, so that no link leads outside. */
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
