import assert from "node:assert/strict";
import { it } from "node:test";

import { pageOffset, intervalRange, filterStandings } from "./standings-page.ts";

const botNamed = (name: string, owner: string, displayText = name) => ({
  name,
  display: displayText,
  owner,
  house: owner === "house",
});
const ALL_BOTS = [
  botNamed("Rex", "ada"),
  botNamed("house-kiter", "house", "Kiter"),
  botNamed("rexona", "Bob"),
];

const CASES: [wish: Parameters<typeof filterStandings>[1], names: string[]][] = [
  [{}, ["Rex", "house-kiter", "rexona"]],
  [{ text: "REX" }, ["Rex", "rexona"]],
  [{ text: "kite" }, ["house-kiter"]],
  [{ text: "bo" }, ["rexona"]],
  [{ house: true }, ["house-kiter"]],
  [{ house: false, text: "x" }, ["Rex", "rexona"]],
  [{ owner: "ADA" }, ["Rex"]],
  [{ owner: "ad" }, []],
];

for (const [filter, names] of CASES)
  it(`searches the standings: ${JSON.stringify(filter)}`, () => {
    const foundNames = filterStandings(ALL_BOTS, filter);
    assert.deepEqual(
      foundNames.map(({ name }) => name),
      names,
    );
  });

it("finds a bot's page, ignoring case", () => {
  assert.equal(pageOffset(ALL_BOTS, "REXONA", 2), 2);
  assert.equal(pageOffset(ALL_BOTS, "House-Kiter", 2), 0);
  assert.equal(pageOffset(ALL_BOTS, "nobody", 2), 0);
});

it("returns the range of all intervals, two standard errors on each side", () => {
  assert.equal(intervalRange([]), null);
  const estimates = [
    { rating: 1600, deviation: 30.4 },
    { rating: 1500, deviation: 100 },
  ];
  assert.deepEqual(intervalRange(estimates), { lowest: 1300, highest: 1700 });
});
