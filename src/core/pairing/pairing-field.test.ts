import assert from "node:assert/strict";
import { test } from "node:test";

import { firstTwo } from "#base/util/assert-defined.ts";
import { verifyMatching } from "#core/graph-matching/graph.ts";
import { maximumWeightMatching } from "#core/graph-matching/matching.ts";
import { CROWD_PAIRING_NUMBERS } from "#testing/harness/simulated-crowd.ts";

import { ADDITION_RULE, COMPETITIVE_RULE, RESERVED_RULE, groundOf } from "./assessment.ts";
import { createMatchups, recordGame } from "./matchups.ts";
import type { Matchups } from "./matchups.ts";
import { createField } from "./pairing-field.ts";
import { assessPair, pairGraph } from "./pairs.ts";
import { createRandomDraw } from "./random.ts";
import type { RandomDraw } from "./random.ts";
import type { QueueSnapshot, WaitingBot } from "./types.ts";
import { termsOf, weightOf } from "./weight.ts";

const MAPS = ["lanes", "cage", "trench"];

function waitingBot(draw: RandomDraw, place: number): WaitingBot {
  return {
    bot: `bot${place}`,
    owner: draw() < 0.2 ? null : `owner${Math.floor(10 * draw())}`,
    house: draw() < 0.1,
    version: `${Math.floor(1e6 * draw())}`,
    rating: 1000 + 1000 * draw(),
    games: Math.floor(60 * draw()),
    formerRating: draw() < 0.3 ? 1500 : null,
    recentGames: Math.floor(50 * draw()),
    seatSurplus: 0,
    waitSeconds: 90 * draw(),
    sinceStartSeconds: Infinity,
    lastOpponent: `bot${Math.floor(30 * draw())}`,
    sinceMeetingSeconds: new Map([[`bot${Math.floor(30 * draw())}`, 20 * draw()]]),
  };
}

function matchupsOf(draw: RandomDraw, bots: readonly WaitingBot[]): Matchups {
  const matchups = createMatchups();
  for (let game = 0; game < 500; game += 1) {
    const [one, other] = firstTwo([0, 0].map(() => bots[Math.floor(bots.length * draw())]!));
    if (one === other) continue;
    const pair = { version: one.version, opponent: other.version };
    recordGame(matchups, { ...pair, map: MAPS[Math.floor(3 * draw())]!, score: 0.5 });
    recordGame(matchups, { version: one.version, opponent: "gone", map: "lanes", score: 1 });
  }
  return matchups;
}

function snapshotOf(seed: number): QueueSnapshot {
  const draw = createRandomDraw(seed);
  const bots = Array.from({ length: 30 }, (_, place) => waitingBot(draw, place));
  return {
    bots,
    owners: new Map(),
    matchups: matchupsOf(draw, bots),
    maps: MAPS,
    requested: [],
    numbers: CROWD_PAIRING_NUMBERS,
  };
}

for (const [name, rule] of Object.entries({
  COMPETITIVE: COMPETITIVE_RULE,
  ADDED: ADDITION_RULE,
  RESERVED: RESERVED_RULE,
})) {
  test(`the weight of every ${name} pair is the sum of its terms, whichever bot comes first`, () => {
    for (let seed = 0; seed < 20; seed += 1) {
      const snapshot = snapshotOf(seed);
      const { bots } = snapshot;
      const field = createField(snapshot, bots);
      const places = Int32Array.from(bots.keys());
      const { from, to, weight } = pairGraph(field, places, rule);
      assert.ok(weight.length > 50);
      for (let edge = 0; edge < weight.length; edge += 1) {
        const one = assessPair(field, from[edge]!, to[edge]!);
        const other = assessPair(field, to[edge]!, from[edge]!);
        assert.notEqual(groundOf(rule, field, from[edge]!, to[edge]!, one), null);
        const terms = termsOf(
          CROWD_PAIRING_NUMBERS,
          rule.countsQuality,
          one,
          bots[from[edge]!]!,
          bots[to[edge]!]!,
        );
        assert.equal(weightOf(terms), weight[edge]);
        assert.ok(Math.abs(one.expected + other.expected - 1) < 1e-12);
      }
    }
  });
}

test("the matching of a wave provably has maximum weight, even after a day of waiting", () => {
  for (let seed = 0; seed < 30; seed += 1) {
    const snapshot = snapshotOf(seed);
    const bots = snapshot.bots.map((bot, place) =>
      place % 5 === 0 ? { ...bot, waitSeconds: 40_000 * (1 + (place % 3)) } : bot,
    );
    const graph = pairGraph(
      createField(snapshot, bots),
      Int32Array.from(bots.keys()),
      COMPETITIVE_RULE,
    );
    assert.equal(verifyMatching(graph, maximumWeightMatching(graph)), null);
  }
});
