// How fast the engine plays and verifies, on one core. Each figure is a median of several rounds,
// in processor time, and is shown with its ratio to a loop that is the same on every machine.

import { BLAST, DIRECTION_COUNT, NONE } from "#core/engine/codes.ts";
import type { Fight } from "#core/engine/fight.ts";
import { copyFight, isOver, startFight } from "#core/engine/fight.ts";
import { murmur3 } from "#core/engine/hash.ts";
import { allGrids } from "#core/engine/maps.ts";
import { observe } from "#core/engine/observe.ts";
import { resimulate } from "#core/engine/replay.ts";
import { step } from "#core/engine/step.ts";
import { setIntent } from "#core/engine/turn.ts";
import type { Replay } from "#core/engine/types.ts";
import { ATTACKS } from "#core/engine/types.ts";
import { recordMatch } from "#testing/fixtures/record-match.ts";
import { mulberry32, referencePlayer } from "#testing/fixtures/reference-play.ts";

const ROUNDS = 9;
const STEPS_PER_ROUND = 600_000;
const HASHES_PER_ROUND = 2_000_000;
const OBSERVATIONS_PER_ROUND = 200_000;
const REPLAYS = 90;
const REPLAY_PASSES_PER_ROUND = 20;

/** The state of a match of two, in words: what the reference loop hashes each time. */
const REFERENCE_WORDS = Int32Array.from({ length: 54 }, (_, i) => i * i);

/** Prints ticks per second of stepping, verifying and observing. */
export async function run(): Promise<void> {
  const hashes = medianRate(HASHES_PER_ROUND, hashLoop);
  console.log(`reference loop  ${figure(hashes)} hashes of 54 words a second`);
  print("step", "ticks", medianRate(STEPS_PER_ROUND, stepLoop()), hashes);
  const replays = recordReplays();
  const ticks = replays.reduce((sum, { ticks }) => sum + ticks.length, 0);
  const verifying = medianRate(ticks * REPLAY_PASSES_PER_ROUND, () => verifyLoop(replays));
  print("verify", "ticks", verifying, hashes);
  print("observe", "views", medianRate(OBSERVATIONS_PER_ROUND, observeLoop), hashes);
}

function print(name: string, unit: string, rate: number, reference: number): void {
  const ratio = (rate / reference).toFixed(2);
  console.log(`${name.padEnd(15)} ${figure(rate)} ${unit} a second, ${ratio} of the reference`);
}

function figure(rate: number): string {
  return `${(rate / 1e6).toFixed(2)} million`.padStart(14);
}

/** Items per second of this thread's own processor time; the first round only warms up. */
function medianRate(items: number, round: () => void): number {
  round();
  const rates = Array.from({ length: ROUNDS }, () => {
    const before = process.threadCpuUsage();
    round();
    const { user, system } = process.threadCpuUsage(before);
    return (items * 1e6) / (user + system);
  });
  return rates.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)]!;
}

function hashLoop(): void {
  let sum = 0;
  for (let i = 0; i < HASHES_PER_ROUND; i += 1) {
    REFERENCE_WORDS[0] = i;
    sum ^= murmur3(REFERENCE_WORDS);
  }
  REFERENCE_WORDS[1] = sum;
}

/** Random moves, dashes and attacks on all maps in turn, drawn in advance. */
function stepLoop(): () => void {
  const starts = allGrids().map((grid, seed) => startFight(grid, seed));
  const fights = starts.map(({ grid }) => startFight(grid, 0));
  const turns = drawTurns();
  let turn = 0;
  let match = 0;
  return () => {
    for (let i = 0; i < STEPS_PER_ROUND; i += 1) {
      const fight = fights[match]!;
      for (let seat = 0; seat < fight.seats; seat += 1) {
        act(fight, seat, turns, turn);
        turn = turn + TURN_WORDS < turns.length ? turn + TURN_WORDS : 0;
      }
      step(fight);
      if (!isOver(fight)) continue;
      copyFight(starts[match]!, fight);
      match = match + 1 < fights.length ? match + 1 : 0;
    }
  };
}

// Not a multiple of the seats, so that both play all of them.
const TURNS = 16_381;
const TURN_WORDS = 4;

/** Per turn: direction of a move, of a dash, an attack and its direction. */
function drawTurns(): Int8Array {
  const draw = mulberry32(1);
  const turns = new Int8Array(TURNS * TURN_WORDS).fill(NONE);
  for (let at = 0; at < turns.length; at += TURN_WORDS) {
    const isDash = draw() % 6 === 0;
    turns[at + (isDash ? 1 : 0)] = draw() % DIRECTION_COUNT;
    if (draw() % 2 === 0) turns[at + 2] = draw() % ATTACKS.length;
    turns[at + 3] = draw() % DIRECTION_COUNT;
  }
  return turns;
}

function act(fight: Fight, seat: number, turns: Int8Array, at: number): void {
  const attack = turns[at + 2]!;
  const aim = attack >= BLAST ? fight.tile[1 - seat]! : turns[at + 3]!;
  setIntent(fight, seat, turns[at]!, turns[at + 1]!, attack, aim);
}

function recordReplays(): Replay[] {
  const grids = allGrids();
  const replays = Array.from({ length: REPLAYS }, (_, seed) =>
    recordMatch(grids[seed % grids.length]!, seed, referencePlayer("fight", seed)),
  );
  // As they are after being read from a file.
  return JSON.parse(JSON.stringify(replays)) as Replay[];
}

function verifyLoop(replays: Replay[]): void {
  for (let pass = 0; pass < REPLAY_PASSES_PER_ROUND; pass += 1) {
    for (const replay of replays) {
      if (!resimulate(replay).ok) throw new Error("a replay does not verify");
    }
  }
}

function observeLoop(): void {
  const fight = startFight(allGrids()[0]!, 1);
  for (let i = 0; i < OBSERVATIONS_PER_ROUND; i += 1) observe(fight, i % fight.seats);
}
