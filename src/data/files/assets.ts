// Files that pages load, kept across upgrades: an open page asks for those of the build it is from.

import { createHash } from "node:crypto";
import { lstat, mkdir, readdir, readFile, rename, rm, utimes, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";

import { makeFolder } from "./folder.ts";

/** Builds whose files are served: the running one and the one before it. */
const KEPT_BUILDS = 2;
const TEMPORARY = ".tmp";
/** What this file makes there. Anything else in the folder is somebody else's, and left alone. */
const BUILD = /^[0-9a-f]{16}$/;
const OWN = /^[0-9a-f]{16}(?:\.tmp)?$/;

export type KeptAssets = {
  /** Folders to serve by absolute paths, that of the newest build first. */
  folders: string[];
  /** Why this build could not be kept; it is then served from where it was built. */
  error: Error | null;
};

/**
 * Keeps the files in `built` in a folder of their own in `data`, and removes all but the newest
 * builds. A kept build is there completely or not at all. Callers hold the lock of the data folder.
 */
export async function keepAssets(data: string, built: string): Promise<KeptAssets> {
  const folder = resolve(data);
  try {
    makeFolder(folder);
    const own = join(folder, await nameOf(built));
    if (!(await isWhole(own, built))) await copyWhole(built, own);
    const now = new Date();
    await utimes(own, now, now);
    const others = (await buildsIn(folder)).filter((build) => build !== own);
    const kept = [own, ...others].slice(0, KEPT_BUILDS);
    await removeBut(folder, kept);
    return { folders: kept, error: null };
  } catch (error) {
    const known = await buildsIn(folder).catch(() => []);
    return { folders: [built, ...known.slice(0, KEPT_BUILDS)], error: error as Error };
  }
}

/** A build is what its files are called: each name contains a hash of what is in the file. */
async function nameOf(built: string): Promise<string> {
  const names = (await readdir(built)).toSorted();
  return createHash("sha256").update(names.join("\n")).digest("hex").slice(0, 16);
}

/** Whether a kept build has every file of the built one, byte for byte. */
async function isWhole(kept: string, built: string): Promise<boolean> {
  if (!(await isBuild(kept))) return false;
  for (const name of await readdir(built)) {
    const there = await readFile(join(kept, name)).catch(() => null);
    if (there?.equals(await readFile(join(built, name))) !== true) return false;
  }
  return true;
}

/** Under a temporary name, then renamed, with every file on disk by then. */
async function copyWhole(built: string, kept: string): Promise<void> {
  const temporary = `${kept}${TEMPORARY}`;
  await rm(temporary, { recursive: true, force: true });
  try {
    await mkdir(temporary);
    for (const name of await readdir(built))
      await writeFile(join(temporary, name), await readFile(join(built, name)), { flush: true });
    await rm(kept, { recursive: true, force: true });
    await rename(temporary, kept);
  } catch (error) {
    // On a full disk, its room is needed elsewhere.
    await rm(temporary, { recursive: true, force: true }).catch(() => {});
    throw error;
  }
}

/** Paths of the kept builds, newest start first. */
async function buildsIn(folder: string): Promise<string[]> {
  const paths = (await readdir(folder)).filter((name) => BUILD.test(name));
  const builds: { path: string; started: number }[] = [];
  for (const path of paths.map((name) => join(folder, name)))
    if (await isBuild(path)) builds.push({ path, started: (await lstat(path)).mtimeMs });
  return builds.toSorted((one, other) => other.started - one.started).map(({ path }) => path);
}

/** A folder of plain files: no link leads out of what is served. */
async function isBuild(path: string): Promise<boolean> {
  const own = await lstat(path).catch(() => null);
  if (own?.isDirectory() !== true) return false;
  const inside = await readdir(path, { withFileTypes: true });
  return inside.every((entry) => entry.isFile() && !entry.name.startsWith("."));
}

async function removeBut(folder: string, kept: readonly string[]): Promise<void> {
  for (const name of (await readdir(folder)).filter((entry) => OWN.test(entry))) {
    const path = join(folder, name);
    if (!kept.includes(path)) await rm(path, { recursive: true, force: true });
  }
}
