import assert from "node:assert/strict";
import { test } from "node:test";

import type { Play } from "#testing/fixtures/reference-player.ts";
import { referencePlayer } from "#testing/fixtures/reference-player.ts";

import { RANDOM_STATE, isOver, createFight } from "./fight.ts";
import { EMPTY_TRACE, extendTrace, hashToText, hashState, traceHash } from "./hash.ts";
import { gridOf } from "./maps.ts";
import { outcome } from "./outcome.ts";
import reference from "./reference-runs.json" with { type: "json" };
import { combatStats, startTally, tallyTick } from "./stats.ts";
import { step } from "./step.ts";
import { setSeatTurn } from "./turn.ts";
import { FIGHTER_IDS } from "./types.ts";

function playOut(map: string, seed: number, play: string) {
  const fight = createFight(gridOf(map)!, seed);
  const spawns = [0, 1].map((seat) => [fight.x[seat], fight.y[seat]]);
  const player = referencePlayer(play as Play, seed);
  const tally = startTally(fight.seats);
  let trace = EMPTY_TRACE;
  while (!isOver(fight)) {
    for (const seat of [0, 1]) setSeatTurn(fight, seat, player(fight, seat));
    step(fight);
    tallyTick(tally, fight);
    trace = extendTrace(trace, hashState(fight));
  }
  return { fight, spawns, stats: [0, 1].map((seat) => combatStats(tally, seat)), trace };
}

test("reproduces the tick count and trace of every reference run", () => {
  assert.equal(reference.runs.length, 113);
  for (const [map, seed, play, ticks, hash] of reference.runs) {
    const { trace } = playOut(String(map), Number(seed), String(play));
    const actual = `${map} ${seed} ${play}`;
    assert.deepEqual([actual, trace.words, hashToText(traceHash(trace))], [actual, ticks, hash]);
  }
});

for (const row of reference.detailed) {
  test(`the ${row.play} on ${row.map} with seed ${row.seed} matches its reference values`, () => {
    const { fight, spawns, stats, trace } = playOut(row.map, row.seed, row.play);
    const { winner } = outcome(fight)!;
    assert.deepEqual(
      {
        map: row.map,
        seed: row.seed,
        play: row.play,
        spawns,
        ticks: trace.words,
        winner: winner === null ? null : FIGHTER_IDS[winner],
        hp: stats.map(({ hp }) => hp),
        dealt: stats.map(({ damage_dealt }) => damage_dealt),
        moves: stats.map(({ moves }) => moves),
        dash_tiles: stats.map(({ dash_tiles }) => dash_tiles),
        bounces: stats.map(({ ricochets }) => ricochets.bounces),
        refused: stats.map(({ rejected }) => [
          rejected.blocked ?? 0,
          rejected.not_ready ?? 0,
          rejected.not_visible ?? 0,
        ]),
        prng: fight.words[RANDOM_STATE]! >>> 0,
        trace: hashToText(traceHash(trace)),
      },
      row,
    );
  });
}
