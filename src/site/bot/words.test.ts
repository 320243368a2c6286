import assert from "node:assert/strict";
import { describe, it } from "node:test";

import type { Comparison, Losses } from "#core/resources/bot-record.ts";
import { liveWords } from "#site/look/live-words.ts";
import { unrankedWords } from "#site/look/status-words.ts";
import { SESSION } from "#testing/fixtures/session.ts";

import { comparisonWords } from "./bot-words.ts";
import { lossFindings } from "./loss-words.ts";

const COMPARISON: Comparison = {
  a: "v4",
  b: "v3",
  ladder_id: "public",
  season: "2026-01",
  games: [60, 40],
  difference: 31.4,
  deviation: 18.2,
  chance_better: 0.957,
};

describe("two versions in words", () => {
  const CASES: [what: Partial<Comparison>, words: RegExp][] = [
    [{}, /^v4 is very likely better than v3, by 31 ± 18 points: 96 % that v4 is the better one\.$/],
    [{ difference: -31, chance_better: 0.02 }, /^v3 is almost certainly better than v4, by 31/],
    [{ difference: 900, chance_better: 1 }, /more than 99 % that v4/],
    [{ difference: 9, chance_better: 0.7 }, /^v4 is perhaps better than v3, by 9/],
    [{ difference: 2, chance_better: 0.53 }, /^There is no telling yet: v4 is ahead of v3 by 2/],
    [{ difference: null, deviation: null, chance_better: null }, /cannot be compared/],
  ];
  for (const [changes, words] of CASES)
    it(String(words), () => assert.match(comparisonWords({ ...COMPARISON, ...changes }), words));
});

it("says why a version has no rank, also when games are not what it lacks", () => {
  assert.equal(unrankedWords(12, 30), "12 of 30 placement matches");
  for (const games of [30, 71]) assert.equal(unrankedWords(games, 30), "not in the standings");
});

it("says what a bot does at this moment", () => {
  assert.equal(liveWords(undefined), "Not connected");
  assert.equal(liveWords({ ...SESSION, state: "playing" }), "Fighting now with v1");
  assert.equal(liveWords({ ...SESSION, state: "waiting" }), "In the queue with v1");
  assert.match(liveWords({ ...SESSION, state: "idle" }), /not in the queue/);
  assert.match(liveWords({ ...SESSION, online: false, state: "playing" }), /lost in a match/);
});

describe("what lost games have in common", () => {
  const losses: Losses = {
    version: "v1",
    ladder_id: "public",
    season: "2026-01",
    games: 20,
    damage: [
      { source: "bolt", dealt: 200, taken: 900 },
      { source: "strike", dealt: 700, taken: 600 },
    ],
    opponents: [{ name: "house-kiter", display_name: "Kiter", games: 15 }],
    maps: [
      { map: "halls", games: 10, lost: 9 },
      { map: "keep", games: 40, lost: 11 },
    ],
  };

  it("is said in sentences, most important first", () => {
    assert.deepEqual(lossFindings(losses), [
      "60 % of the damage it took in these 20 losses came from bolt.",
      "It loses most ground to bolt: 45 hp taken a game, 10 dealt.",
      "Its worst map is halls: 90 % of games lost, 40 % on all maps.",
      "75 % of the losses were against Kiter.",
    ]);
  });

  it("gives advice on the zone and never calls it a trade", () => {
    const damage: Losses["damage"] = [
      { source: "zone", dealt: 0, taken: 1500 },
      { source: "bolt", dealt: 200, taken: 500 },
    ];
    assert.deepEqual(lossFindings({ ...losses, damage }).slice(0, 2), [
      "75 % of the damage it took in these 20 losses came from the zone. " +
        "The zone shrinks from tick 80 on: move towards the middle before that.",
      "It loses most ground to bolt: 25 hp taken a game, 10 dealt.",
    ]);
  });

  it("is not made up from few games or even ones", () => {
    const few = { ...losses, games: 2, opponents: [{ ...losses.opponents[0]!, games: 2 }] };
    const even = [{ map: "keep", games: 5, lost: 2 }];
    const found = lossFindings({ ...few, damage: [], maps: even });
    assert.deepEqual(found, []);
    assert.deepEqual(lossFindings({ ...losses, games: 0 }), []);
  });
});
