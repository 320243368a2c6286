import assert from "node:assert/strict";
import { test } from "node:test";

import { mulberry32 } from "#testing/fixtures/reference-player.ts";

import type { Fight } from "./fight.ts";
import { copyFight, isOver, createFight } from "./fight.ts";
import { BLAST, DIRECTION_COUNT, NONE } from "./integer-codes.ts";
import { gridOf } from "./maps.ts";
import { step } from "./step.ts";
import { setIntent } from "./turn.ts";
import { ATTACKS } from "./types.ts";

const TICKS = 50_000;
/** Maximum warm-up rounds. On a busy machine, V8 may take a while to optimize the engine. */
const MAX_ROUNDS = 60;
/** The end of a match may allocate a little. One object per tick would be 16 times as much. */
const ENOUGH_BYTES = TICKS;
const TURNS = 4099;

/** Turns are drawn in advance, because numbers beyond V8's small-integer range are allocated. */
function randomTurns(): Int32Array {
  const draw = mulberry32(1);
  return Int32Array.from({ length: TURNS }, () => draw() % (1 << 30));
}

function playTicks(start: Fight, fight: Fight, turns: Int32Array): void {
  for (let tick = 0; tick < TICKS; tick += 1) {
    for (let seat = 0; seat < fight.seats; seat += 1) {
      const turn = turns[(2 * tick + seat) % TURNS]!;
      const attack = turn % 2 === 0 ? (turn >> 3) % ATTACKS.length : NONE;
      const heading = (turn >> 7) % DIRECTION_COUNT;
      setIntent(fight, seat, heading, NONE, attack, attack >= BLAST ? fight.tile[0]! : heading);
    }
    step(fight);
    if (isOver(fight)) copyFight(start, fight);
  }
}

test("a tick allocates nothing after warm-up", () => {
  const grid = gridOf("courtyard")!;
  const [start, fight] = [createFight(grid, 1), createFight(grid, 2)];
  const turns = randomTurns();
  let minBytes = Infinity;
  for (let round = 0; minBytes > ENOUGH_BYTES && round < MAX_ROUNDS; round += 1) {
    const bytesBefore = process.memoryUsage().heapUsed;
    playTicks(start, fight, turns);
    minBytes = Math.min(minBytes, Math.abs(process.memoryUsage().heapUsed - bytesBefore));
  }
  assert.ok(minBytes <= ENOUGH_BYTES, `${minBytes / TICKS} bytes a tick`);
});
