import assert from "node:assert/strict";
import { it } from "node:test";

import { offsetOf, rangeOf, wanted } from "./standings-page.ts";

const one = (name: string, owner: string, display = name) => ({
  name,
  display,
  owner,
  house: owner === "house",
});
const ALL = [one("Rex", "ada"), one("house-kiter", "house", "Kiter"), one("rexona", "Bob")];

const CASES: [wish: Parameters<typeof wanted>[1], names: string[]][] = [
  [{}, ["Rex", "house-kiter", "rexona"]],
  [{ text: "REX" }, ["Rex", "rexona"]],
  [{ text: "kite" }, ["house-kiter"]],
  [{ text: "bo" }, ["rexona"]],
  [{ house: true }, ["house-kiter"]],
  [{ house: false, text: "x" }, ["Rex", "rexona"]],
  [{ owner: "ADA" }, ["Rex"]],
  [{ owner: "ad" }, []],
];

for (const [wish, names] of CASES)
  it(`finds in the standings ${JSON.stringify(wish)}`, () => {
    const found = wanted(ALL, wish);
    assert.deepEqual(
      found.map(({ name }) => name),
      names,
    );
  });

it("knows on which page a bot is, in any letter case", () => {
  assert.equal(offsetOf(ALL, "REXONA", 2), 2);
  assert.equal(offsetOf(ALL, "House-Kiter", 2), 0);
  assert.equal(offsetOf(ALL, "nobody", 2), 0);
});

it("spans all intervals, two errors to each side", () => {
  assert.equal(rangeOf([]), null);
  const estimates = [
    { rating: 1600, deviation: 30.4 },
    { rating: 1500, deviation: 100 },
  ];
  assert.deepEqual(rangeOf(estimates), { lowest: 1300, highest: 1700 });
});
