import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { isJsonTooDeep } from "./json-depth.ts";

const nestJson = (depth: number, open = "[", close = "]") =>
  open.repeat(depth) + close.repeat(depth);

describe("deeply nested JSON", () => {
  const texts: [what: string, text: string, isDeep: boolean][] = [
    ["the maximum depth", nestJson(64), false],
    ["one level more", nestJson(65), true],
    ["objects too", nestJson(65, '{"a":', "}"), true],
    ["unclosed levels", "[".repeat(5_000_000), true],
    ["many values side by side", `[${"[],{},".repeat(100)}0]`, false],
    ["brackets in a string", JSON.stringify("[".repeat(100)), false],
    ["brackets behind an escaped quote", JSON.stringify(`\\"${"[".repeat(100)}`), false],
    ["brackets behind a string that ends with a backslash", `["\\\\",${nestJson(64)}]`, true],
  ];
  for (const [description, text, isDeep] of texts)
    it(description, () => assert.equal(isJsonTooDeep(text), isDeep));
});
