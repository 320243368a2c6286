import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { it } from "node:test";

import { ERRORS } from "#core/protocol/errors.ts";
import { LIMITS } from "#core/words/limits.ts";

const PAGE = new URL("../../../docs/errors.md", import.meta.url);

it("documents every code with its status and close code, and no other", () => {
  const rows = readFileSync(PAGE, "utf8").matchAll(/^\| `(\w+)` \| (\S+) \| (\S+) \|/gm);
  const documented = [...rows].map(([, code, status, close]) => [code, status, close]);
  const catalogue = Object.entries(ERRORS).map(([code, entry]) => {
    const { status = "-", close = "-" } = entry as { status?: number; close?: number };
    return [code, String(status), String(close)];
  });
  assert.deepEqual(documented.map(String).toSorted(), catalogue.map(String).toSorted());
});

const NUMBERS: [text: string, limits: number[]][] = [
  // What an operator may change has no number there.
  [ERRORS.rate_limited.text, []],
  [ERRORS.version_limit.text, [24]],
  [ERRORS.invalid_bot.text, [LIMITS.bot_name_min, LIMITS.bot_name_max]],
  [ERRORS.invalid_handle.text, [1, LIMITS.owner_max]],
  [ERRORS.invalid_version.text, [1, LIMITS.version_label_max]],
];
it("names limits with the numbers of their table", () => {
  for (const [text, limits] of NUMBERS) {
    const found = text.match(/\b(?<![a-zA-Z]-|0-)\d+\b(?!-9)/g) ?? [];
    assert.deepEqual(found.map(Number), limits, text);
  }
});
