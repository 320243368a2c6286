import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { jsonChunks, rowChunks } from "./json-chunks.ts";

const rows = (count: number) => Array.from({ length: count }, (_, id) => ({ id, name: `"${id}"` }));

const VALUES: unknown[] = [
  [],
  {},
  null,
  "text",
  7,
  rows(1),
  rows(50),
  rows(51),
  rows(500),
  { rows: rows(120), none: [], name: "a\u2028b", missing: undefined, inner: { list: rows(3) } },
  { missing: undefined },
];

describe("JSON chunks", () => {
  for (const value of VALUES)
    it(`concatenate to the output of JSON.stringify: ${JSON.stringify(value).slice(0, 40)}`, () => {
      assert.equal([...jsonChunks(value)].join(""), JSON.stringify(value));
    });

  it("are small, including those of a list in a field", () => {
    const fullLength = JSON.stringify(rows(500)).length;
    for (const value of [rows(500), { rows: rows(500) }])
      assert.ok(Math.max(...[...jsonChunks(value)].map(({ length }) => length)) < fullLength / 9);
  });

  it("are generated on demand", () => {
    let printed = 0;
    const chunks = rowChunks(rows(500), (rowChunk) => `${(printed += rowChunk.length)}`);
    chunks.next();
    assert.equal(printed, 0);
    chunks.next();
    assert.equal(printed, 50);
  });
});
