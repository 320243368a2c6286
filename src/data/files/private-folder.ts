import { lchownSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

const PRIVATE_FOLDER_MODE = 0o700;

/**
 * Creates a folder and its missing parents with owner-only permissions. Doesn't use Node's
 * recursive mkdir, which never returns where creation is forbidden, such as in /proc.
 */
export function makePrivateFolder(path: string): void {
  try {
    mkdirSync(path, { mode: PRIVATE_FOLDER_MODE });
  } catch (error) {
    if (isFolder(path)) return;
    const parent = dirname(path);
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ENOENT" || isFolder(parent)) throw error;
    makePrivateFolder(parent);
    mkdirSync(path, { mode: PRIVATE_FOLDER_MODE });
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

export type FileOwner = { uid: number; gid: number };

export function fileOwner(path: string): FileOwner {
  const { uid, gid } = statSync(path);
  return { uid, gid };
}

/**
 * Changes the owner of a file, or of a folder and its contents. Does nothing unless the process
 * runs as root.
 */
export function changeOwner(path: string, { uid, gid }: FileOwner): void {
  if (process.getuid?.() !== 0) return;
  lchownSync(path, uid, gid);
  if (!isFolder(path)) return;
  for (const entry of readdirSync(path, { withFileTypes: true, recursive: true }))
    lchownSync(join(entry.parentPath, entry.name), uid, gid);
}
