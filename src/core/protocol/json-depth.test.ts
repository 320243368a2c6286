import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { isTooDeep } from "./json-depth.ts";

const nested = (depth: number, open = "[", close = "]") => open.repeat(depth) + close.repeat(depth);

describe("JSON that is nested too deeply", () => {
  const texts: [what: string, text: string, isDeep: boolean][] = [
    ["as deep as may be", nested(64), false],
    ["one level more", nested(65), true],
    ["objects too", nested(65, '{"a":', "}"), true],
    ["levels that are never closed", "[".repeat(5_000_000), true],
    ["many values side by side", `[${"[],{},".repeat(100)}0]`, false],
    ["brackets in a string", JSON.stringify("[".repeat(100)), false],
    ["brackets behind an escaped quote", JSON.stringify(`\\"${"[".repeat(100)}`), false],
    ["brackets behind a string that ends with a backslash", `["\\\\",${nested(64)}]`, true],
  ];
  for (const [what, text, isDeep] of texts) it(what, () => assert.equal(isTooDeep(text), isDeep));
});
