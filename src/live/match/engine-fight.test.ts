import assert from "node:assert/strict";
import { test } from "node:test";

import { gridOf } from "#core/engine/maps.ts";
import { deadlinesOf } from "#core/protocol/deadlines.ts";
import { parseReplay } from "#core/replay/replay.ts";
import { writeUp } from "#core/replay/write-up.ts";
import type { FightRecord } from "#core/replay/write-up.ts";
import { LIMITS } from "#core/words/limits.ts";
import { referencePlayer } from "#testing/fixtures/reference-play.ts";

import { engineFights } from "./engine-fight.ts";
import type { EngineFight } from "./engine-fight.ts";
import type { MatchFight } from "./fight-port.ts";
import { freshSeat } from "./seat.ts";
import type { Seat } from "./seat.ts";
import type { MatchSetup } from "./setup.ts";
import { SERVER_FAULT } from "./verdict.ts";

const DEADLINES = deadlinesOf(LIMITS);
const TOLD = { budgetMs: 300_000, lastReplyMs: null, failed: null };
const TICKS = 120;

function setupOf(seed: number): MatchSetup {
  return {
    matchId: `match-${seed}`,
    ladderId: "public",
    mode: "ranked",
    started: "2026-01-01T00:00:00.000Z",
    versions: { engine: "", protocol: "", rules: "", rules_hash: "" },
    seed,
    grid: gridOf("cage")!,
    deadlines: DEADLINES,
    fighters: [
      { id: "A", bot_id: "a", name: "alpha", version: "v1" },
      { id: "B", bot_id: "b", name: "beta", version: "v1" },
    ],
  };
}

/** Plays one tick as the reference player decides; false once the fight is over. */
function playOn(fight: MatchFight, player: ReturnType<typeof referencePlayer>): boolean {
  const seats = [0, 1].map((seat): Seat => {
    const turn = player((fight as EngineFight).stage(), seat) ?? {};
    return { ...freshSeat(DEADLINES), decision: { state: "turn", turn, at: 0 } };
  });
  return fight.play(seats) === null;
}

const replayOf = (fight: MatchFight) => writeUp(fight.record(SERVER_FAULT) as FightRecord).replay;

function playedAlone(seed: number): MatchFight {
  const fight = engineFights()(setupOf(seed));
  const player = referencePlayer("fight", seed);
  for (let tick = 0; tick < TICKS && playOn(fight, player); tick += 1);
  return fight;
}

test("matches that share a stage tick by tick go as if each were alone", () => {
  const fights = engineFights();
  const seeds = [1, 2, 3];
  const running = seeds.map((seed) => ({
    fight: fights(setupOf(seed)),
    player: referencePlayer("fight", seed),
    goesOn: true,
  }));
  for (let tick = 0; tick < TICKS; tick += 1)
    for (const one of running) one.goesOn &&= playOn(one.fight, one.player);
  for (const [place, seed] of seeds.entries())
    assert.equal(replayOf(running[place]!.fight), replayOf(playedAlone(seed)));
});

test("an observation requested late is the one that was sent at the time", () => {
  const fights = engineFights();
  const fight = fights(setupOf(5));
  const player = referencePlayer("fight", 5);
  for (let tick = 0; tick < TICKS && playOn(fight, player); tick += 1) {
    const told = [0, 1].map((seat) => fight.observation(seat, TOLD));
    playOn(fights(setupOf(6 + tick)), referencePlayer("fight", tick));
    assert.deepEqual(
      [0, 1].map((seat) => fight.observation(seat, TOLD)),
      told,
    );
  }
});

test("a record that does not play to the state of its match is refused", () => {
  const record = playedAlone(7).record(SERVER_FAULT) as FightRecord;
  assert.ok(!("error" in parseReplay(writeUp(record).replay)));
  assert.throws(() => writeUp({ ...record, hash: "00000000" }), /its record in/);
});
