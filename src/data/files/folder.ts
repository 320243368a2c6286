import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

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
