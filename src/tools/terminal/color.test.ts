import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { formatLine, createStyledPart, wantsColor } from "./color.ts";

const TERMINAL = { isTTY: true };
const PIPE = {};

describe("colors", () => {
  const cases: [env: Record<string, string>, terminal: boolean, pipe: boolean][] = [
    [{}, true, false],
    [{ TERM: "dumb" }, false, false],
    [{ NO_COLOR: "1" }, false, false],
    [{ NO_COLOR: "0" }, false, false],
    [{ NO_COLOR: "" }, true, false],
    [{ FORCE_COLOR: "1" }, true, true],
    [{ FORCE_COLOR: "1", TERM: "dumb" }, true, true],
    [{ FORCE_COLOR: "0" }, false, false],
    [{ FORCE_COLOR: "false" }, false, false],
    [{ FORCE_COLOR: "" }, true, false],
    [{ FORCE_COLOR: "1", NO_COLOR: "1" }, false, false],
  ];
  for (const [env, terminal, pipe] of cases)
    it(`follow ${JSON.stringify(env)}`, () => {
      assert.deepEqual([wantsColor(TERMINAL, env), wantsColor(PIPE, env)], [terminal, pipe]);
    });

  it("escape untrusted text", () => {
    const line = ["name ", createStyledPart("\u001B[31mred", "bold")];
    assert.equal(formatLine(line, PIPE), "name \\u001b[31mred");
  });
});
