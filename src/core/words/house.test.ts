import assert from "node:assert/strict";
import { it } from "node:test";

import { difficultyOf, displayName, holdsScale } from "./house.ts";

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

it("lets house bots hold the scale, but neither the champion nor a player of such a name", () => {
  for (const [name, house, holds] of [
    ["house-kiter", true, true],
    ["house-brawler", true, true],
    ["house-ts-starter", true, true],
    ["house-champion", true, false],
    ["house-of-later", true, true],
    ["house-kiter", false, false],
    ["Rex", false, false],
  ] as const)
    assert.equal(holdsScale({ name, house }), holds, `${name}, ${house}`);
});
