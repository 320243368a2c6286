import assert from "node:assert/strict";
import { it } from "node:test";

import { lastPlayedVersion } from "./current-version.ts";

const version = (label: string, created: string) => ({
  id: `id-${label}`,
  label,
  created,
  retired: false,
});
const played = (lastPlayed: string | null, lastMatchId: string | null = "m1") => ({
  lastPlayed,
  lastMatchId,
});

const first = version("first", "2026-01-01");
const second = version("second", "2026-01-02");

it("returns the version that played the last rated game, or null", () => {
  const rows = [
    { board: [], last: undefined },
    { board: [["id-first", played("2026-02-01")]], last: "first" },
    { board: [["id-first", played(null, null)]], last: undefined },
  ] as const;
  for (const { board, last } of rows)
    assert.equal(lastPlayedVersion([second, first], new Map(board))?.label, last);
});

it("breaks ties between games that ended at the same instant by match id", () => {
  const board = new Map([
    ["id-first", played("2026-02-01", "m2")],
    ["id-second", played("2026-02-01", "m1")],
  ]);
  assert.equal(lastPlayedVersion([first, second], board)?.label, "first");
});
