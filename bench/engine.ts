// Measures how fast the engine plays and verifies matches on one core. Each result is the median
// CPU time of several rounds, shown with its ratio to a reference loop so that results from
// different machines can be compared.

import type { Fight } from "#core/engine/fight.ts";
import { copyFight, isOver, createFight } from "#core/engine/fight.ts";
import { murmur3 } from "#core/engine/hash.ts";
import { BLAST, DIRECTION_COUNT, NONE } from "#core/engine/integer-codes.ts";
import { allGrids } from "#core/engine/maps.ts";
import { observationFor } from "#core/engine/observe.ts";
import { resimulate } from "#core/engine/replay.ts";
import { step } from "#core/engine/step.ts";
import { setIntent } from "#core/engine/turn.ts";
import type { Replay } from "#core/engine/types.ts";
import { ATTACKS } from "#core/engine/types.ts";
import { recordMatch } from "#testing/fixtures/record-match.ts";
import { mulberry32, referencePlayer } from "#testing/fixtures/reference-player.ts";

const ROUNDS = 9;
const STEPS_PER_ROUND = 600_000;
const HASHES_PER_ROUND = 2_000_000;
const OBSERVATIONS_PER_ROUND = 200_000;
const REPLAYS = 90;
const REPLAY_PASSES_PER_ROUND = 20;

/** Same size as a two-player match's state, in 32-bit words. */
const REFERENCE_WORDS = Int32Array.from({ length: 54 }, (_, i) => i * i);

export async function run(): Promise<void> {
  const referenceRate = medianRate(HASHES_PER_ROUND, hashLoop);
  console.log(`reference loop  ${formatRate(referenceRate)} hashes of 54 words a second`);
  print("step", "ticks", medianRate(STEPS_PER_ROUND, stepLoop()), referenceRate);
  const replays = recordReplays();
  const ticks = replays.reduce((sum, { ticks }) => sum + ticks.length, 0);
  const verifyRate = medianRate(ticks * REPLAY_PASSES_PER_ROUND, () => verifyLoop(replays));
  print("verify", "ticks", verifyRate, referenceRate);
  print("observe", "views", medianRate(OBSERVATIONS_PER_ROUND, observeLoop), referenceRate);
}

function print(name: string, unit: string, rate: number, reference: number): void {
  const ratio = (rate / reference).toFixed(2);
  console.log(`${name.padEnd(15)} ${formatRate(rate)} ${unit} a second, ${ratio} of the reference`);
}

function formatRate(rate: number): string {
  return `${(rate / 1e6).toFixed(2)} million`.padStart(14);
}

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

/**
 * Draws random moves, dashes and attacks in advance, so that only stepping is measured. Maps
 * alternate.
 */
function stepLoop(): () => void {
  const initialFights = allGrids().map((grid, seed) => createFight(grid, seed));
  const fights = initialFights.map(({ grid }) => createFight(grid, 0));
  const turns = drawTurns();
  let turn = 0;
  let match = 0;
  return () => {
    for (let i = 0; i < STEPS_PER_ROUND; i += 1) {
      const fight = fights[match]!;
      for (let seat = 0; seat < fight.seats; seat += 1) {
        applyTurn(fight, seat, turns, turn);
        turn = turn + TURN_WORDS < turns.length ? turn + TURN_WORDS : 0;
      }
      step(fight);
      if (!isOver(fight)) continue;
      copyFight(initialFights[match]!, fight);
      match = match + 1 < fights.length ? match + 1 : 0;
    }
  };
}

// Not a multiple of the number of seats, so every seat eventually plays every turn.
const TURNS = 16_381;
const TURN_WORDS = 4;

/** Each turn has four words: move direction, dash direction, attack and attack direction. */
function drawTurns(): Int8Array {
  const nextRandomInt = mulberry32(1);
  const turns = new Int8Array(TURNS * TURN_WORDS).fill(NONE);
  for (let offset = 0; offset < turns.length; offset += TURN_WORDS) {
    const isDash = nextRandomInt() % 6 === 0;
    turns[offset + (isDash ? 1 : 0)] = nextRandomInt() % DIRECTION_COUNT;
    if (nextRandomInt() % 2 === 0) turns[offset + 2] = nextRandomInt() % ATTACKS.length;
    turns[offset + 3] = nextRandomInt() % DIRECTION_COUNT;
  }
  return turns;
}

function applyTurn(fight: Fight, seat: number, turns: Int8Array, offset: number): void {
  const attack = turns[offset + 2]!;
  const aim = attack >= BLAST ? fight.tile[1 - seat]! : turns[offset + 3]!;
  setIntent(fight, seat, turns[offset]!, turns[offset + 1]!, attack, aim);
}

function recordReplays(): Replay[] {
  const grids = allGrids();
  const replays = Array.from({ length: REPLAYS }, (_, seed) =>
    recordMatch(grids[seed % grids.length]!, seed, referencePlayer("fight", seed)),
  );
  return JSON.parse(JSON.stringify(replays)) as Replay[];
}

function verifyLoop(replays: Replay[]): void {
  for (let pass = 0; pass < REPLAY_PASSES_PER_ROUND; pass += 1) {
    for (const replay of replays) {
      if (!resimulate(replay).ok) throw new Error("replay failed verification");
    }
  }
}

function observeLoop(): void {
  const fight = createFight(allGrids()[0]!, 1);
  for (let i = 0; i < OBSERVATIONS_PER_ROUND; i += 1) observationFor(fight, i % fight.seats);
}
