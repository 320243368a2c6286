// Room on a disk, looked at before something large is written.

import { statfsSync, statSync } from "node:fs";

const MIB = 1024 * 1024;

/** For what does not grow with the data, in bytes. */
export const ROOM_MARGIN = 64 * MIB;

/** Bytes that are free for us where a folder is. */
export function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/** The same; null if the folder can't be read. */
export function freeBytesOrNull(folder: string): number | null {
  try {
    return freeBytes(folder);
  } catch {
    return null;
  }
}

/** The size of a file in bytes, 0 where there is none. */
export const sizeOf = (path: string): number =>
  statSync(path, { throwIfNoEntry: false })?.size ?? 0;

export const inMib = (bytes: number): number => Math.ceil(bytes / MIB);
