// Files that pages load, kept across upgrades: an open page asks for those of the build it is from.

import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { makeFolder } from "./folder.ts";

/** Builds whose files are served: the running one and the one before it. */
const KEPT_BUILDS = 2;
const TEMPORARY = ".tmp";

export type KeptAssets = {
  /** Folders to serve, those of the newest build first. */
  folders: string[];
  /** Why this build could not be kept; it is then served from where it was built. */
  error: Error | null;
};

/**
 * Keeps the files in `built` in a folder of their own in `folder`, and removes all but the newest
 * builds. A kept build is there completely or not at all. Callers hold the lock of the data folder.
 */
export async function keepAssets(folder: string, built: string): Promise<KeptAssets> {
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

/** Whether a kept build has every file of the built one in full. */
async function isWhole(kept: string, built: string): Promise<boolean> {
  for (const name of await readdir(built)) {
    const there = await stat(join(kept, name)).catch(() => null);
    if (there?.size !== (await stat(join(built, name))).size) return false;
  }
  return true;
}

/** Under a temporary name, then renamed, with every file on disk by then. */
async function copyWhole(built: string, kept: string): Promise<void> {
  const temporary = `${kept}${TEMPORARY}`;
  await rm(temporary, { recursive: true, force: true });
  await mkdir(temporary);
  for (const name of await readdir(built))
    await writeFile(join(temporary, name), await readFile(join(built, name)), { flush: true });
  await rm(kept, { recursive: true, force: true });
  await rename(temporary, kept);
}

/** Paths of the kept builds, newest start first. */
async function buildsIn(folder: string): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => !name.endsWith(TEMPORARY));
  const builds = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      return { path, started: (await stat(path)).mtimeMs };
    }),
  );
  return builds.toSorted((one, other) => other.started - one.started).map(({ path }) => path);
}

async function removeBut(folder: string, kept: readonly string[]): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    if (!kept.includes(path)) await rm(path, { recursive: true, force: true });
  }
}
