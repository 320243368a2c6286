import assert from "node:assert/strict";
import { test } from "node:test";

import fc from "fast-check";

import { decodeTurn, encodeTurn, ODD_TURN } from "./turn-code.ts";
import { recordedTurn } from "./turn.ts";
import { ATTACKS, DIRECTIONS, IDLE_REASONS } from "./types.ts";
import type { Turn } from "./types.ts";

const direction = fc.constantFrom(...DIRECTIONS);
const tile = fc.tuple(fc.integer({ min: 0, max: 31 }), fc.integer({ min: 0, max: 31 }));
const attack = fc.record(
  { name: fc.constantFrom(...ATTACKS), target: fc.oneof(direction, tile) },
  { requiredKeys: ["name"] },
);
const turns = fc.record({ move: direction, dash: direction, attack }, { requiredKeys: [] });

test("a turn's code holds everything that a replay keeps of the turn", () => {
  fc.assert(
    fc.property(turns, (turn) => {
      const code = encodeTurn(turn);
      assert.notEqual(code, ODD_TURN);
      assert.deepEqual(decodeTurn(code), recordedTurn(turn as Turn));
    }),
    { numRuns: 2000 },
  );
});

test("absent and failed turns have their own codes", () => {
  assert.equal(decodeTurn(encodeTurn(null)), null);
  for (const idle of IDLE_REASONS) assert.deepEqual(decodeTurn(encodeTurn({ idle })), { idle });
});

test("a turn that has no code is odd", () => {
  const odd: Turn[] = [
    { shout: "hey" },
    { attack: { name: "glare" } },
    { attack: { name: "blast", target: [32, 0] } },
    { attack: { name: "blast", target: [3, -1] } },
  ];
  for (const turn of odd) assert.equal(encodeTurn(turn), ODD_TURN, JSON.stringify(turn));
});
