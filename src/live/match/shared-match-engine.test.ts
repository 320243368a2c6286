import assert from "node:assert/strict";
import { test } from "node:test";

import { gridOf } from "#core/engine/maps.ts";
import { DEFAULT_LIMITS } from "#core/limits/limits.ts";
import { matchDeadlines } from "#core/protocol/deadlines.ts";
import { parseReplay } from "#core/replay/parse-replay.ts";
import { writeReplay } from "#core/replay/write-replay.ts";
import type { FinishedMatchRecording } from "#core/replay/write-replay.ts";
import { referencePlayer } from "#testing/fixtures/reference-player.ts";

import type { MatchEngine } from "./match-engine.ts";
import type { MatchSetup } from "./match-setup.ts";
import { newSeat } from "./seat.ts";
import type { Seat } from "./seat.ts";
import { engineFactory } from "./shared-match-engine.ts";
import type { EngineMatch } from "./shared-match-engine.ts";
import { SERVER_FAULT } from "./verdict.ts";

const DEADLINES = matchDeadlines(DEFAULT_LIMITS);
const SERVER_FIELDS = { budgetMs: 300_000, lastReplyMs: null, lastFailure: null };
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

/** Plays one tick with the reference player. Returns false when the match is over. */
function playTick(fight: MatchEngine, referenceBot: ReturnType<typeof referencePlayer>): boolean {
  const seats = [0, 1].map((seat): Seat => {
    const turn = referenceBot((fight as EngineMatch).engineState(), seat) ?? {};
    return { ...newSeat(DEADLINES), decision: { state: "turn", turn, at: 0 } };
  });
  return fight.play(seats) === null;
}

const replayOf = (fight: MatchEngine) =>
  writeReplay(fight.record(SERVER_FAULT) as FinishedMatchRecording).replay;

function playAlone(seed: number): MatchEngine {
  const fight = engineFactory()(setupOf(seed));
  const referenceBot = referencePlayer("fight", seed);
  for (let tick = 0; tick < TICKS && playTick(fight, referenceBot); tick += 1);
  return fight;
}

test("plays matches that share an engine as if each had its own", () => {
  const createEngine = engineFactory();
  const seeds = [1, 2, 3];
  const matchesInPlay = seeds.map((seed) => ({
    fight: createEngine(setupOf(seed)),
    player: referencePlayer("fight", seed),
    isRunning: true,
  }));
  for (let tick = 0; tick < TICKS; tick += 1)
    for (const entry of matchesInPlay) entry.isRunning &&= playTick(entry.fight, entry.player);
  for (const [index, seed] of seeds.entries())
    assert.equal(replayOf(matchesInPlay[index]!.fight), replayOf(playAlone(seed)));
});

test("prints the same observation when it is requested late", () => {
  const createEngine = engineFactory();
  const fight = createEngine(setupOf(5));
  const referenceBot = referencePlayer("fight", 5);
  for (let tick = 0; tick < TICKS && playTick(fight, referenceBot); tick += 1) {
    const observations = [0, 1].map((seat) => fight.printObservationFor(seat, SERVER_FIELDS));
    playTick(createEngine(setupOf(6 + tick)), referencePlayer("fight", tick));
    assert.deepEqual(
      [0, 1].map((seat) => fight.printObservationFor(seat, SERVER_FIELDS)),
      observations,
    );
  }
});

test("rejects a record that doesn't replay to the match's final state", () => {
  const record = playAlone(7).record(SERVER_FAULT) as FinishedMatchRecording;
  assert.ok(!("error" in parseReplay(writeReplay(record).replay)));
  assert.throws(() => writeReplay({ ...record, hash: "00000000" }), /its recording in/);
});
