// Zip files (APPNOTE 6.3.10) with one purpose: the same files give the same bytes on every machine.

import { crc32, deflateRawSync } from "node:zlib";

import type { ArchivedFile } from "./tar.ts";

const LOCAL_HEADER = 0x04034b50;
const CENTRAL_HEADER = 0x02014b50;
const END_OF_DIRECTORY = 0x06054b50;
/** 2.0: compressed files. */
const VERSION_NEEDED = 20;
/** Made on Unix, so that the mode below holds. */
const MADE_BY = (3 << 8) | VERSION_NEEDED;
const UTF8_NAMES = 0x0800;
const DEFLATED = 8;
/** 1980-01-01, the earliest day of the format. */
const DATE = (1 << 5) | 1;
/** A regular file that all may read. */
const MODE = 0o100644 * 2 ** 16;

/** A zip file of these files, in their own order. */
export function zip(files: readonly ArchivedFile[]): Uint8Array {
  const parts: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let offset = 0;
  for (const { path, content } of files) {
    const name = Buffer.from(path);
    const packed = deflateRawSync(content, { level: 9 });
    const shared = sharedFields(name, content, packed);
    const local = Buffer.concat([uint32(LOCAL_HEADER), shared, uint16(0), name, packed]);
    parts.push(local);
    directory.push(
      Buffer.concat([
        uint32(CENTRAL_HEADER),
        uint16(MADE_BY),
        shared,
        // No extra field, no comment, the first disk, no internal attributes.
        uint16(0, 0, 0, 0),
        uint32(MODE, offset),
        name,
      ]),
    );
    offset += local.length;
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0);
  const end = [
    uint32(END_OF_DIRECTORY),
    uint16(0, 0, files.length, files.length),
    uint32(size, offset),
    uint16(0),
  ];
  return Buffer.concat([...parts, ...directory, ...end]);
}

/** The fields that a file's two headers have in common. */
function sharedFields(name: Uint8Array, content: Uint8Array, packed: Uint8Array): Uint8Array {
  return Buffer.concat([
    uint16(VERSION_NEEDED, UTF8_NAMES, DEFLATED, 0, DATE),
    uint32(crc32(content), packed.length, content.length),
    uint16(name.length),
  ]);
}

function uint16(...values: number[]): Uint8Array {
  const bytes = Buffer.alloc(2 * values.length);
  for (const [at, value] of values.entries()) bytes.writeUInt16LE(value, 2 * at);
  return bytes;
}

function uint32(...values: number[]): Uint8Array {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [at, value] of values.entries()) bytes.writeUInt32LE(value, 4 * at);
  return bytes;
}
