import assert from "node:assert/strict";
import { it } from "node:test";

import { difficultyOf, displayName, isScaleAnchor } from "./house-bots.ts";

it("displays house bots by short name and difficulty, and player bots unchanged", () => {
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

it("house bots except the champion anchor the rating scale, and player bots with their names don't", () => {
  for (const [name, house, isAnchor] of [
    ["house-kiter", true, true],
    ["house-brawler", true, true],
    ["house-ts-starter", true, true],
    ["house-champion", true, false],
    ["house-of-later", true, true],
    ["house-kiter", false, false],
    ["Rex", false, false],
  ] as const)
    assert.equal(isScaleAnchor({ name, house }), isAnchor, `${name}, ${house}`);
});
