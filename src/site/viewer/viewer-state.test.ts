import assert from "node:assert/strict";
import { test } from "node:test";

import {
  LARGE_STEP_TICKS,
  advanceViewer,
  keyChange,
  createViewerState,
  pausePlayback,
  startPlayback,
  positionOf,
  seek,
  setSpeed,
  setMotionless,
  shiftSpeed,
  stepBy,
  tickInHash,
  toggle,
} from "./viewer-state.ts";
import type { ViewerState } from "./viewer-state.ts";

const DURATIONS = [100, 200, 400, 100];
const initialState = createViewerState(DURATIONS, false);

const PASSING: [name: string, from: ViewerState, ms: number, at: number, playing: boolean][] = [
  ["no time passes while paused", initialState, 500, 0, false],
  ["half of a tick passes", startPlayback(initialState), 50, 0.5, true],
  ["time carries over into the next tick", startPlayback(initialState), 200, 1.5, true],
  ["double speed halves the time", setSpeed(startPlayback(initialState), 2), 100, 1.5, true],
  ["half speed doubles it", setSpeed(startPlayback(initialState), 0.5), 100, 0.5, true],
  ["it stops at the end", startPlayback(initialState), 10_000, 4, false],
  ["a single step stops after its tick", stepBy(seek(initialState, 1), 1), 10_000, 2, false],
  [
    "a match without ticks has no duration",
    startPlayback(createViewerState([], false)),
    100,
    0,
    false,
  ],
];

for (const [name, from, ms, position, playing] of PASSING) {
  test(`as time passes, ${name}`, () => {
    const state = advanceViewer(from, ms);
    assert.deepEqual([state.position, state.isPlaying], [position, playing]);
  });
}

test("adds small time steps up to the same total as one large step", () => {
  let state = startPlayback(initialState);
  for (let portion = 0; portion < 35; portion += 1) state = advanceViewer(state, 10);
  assert.ok(
    Math.abs(state.position - advanceViewer(startPlayback(initialState), 350).position) < 1e-9,
  );
});

const STEPS: [name: string, from: number, ticks: number, at: number][] = [
  ["back from between two ticks", 2, -1, 1],
  ["back from within a tick to its start", 2.4, -1, 2],
  ["forward from within a tick restarts that tick", 2.4, 1, 2],
  ["back from the start has no effect", 0, -1, 0],
  ["a leap forward stops at the end", 1, LARGE_STEP_TICKS, 4],
  ["forward from the end has no effect", 4, 1, 4],
];

for (const [name, from, ticks, position] of STEPS) {
  test(`step: ${name}`, () => {
    assert.equal(stepBy({ ...initialState, position: from }, ticks).position, position);
  });
}

test("jumps when stepping without motion", () => {
  const state = stepBy(setMotionless(initialState, true), 1);
  assert.deepEqual([state.position, state.isPlaying], [1, false]);
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

for (const [position, still, tick, share] of POSITIONS) {
  test(`at ${position} ${still ? "without motion " : ""}shows ${share} of tick ${tick}`, () => {
    assert.deepEqual(positionOf({ ...initialState, position, isMotionless: still }), {
      tick,
      progress: share,
    });
  });
}

test("restarts when played from the end, and pauses and resumes when toggled", () => {
  assert.equal(startPlayback(seek(initialState, 4)).position, 0);
  const playing = toggle(seek(initialState, 2));
  assert.equal(playing.isPlaying, true);
  assert.deepEqual(toggle(playing), pausePlayback(playing));
});

test("continues to the end when played during a single step", () => {
  const state = toggle(stepBy(initialState, 1));
  assert.deepEqual([state.isPlaying, state.stopAt], [true, 4]);
});

test("limits seeking to existing ticks", () => {
  const seeked = [-3, 1.6, 99].map((tick) => seek(initialState, tick).position);
  assert.deepEqual(seeked, [0, 2, 4]);
});

test("changes the speed by one step within limits", () => {
  assert.equal(shiftSpeed(initialState, 1).speed, 2);
  assert.equal(shiftSpeed(setSpeed(initialState, 16), 1).speed, 16);
  assert.equal(shiftSpeed(setSpeed(initialState, 0.25), -1).speed, 0.25);
});

const KEYS: [key: string, shift: boolean, from: number, at: number][] = [
  ["ArrowLeft", false, 3, 2],
  ["ArrowLeft", true, 3, 0],
  ["ArrowRight", true, 1, 4],
  ["Home", false, 3, 0],
  ["End", false, 1, 4],
];

for (const [key, shift, from, position] of KEYS) {
  test(`moves from ${from} to ${position} on ${shift ? "shift and " : ""}${key}`, () => {
    assert.equal(keyChange(key, shift)?.({ ...initialState, position: from }).position, position);
  });
}

test("ignores other keys", () => {
  assert.equal(keyChange("a", false), null);
  assert.equal(keyChange("Tab", false), null);
});

test("accepts a tick in the URL", () => {
  const parsedTicks = ["#tick-57", "#tick-", "#why", "", "#tick-57x"].map(tickInHash);
  assert.deepEqual(parsedTicks, [57, null, null, null, null]);
});
