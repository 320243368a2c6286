import assert from "node:assert/strict";
import { test } from "node:test";
import { crc32, inflateSync } from "node:zlib";

import { CARD, cardPng } from "./social-card.ts";

type Chunk = [type: string, data: Buffer];

/**
 * Returns the type and data of each PNG chunk, in file order. Fails if there are fewer than two.
 */
function readChunks(png: Buffer): [Chunk, Chunk, ...Chunk[]] {
  const chunks: Chunk[] = [];
  for (let offset = 8; offset < png.length;) {
    const end = offset + 8 + png.readUInt32BE(offset);
    assert.equal(png.readUInt32BE(end), crc32(png.subarray(offset + 4, end)));
    chunks.push([png.toString("latin1", offset + 4, offset + 8), png.subarray(offset + 8, end)]);
    offset = end + 4;
  }
  const [first, second, ...otherChunks] = chunks;
  assert.ok(first !== undefined && second !== undefined);
  return [first, second, ...otherChunks];
}

test("the card is a PNG that shows both fighters from the logo on the paper colour", () => {
  const png = cardPng();
  const [start, body, ...otherChunks] = readChunks(png);
  const [[first, header], [, data]] = [start!, body!];
  assert.deepEqual([first, otherChunks.map(([type]) => type)], ["IHDR", ["IEND"]]);
  assert.deepEqual([header.readUInt32BE(0), header.readUInt32BE(4)], [CARD.width, CARD.height]);
  const rows = inflateSync(data);
  const line = 1 + 3 * CARD.width;
  assert.equal(rows.length, line * CARD.height);
  const colorAt = (x: number, y: number) => rows.toString("hex", line * y + 1 + 3 * x).slice(0, 6);
  assert.deepEqual(
    [colorAt(5, 5), colorAt(300, 60), colorAt(250, 200), colorAt(350, 115)],
    ["f6f3ec", "14161d", "ff6a4d", "62a8ff"],
  );
});
