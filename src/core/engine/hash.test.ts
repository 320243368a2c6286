import assert from "node:assert/strict";
import { test } from "node:test";

import { createFight } from "./fight.ts";
import {
  EMPTY_TRACE,
  extendTrace,
  hashToText,
  isHashText,
  murmur3,
  hashState,
  traceHash,
} from "./hash.ts";
import { gridOf } from "./maps.ts";

test("hashes one word to its published value", () => {
  assert.equal(hashToText(murmur3(Int32Array.of(0x74736574))), "ba6bd213");
});

test("hashes a new fight to its published value", () => {
  assert.equal(hashToText(hashState(createFight(gridOf("courtyard")!, 1))), "acf4f329");
});

test("the trace of zero ticks is all zeros", () => {
  assert.equal(hashToText(traceHash(EMPTY_TRACE)), "00000000");
});

test("the trace is the hash of all state hashes", () => {
  const hashes = [0xacf4f329, 7, 0xffffffff];
  const trace = hashes.reduce(extendTrace, EMPTY_TRACE);
  assert.equal(traceHash(trace), murmur3(Int32Array.from(hashes)));
});

test("the state hash changes with every hashed word and with no other word", () => {
  const fight = createFight(gridOf("cage")!, 9);
  const before = hashState(fight);
  for (let place = 0; place < fight.words.length; place += 1) {
    fight.words[place]! += 1;
    const isHashed = fight.hashOrder.includes(place);
    assert.equal(hashState(fight) !== before, isHashed, `word ${place}`);
    fight.words[place]! -= 1;
  }
});

test("prints and recognizes a hash as 8 lower-case hex digits", () => {
  const hashes = [0, 1, 0xabcdef01, 0xffffffff, 0x00f0_0d00, -1];
  for (const hash of hashes) {
    const text = hashToText(hash);
    assert.match(text, /^[0-9a-f]{8}$/);
    assert.ok(isHashText(text, hash));
    assert.ok(!isHashText(text, hash ^ 0x10));
    assert.ok(!isHashText(`${text}0`, hash));
  }
  assert.ok(!isHashText("ABCDEF01", 0xabcdef01));
  assert.ok(!isHashText("", 0));
});
