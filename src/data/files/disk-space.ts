// Disk space checks before large writes.

import { statfsSync, statSync } from "node:fs";

const MIB = 1024 * 1024;

/** Fixed reserve for writes that don't grow with the data, in bytes. */
export const FREE_SPACE_MARGIN = 64 * MIB;

/** Returns the bytes available to us where a folder is. */
export function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/** Like `freeBytes`, but null if the folder can't be read. */
export function freeBytesOrNull(folder: string): number | null {
  try {
    return freeBytes(folder);
  } catch {
    return null;
  }
}

/** Returns the size of a file in bytes; 0 if it doesn't exist. */
export const fileSize = (path: string): number =>
  statSync(path, { throwIfNoEntry: false })?.size ?? 0;

export const toMib = (bytes: number): number => Math.ceil(bytes / MIB);
