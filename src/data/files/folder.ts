import { lchownSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

const OWNER_ALONE = 0o700;

/**
 * Makes a folder and its missing parents, for the owner alone. Node's recursive mkdir never returns
 * where the system lets nobody make one, as in /proc.
 */
export function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: OWNER_ALONE });
  } catch (error) {
    if (isFolder(path)) return;
    const above = dirname(path);
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ENOENT" || isFolder(above)) throw error;
    makeFolder(above);
    mkdirSync(path, { mode: OWNER_ALONE });
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

export type FileOwner = { uid: number; gid: number };

export function ownerOf(path: string): FileOwner {
  const { uid, gid } = statSync(path);
  return { uid, gid };
}

/** Gives a file, or a folder with all that is in it, to an owner. Does nothing unless run as root. */
export function giveTo(path: string, { uid, gid }: FileOwner): void {
  if (process.getuid?.() !== 0) return;
  lchownSync(path, uid, gid);
  if (!isFolder(path)) return;
  for (const entry of readdirSync(path, { withFileTypes: true, recursive: true }))
    lchownSync(join(entry.parentPath, entry.name), uid, gid);
}
