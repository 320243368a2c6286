// Writes reproducible POSIX.1 ustar archives: the same files produce the same bytes on every
// machine. The npm packages for tar copy timestamps and owners from disk.

import { gzipSync } from "node:zlib";

export type ArchivedFile = {
  /** Path with forward slashes, shorter than 100 bytes. */
  path: string;
  content: Uint8Array;
};

const BLOCK_BYTES = 512;
const NAME_BYTES = 100;
const CHECKSUM_AT = 148;
const MODE = 0o644;
/**
 * 1980-01-01, the earliest date that a zip file can store. Some build tools convert tar archives to
 * zip.
 */
const TIME_S = 315_532_800;
const REGULAR_FILE = "0";
const GZIP_SYSTEM_AT = 9;
const UNKNOWN_SYSTEM = 255;

/** Returns a gzipped tar archive of the files, sorted by path. */
export function tarGz(files: readonly ArchivedFile[]): Uint8Array {
  const sortedFiles = files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const blocks = sortedFiles.flatMap(({ path, content }) => [
    tarHeader(path, content.length),
    content,
    new Uint8Array(-content.length & (BLOCK_BYTES - 1)),
  ]);
  const gzipped = gzipSync(Buffer.concat([...blocks, new Uint8Array(2 * BLOCK_BYTES)]), {
    level: 9,
  });
  // The gzip header names the operating system, so it would differ between machines.
  gzipped[GZIP_SYSTEM_AT] = UNKNOWN_SYSTEM;
  return gzipped;
}

function tarHeader(path: string, size: number): Uint8Array {
  if (Buffer.byteLength(path) >= NAME_BYTES) throw new Error(`${path} is too long for an archive`);
  const header = Buffer.alloc(BLOCK_BYTES);
  const writeOctal = (value: number, offset: number, length: number) =>
    header.write(value.toString(8).padStart(length - 1, "0"), offset, "latin1");
  header.write(path, 0);
  writeOctal(MODE, 100, 8);
  writeOctal(0, 108, 8);
  writeOctal(0, 116, 8);
  writeOctal(size, 124, 12);
  writeOctal(TIME_S, 136, 12);
  header.write(REGULAR_FILE, 156);
  header.write("ustar\u000000", 257);
  // The checksum is computed with its own field filled with spaces.
  header.fill(" ", CHECKSUM_AT, CHECKSUM_AT + 8);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, CHECKSUM_AT, "latin1");
  return header;
}
