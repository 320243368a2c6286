import assert from "node:assert/strict";
import { it } from "node:test";

import { difficultyOf, displayName } from "./house.ts";

it("shows house bots by short names with their difficulty and player bots as they are", () => {
  const rows = [
    ["house-kiter", "Kiter", "Easy"],
    ["house-brawler", "Brawler", "Medium"],
    ["house-ts-starter", "Starter", "Hard"],
    ["house-champion", "Champion", "Very hard"],
    ["Rex", "Rex", null],
    ["constructor", "constructor", null],
  ] as const;
  for (const [name, display, difficulty] of rows) {
    assert.equal(displayName(name), display);
    assert.equal(difficultyOf(name), difficulty);
  }
});
