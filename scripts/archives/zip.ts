// Writes reproducible zip files (APPNOTE 6.3.10): the same files produce the same bytes on every
// machine.

import { crc32, deflateRawSync } from "node:zlib";

import type { ArchivedFile } from "./tar.ts";

const LOCAL_HEADER = 0x04034b50;
const CENTRAL_HEADER = 0x02014b50;
const END_OF_DIRECTORY = 0x06054b50;
/** Version 2.0, the first with deflate. */
const VERSION_NEEDED = 20;
/** Declares Unix as the host system, so that readers apply `MODE`. */
const MADE_BY = (3 << 8) | VERSION_NEEDED;
const UTF8_NAMES = 0x0800;
const DEFLATED = 8;
const DATE = (1 << 5) | 1;
const MODE = 0o100644 * 2 ** 16;

export function createZip(files: readonly ArchivedFile[]): Uint8Array {
  const fileRecords: Uint8Array[] = [];
  const centralDirectory: Uint8Array[] = [];
  let offset = 0;
  for (const { path, content } of files) {
    const name = Buffer.from(path);
    const compressed = deflateRawSync(content, { level: 9 });
    const sharedHeader = sharedFields(name, content, compressed);
    const localHeader = Buffer.concat([
      uint32(LOCAL_HEADER),
      sharedHeader,
      uint16(0),
      name,
      compressed,
    ]);
    fileRecords.push(localHeader);
    centralDirectory.push(
      Buffer.concat([
        uint32(CENTRAL_HEADER),
        uint16(MADE_BY),
        sharedHeader,
        // No extra field, no comment, disk 0, no internal attributes.
        uint16(0, 0, 0, 0),
        uint32(MODE, offset),
        name,
      ]),
    );
    offset += localHeader.length;
  }
  const size = centralDirectory.reduce((sum, { length }) => sum + length, 0);
  const endRecord = [
    uint32(END_OF_DIRECTORY),
    uint16(0, 0, files.length, files.length),
    uint32(size, offset),
    uint16(0),
  ];
  return Buffer.concat([...fileRecords, ...centralDirectory, ...endRecord]);
}

function sharedFields(name: Uint8Array, content: Uint8Array, compressed: Uint8Array): Uint8Array {
  return Buffer.concat([
    uint16(VERSION_NEEDED, UTF8_NAMES, DEFLATED, 0, DATE),
    uint32(crc32(content), compressed.length, content.length),
    uint16(name.length),
  ]);
}

function uint16(...values: number[]): Uint8Array {
  const bytes = Buffer.alloc(2 * values.length);
  for (const [index, value] of values.entries()) bytes.writeUInt16LE(value, 2 * index);
  return bytes;
}

function uint32(...values: number[]): Uint8Array {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [index, value] of values.entries()) bytes.writeUInt32LE(value, 4 * index);
  return bytes;
}
