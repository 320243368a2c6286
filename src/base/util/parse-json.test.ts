import assert from "node:assert/strict";
import { suite, test } from "node:test";

import { parseJson } from "./parse-json.ts";

const SYNTAX_ERRORS: readonly [json: string, line: number, column: number][] = [
  ["", 1, 1],
  ["{", 1, 2],
  ["oops", 1, 1],
  ["\ufeff\n  oops", 2, 3],
  ['{"a": x}', 1, 7],
  ['{"a": "at position 9 (line 9 column 9)", "b": x}', 1, 47],
  ['{"a": }', 1, 7],
  ['{"a": {}, "b": [[], {}, [x]]}', 1, 26],
  ["[1,\n 2,\n ,3]", 3, 2],
  ["[1,\r\n 2\r\n 3]", 3, 2],
  ['["a\\"b", truth]', 1, 10],
  ["{'a': 1}", 1, 2],
  ['{"a": 1,}', 1, 9],
  ['{"a" 1}', 1, 6],
  ['["tab\t"]', 1, 6],
  ['["\\q"]', 1, 4],
  ["[01]", 1, 3],
  ["[1] 2", 1, 5],
  ["// a comment\n{}", 1, 1],
  ["[object Object]", 1, 2],
  ["\u00a0{}", 1, 1],
];

suite("parseJson", () => {
  test("returns the value, ignoring a byte order mark", () => {
    assert.deepEqual(parseJson('\ufeff{"a": "\ufeff"}'), { value: { a: "\ufeff" } });
    assert.deepEqual(parseJson("null"), { value: null });
  });

  for (const [json, line, column] of SYNTAX_ERRORS)
    test(`reports the position of the syntax error in ${JSON.stringify(json)}`, () => {
      assert.throws(() => JSON.parse(json.replace(/^\ufeff/, "")), SyntaxError);
      assert.deepEqual(parseJson(json), { position: `line ${line}, column ${column}` });
    });

  test("reports the position where text of any length is truncated", () => {
    const json = JSON.stringify({ a: [1.5e3, true, null], b: { c: 'd"\\' } });
    for (let length = 0; length < json.length; length += 1)
      assert.deepEqual(
        parseJson(json.slice(0, length)),
        { position: `line 1, column ${length + 1}` },
        json.slice(0, length),
      );
  });
});
