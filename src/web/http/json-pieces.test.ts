import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { jsonPieces, rowPieces } from "./json-pieces.ts";

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

describe("pieces of JSON", () => {
  for (const value of VALUES)
    it(`are together what JSON.stringify makes: ${JSON.stringify(value).slice(0, 40)}`, () => {
      assert.equal([...jsonPieces(value)].join(""), JSON.stringify(value));
    });

  it("are small, including those of a list in a field", () => {
    const whole = JSON.stringify(rows(500)).length;
    for (const value of [rows(500), { rows: rows(500) }])
      assert.ok(Math.max(...[...jsonPieces(value)].map(({ length }) => length)) < whole / 9);
  });

  it("are printed on demand", () => {
    let printed = 0;
    const pieces = rowPieces(rows(500), (some) => `${(printed += some.length)}`);
    pieces.next();
    assert.equal(printed, 0);
    pieces.next();
    assert.equal(printed, 50);
  });
});
