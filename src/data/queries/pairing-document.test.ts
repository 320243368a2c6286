import assert from "node:assert/strict";
import { test } from "node:test";

import { storedUnratedReason } from "./pairing-document.ts";

const ROW = { mode: "ranked", reason: "forfeit", voided: 1 } as const;

const DOCUMENTS: [name: string, row: Parameters<typeof storedUnratedReason>[0], reason: unknown][] =
  [
    ["says so", { ...ROW, pairing: '{"unrated":"window_closed"}' }, "window_closed"],
    ["is older, of a forfeit", { ...ROW, pairing: "{}" }, "nobody_ready"],
    ["is older, of a fault", { ...ROW, reason: "server_fault", pairing: "null" }, "server_fault"],
    ["is not there", { ...ROW, pairing: null }, "nobody_ready"],
  ];
for (const [name, row, reason] of DOCUMENTS)
  test(`a match whose document ${name} is unrated for ${String(reason)}`, () => {
    assert.equal(storedUnratedReason(row), reason);
  });
