import { statfsSync, statSync } from "node:fs";

const MIB = 1024 * 1024;

/** Reserve in bytes for writes whose size doesn't depend on the data. */
export const FREE_SPACE_MARGIN = 64 * MIB;

/** Returns the bytes available to this process on the folder's file system. */
export function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

export function freeBytesOrNull(folder: string): number | null {
  try {
    return freeBytes(folder);
  } catch {
    return null;
  }
}

export const fileSize = (path: string): number =>
  statSync(path, { throwIfNoEntry: false })?.size ?? 0;

export const toMib = (bytes: number): number => Math.ceil(bytes / MIB);
