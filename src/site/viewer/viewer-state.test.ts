import assert from "node:assert/strict";
import { test } from "node:test";

import {
  LEAP,
  advance,
  keyChange,
  newViewer,
  pause,
  play,
  positionOf,
  seek,
  setSpeed,
  setStill,
  shiftSpeed,
  stepBy,
  tickInHash,
  toggle,
} from "./viewer-state.ts";
import type { ViewerState } from "./viewer-state.ts";

const DURATIONS = [100, 200, 400, 100];
const fresh = newViewer(DURATIONS, false);

const PASSING: [name: string, from: ViewerState, ms: number, at: number, playing: boolean][] = [
  ["nothing passes at rest", fresh, 500, 0, false],
  ["half of a tick passes", play(fresh), 50, 0.5, true],
  ["time carries over into the next tick", play(fresh), 200, 1.5, true],
  ["double speed halves the time", setSpeed(play(fresh), 2), 100, 1.5, true],
  ["half speed doubles it", setSpeed(play(fresh), 0.5), 100, 0.5, true],
  ["it stops at the end", play(fresh), 10_000, 4, false],
  ["a single step stops after its tick", stepBy(seek(fresh, 1), 1), 10_000, 2, false],
  ["a bout without ticks has no time", play(newViewer([], false)), 100, 0, false],
];

for (const [name, from, ms, at, playing] of PASSING) {
  test(`as time goes by, ${name}`, () => {
    const state = advance(from, ms);
    assert.deepEqual([state.at, state.playing], [at, playing]);
  });
}

test("small portions of time add up to the same as one large one", () => {
  let state = play(fresh);
  for (let portion = 0; portion < 35; portion += 1) state = advance(state, 10);
  assert.ok(Math.abs(state.at - advance(play(fresh), 350).at) < 1e-9);
});

const STEPS: [name: string, from: number, ticks: number, at: number][] = [
  ["back from between two ticks", 2, -1, 1],
  ["back from within a tick to its start", 2.4, -1, 2],
  ["on from within a tick starts that tick again", 2.4, 1, 2],
  ["back from the start stays", 0, -1, 0],
  ["a leap on stops at the end", 1, LEAP, 4],
  ["on from the end stays", 4, 1, 4],
];

for (const [name, from, ticks, at] of STEPS) {
  test(`a step ${name}`, () => {
    assert.equal(stepBy({ ...fresh, at: from }, ticks).at, at);
  });
}

test("without motion a step is a jump", () => {
  const state = stepBy(setStill(fresh, true), 1);
  assert.deepEqual([state.at, state.playing], [1, false]);
});

const POSITIONS: [at: number, still: boolean, tick: number, share: number][] = [
  [0, false, 0, 0],
  [0.25, false, 0, 0.25],
  [1, false, 0, 1],
  [2.5, false, 2, 0.5],
  [4, false, 3, 1],
  [0.25, true, 0, 0],
  [2.5, true, 1, 1],
];

for (const [at, still, tick, share] of POSITIONS) {
  test(`at ${at} ${still ? "without motion " : ""}tick ${tick} is shown, ${share} of it`, () => {
    assert.deepEqual(positionOf({ ...fresh, at, still }), { tick, share });
  });
}

test("playing from the end starts over, and toggling pauses and goes on", () => {
  assert.equal(play(seek(fresh, 4)).at, 0);
  const playing = toggle(seek(fresh, 2));
  assert.equal(playing.playing, true);
  assert.deepEqual(toggle(playing), pause(playing));
});

test("pressing play during a single step plays on to the end", () => {
  const state = toggle(stepBy(fresh, 1));
  assert.deepEqual([state.playing, state.until], [true, 4]);
});

test("seeking keeps to the ticks there are", () => {
  const seeked = [-3, 1.6, 99].map((tick) => seek(fresh, tick).at);
  assert.deepEqual(seeked, [0, 2, 4]);
});

test("speeds go up and down by one and stay at their ends", () => {
  assert.equal(shiftSpeed(fresh, 1).speed, 2);
  assert.equal(shiftSpeed(setSpeed(fresh, 8), 1).speed, 8);
  assert.equal(shiftSpeed(setSpeed(fresh, 0.5), -1).speed, 0.5);
});

const KEYS: [key: string, shift: boolean, from: number, at: number][] = [
  ["ArrowLeft", false, 3, 2],
  ["ArrowLeft", true, 3, 0],
  ["ArrowRight", true, 1, 4],
  ["Home", false, 3, 0],
  ["End", false, 1, 4],
];

for (const [key, shift, from, at] of KEYS) {
  test(`${shift ? "shift and " : ""}${key} goes from ${from} to ${at}`, () => {
    assert.equal(keyChange(key, shift)?.({ ...fresh, at: from }).at, at);
  });
}

test("other keys are left alone", () => {
  assert.equal(keyChange("a", false), null);
  assert.equal(keyChange("Tab", false), null);
});

test("an address may name a tick", () => {
  const found = ["#tick-57", "#tick-", "#why", "", "#tick-57x"].map(tickInHash);
  assert.deepEqual(found, [57, null, null, null, null]);
});
