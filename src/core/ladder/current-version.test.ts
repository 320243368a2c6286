import assert from "node:assert/strict";
import { it } from "node:test";

import { currentVersion, lastPlayedVersion } from "./current-version.ts";

const version = (label: string, created: string, retired = false) => ({
  id: `id-${label}`,
  label,
  created,
  retired,
});
const played = (lastPlayed: string | null, lastMatchId: string | null = "m1") => ({
  lastPlayed,
  lastMatchId,
});

const first = version("first", "2026-01-01");
const second = version("second", "2026-01-02");
const third = version("third", "2026-01-03", true);

it("takes the live version that last played, else the newest, else none", () => {
  const rows = [
    { board: [], versions: [second, first, third], current: "second" },
    { board: [["id-first", played("2026-02-01")]], versions: [first, second], current: "first" },
    { board: [["id-third", played("2026-02-01")]], versions: [first, third], current: "first" },
    { board: [["id-first", played(null, null)]], versions: [first, second], current: "second" },
    { board: [], versions: [third], current: undefined },
    { board: [], versions: [], current: undefined },
  ] as const;
  for (const { board, versions, current } of rows)
    assert.equal(currentVersion(versions, new Map(board))?.label, current);
});

it("tells games that ended at one instant apart by match id", () => {
  const board = new Map([
    ["id-first", played("2026-02-01", "m2")],
    ["id-second", played("2026-02-01", "m1")],
  ]);
  assert.equal(lastPlayedVersion([first, second], board)?.label, "first");
});
