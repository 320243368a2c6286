import assert from "node:assert/strict";
import { test } from "node:test";

import { startFight } from "./fight.ts";
import { EMPTY_TRACE, extendTrace, hex8, isHex8, murmur3, stateHash, traceHash } from "./hash.ts";
import { gridOf } from "./maps.ts";

test("one word hashes to its published value", () => {
  assert.equal(hex8(murmur3(Int32Array.of(0x74736574))), "ba6bd213");
});

test("a fight before its first tick has its published state hash", () => {
  assert.equal(hex8(stateHash(startFight(gridOf("courtyard")!, 1))), "acf4f329");
});

test("the trace of no ticks is all zeros", () => {
  assert.equal(hex8(traceHash(EMPTY_TRACE)), "00000000");
});

test("a trace is the hash of the hashes it was given", () => {
  const hashes = [0xacf4f329, 7, 0xffffffff];
  const trace = hashes.reduce(extendTrace, EMPTY_TRACE);
  assert.equal(traceHash(trace), murmur3(Int32Array.from(hashes)));
});

test("every hashed word changes the state hash and no other word does", () => {
  const fight = startFight(gridOf("cage")!, 9);
  const before = stateHash(fight);
  for (let place = 0; place < fight.words.length; place += 1) {
    fight.words[place]! += 1;
    const isHashed = fight.hashOrder.includes(place);
    assert.equal(stateHash(fight) !== before, isHashed, `word ${place}`);
    fight.words[place]! -= 1;
  }
});

test("a hash is printed and recognised as 8 lower-case hex digits", () => {
  const hashes = [0, 1, 0xabcdef01, 0xffffffff, 0x00f0_0d00, -1];
  for (const hash of hashes) {
    const text = hex8(hash);
    assert.match(text, /^[0-9a-f]{8}$/);
    assert.ok(isHex8(text, hash));
    assert.ok(!isHex8(text, hash ^ 0x10));
    assert.ok(!isHex8(`${text}0`, hash));
  }
  assert.ok(!isHex8("ABCDEF01", 0xabcdef01));
  assert.ok(!isHex8("", 0));
});
