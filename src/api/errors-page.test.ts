import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { it } from "node:test";

import { ERRORS } from "#protocol/errors.ts";

const PAGE = new URL("../../docs/errors.md", import.meta.url);

it("documents every code with its status and close code, and no other", () => {
  const rows = readFileSync(PAGE, "utf8").matchAll(/^\| `(\w+)` \| (\S+) \| (\S+) \|/gm);
  const documented = [...rows].map(([, code, status, close]) => [code, status, close]);
  const catalogue = Object.entries(ERRORS).map(([code, entry]) => {
    const { status = "-", close = "-" } = entry as { status?: number; close?: number };
    return [code, String(status), String(close)];
  });
  assert.deepEqual(documented.map(String).toSorted(), catalogue.map(String).toSorted());
});
