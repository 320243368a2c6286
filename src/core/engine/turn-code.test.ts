import assert from "node:assert/strict";
import { test } from "node:test";

import fc from "fast-check";

import { decodeTurn, encodeTurn, UNENCODABLE_TURN } from "./turn-code.ts";
import { toRecordedTurn } from "./turn.ts";
import { ATTACKS, DIRECTIONS, IDLE_REASONS } from "./types.ts";
import type { Turn } from "./types.ts";

const direction = fc.constantFrom(...DIRECTIONS);
const tile = fc.tuple(fc.integer({ min: 0, max: 31 }), fc.integer({ min: 0, max: 31 }));
const attack = fc.record(
  { name: fc.constantFrom(...ATTACKS), target: fc.oneof(direction, tile) },
  { requiredKeys: ["name"] },
);
const turns = fc.record({ move: direction, dash: direction, attack }, { requiredKeys: [] });

test("encodes everything that a replay stores about a turn", () => {
  fc.assert(
    fc.property(turns, (turn) => {
      const code = encodeTurn(turn);
      assert.notEqual(code, UNENCODABLE_TURN);
      assert.deepEqual(decodeTurn(code), toRecordedTurn(turn as Turn));
    }),
    { numRuns: 2000 },
  );
});

test("encodes absent and failed turns", () => {
  assert.equal(decodeTurn(encodeTurn(null)), null);
  for (const idle of IDLE_REASONS) assert.deepEqual(decodeTurn(encodeTurn({ idle })), { idle });
});

test("returns the unencodable code for turns that don't fit", () => {
  const unencodable: Turn[] = [
    { shout: "hey" },
    { attack: { name: "glare" } },
    { attack: { name: "blast", target: [32, 0] } },
    { attack: { name: "blast", target: [3, -1] } },
  ];
  for (const turn of unencodable)
    assert.equal(encodeTurn(turn), UNENCODABLE_TURN, JSON.stringify(turn));
});
