import assert from "node:assert/strict";
import { test } from "node:test";
import { crc32, inflateSync } from "node:zlib";

import { CARD, cardPng } from "./card.ts";

type Chunk = [type: string, data: Buffer];

/** Type and data of each chunk, in order; there are two at least. */
function chunksOf(png: Buffer): [Chunk, Chunk, ...Chunk[]] {
  const found: Chunk[] = [];
  for (let at = 8; at < png.length;) {
    const end = at + 8 + png.readUInt32BE(at);
    assert.equal(png.readUInt32BE(end), crc32(png.subarray(at + 4, end)));
    found.push([png.toString("latin1", at + 4, at + 8), png.subarray(at + 8, end)]);
    at = end + 4;
  }
  const [first, second, ...rest] = found;
  assert.ok(first !== undefined && second !== undefined);
  return [first, second, ...rest];
}

test("the card is a PNG with both fighters of the mark on paper", () => {
  const png = cardPng();
  const [start, body, ...rest] = chunksOf(png);
  const [[first, header], [, data]] = [start!, body!];
  assert.deepEqual([first, rest.map(([type]) => type)], ["IHDR", ["IEND"]]);
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
