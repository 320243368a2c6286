// Archives in the ustar format of POSIX.1, with one purpose: the same files give the same bytes on
// every machine. npm packages that write archives copy times and owners from the disk.

import { gzipSync } from "node:zlib";

export type ArchivedFile = {
  /** With slashes, below 100 bytes. */
  path: string;
  content: Uint8Array;
};

const BLOCK = 512;
const NAME_BYTES = 100;
const CHECKSUM_AT = 148;
/** Readable by all, as every file of a source package is. */
const MODE = 0o644;
/** 1980-01-01, the earliest day that zip files support, since build tools copy it into one. */
const TIME_S = 315_532_800;
const REGULAR_FILE = "0";
const GZIP_SYSTEM_AT = 9;
const UNKNOWN_SYSTEM = 255;

/** A gzipped archive of these files, in the order of their paths. */
export function tarGz(files: readonly ArchivedFile[]): Uint8Array {
  const ordered = files.toSorted((one, other) => (one.path < other.path ? -1 : 1));
  const parts = ordered.flatMap(({ path, content }) => [
    headerOf(path, content.length),
    content,
    new Uint8Array(-content.length & (BLOCK - 1)),
  ]);
  const zipped = gzipSync(Buffer.concat([...parts, new Uint8Array(2 * BLOCK)]), { level: 9 });
  // Gzip records the system it ran on.
  zipped[GZIP_SYSTEM_AT] = UNKNOWN_SYSTEM;
  return zipped;
}

function headerOf(path: string, size: number): Uint8Array {
  if (Buffer.byteLength(path) >= NAME_BYTES) throw new Error(`${path} is too long for an archive`);
  const header = Buffer.alloc(BLOCK);
  const octal = (value: number, at: number, length: number) =>
    header.write(value.toString(8).padStart(length - 1, "0"), at, "latin1");
  header.write(path, 0);
  octal(MODE, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(size, 124, 12);
  octal(TIME_S, 136, 12);
  header.write(REGULAR_FILE, 156);
  header.write("ustar\u000000", 257);
  // The checksum is computed with its own field full of spaces.
  header.fill(" ", CHECKSUM_AT, CHECKSUM_AT + 8);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, CHECKSUM_AT, "latin1");
  return header;
}
