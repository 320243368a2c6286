import assert from "node:assert/strict";
import { describe, it } from "node:test";

import type { VersionComparison, Losses } from "#core/api/bot-record.ts";
import { describeActivity } from "#site/ui/bot-activity.ts";
import { describeUnranked } from "#site/ui/bot-status-texts.ts";
import { SAMPLE_SESSION } from "#testing/fixtures/sample-session.ts";

import { describeComparison } from "./comparison-text.ts";
import { describeLosses } from "./loss-findings.ts";

const COMPARISON: VersionComparison = {
  a: "v4",
  b: "v3",
  ladder_id: "public",
  season: "2026-01",
  games: [60, 40],
  difference: 31.4,
  deviation: 18.2,
  chance_better: 0.957,
};

describe("comparison of two versions", () => {
  const CASES: [what: Partial<VersionComparison>, words: RegExp][] = [
    [
      {},
      /^v4 is very likely better than v3, by 31 ± 18 points \(96 % probability that v4 is better\)\.$/,
    ],
    [{ difference: -31, chance_better: 0.02 }, /^v3 is almost certainly better than v4, by 31/],
    [{ difference: 900, chance_better: 1 }, /more than 99 % probability that v4/],
    [{ difference: 9, chance_better: 0.7 }, /^v4 is perhaps better than v3, by 9/],
    [{ difference: 2, chance_better: 0.53 }, /^Inconclusive: v4 is ahead of v3 by 2/],
    [{ difference: null, deviation: null, chance_better: null }, /^Can't compare/],
  ];
  for (const [changes, expectedText] of CASES)
    it(String(expectedText), () =>
      assert.match(describeComparison({ ...COMPARISON, ...changes }), expectedText),
    );
});

it("says why a version has no rank, including reasons other than too few games", () => {
  assert.equal(describeUnranked(12, 30), "12 of 30 placement matches");
  for (const games of [30, 71]) assert.equal(describeUnranked(games, 30), "not ranked");
});

it("describes the bot's current activity", () => {
  assert.equal(describeActivity(undefined), "Not connected");
  assert.equal(describeActivity({ ...SAMPLE_SESSION, state: "playing" }), "Playing now with v1");
  assert.equal(describeActivity({ ...SAMPLE_SESSION, state: "waiting" }), "In queue with v1");
  assert.match(describeActivity({ ...SAMPLE_SESSION, state: "idle" }), /not in queue/);
  assert.match(
    describeActivity({ ...SAMPLE_SESSION, online: false, state: "playing" }),
    /lost during a match/,
  );
});

describe("loss analysis", () => {
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

  it("lists the most important finding first", () => {
    assert.deepEqual(describeLosses(losses), [
      "In these 20 losses, 60 % of damage taken came from bolt.",
      "Worst attack matchup: bolt, with 45 HP taken and 10 dealt per game.",
      "Worst map: halls, with 90 % of games lost (40 % on all maps).",
      "75 % of losses were against Kiter.",
    ]);
  });

  it("gives advice on the zone without calling it an attack", () => {
    const damage: Losses["damage"] = [
      { source: "zone", dealt: 0, taken: 1500 },
      { source: "bolt", dealt: 200, taken: 500 },
    ];
    assert.deepEqual(describeLosses({ ...losses, damage }).slice(0, 2), [
      "In these 20 losses, 75 % of damage taken came from the zone. " +
        "The zone shrinks from tick 80 on: move towards the center earlier.",
      "Worst attack matchup: bolt, with 25 HP taken and 10 dealt per game.",
    ]);
  });

  it("has no findings for few or balanced games", () => {
    const fewLosses = { ...losses, games: 2, opponents: [{ ...losses.opponents[0]!, games: 2 }] };
    const evenMaps = [{ map: "keep", games: 5, lost: 2 }];
    const findings = describeLosses({ ...fewLosses, damage: [], maps: evenMaps });
    assert.deepEqual(findings, []);
    assert.deepEqual(describeLosses({ ...losses, games: 0 }), []);
  });
});
