import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { createFight } from "#core/engine/fight.ts";
import { frameOf } from "#core/engine/frame.ts";
import { gridOf } from "#core/engine/maps.ts";
import { step } from "#core/engine/step.ts";
import { setSeatTurn } from "#core/engine/turn.ts";

import { addFrames, playbackSpeed, startLiveMatch, takeTick } from "./live-match.ts";
import type { WatchFrame } from "./live-match.ts";

const grid = gridOf("courtyard")!;
const WATCHING: Parameters<typeof startLiveMatch>[0] = {
  map: grid,
  fighters: [
    { id: "A", name: "alpha" },
    { id: "B", name: "house-brawler" },
  ],
};

/** Frames of a match in which nobody acts. */
function framesUpTo(count: number): WatchFrame[] {
  const fight = createFight(grid, 1, 2);
  return Array.from({ length: count }, () => {
    const frame = { ...frameOf(fight), events: [] };
    for (const seat of [0, 1]) setSeatTurn(fight, seat, null);
    step(fight);
    return frame;
  });
}

describe("a live match", () => {
  it("starts at the first frame and queues the following ticks", () => {
    const match = startLiveMatch(WATCHING);
    const frames = framesUpTo(4);
    addFrames(match, frames.slice(0, 2));
    addFrames(match, frames.slice(2));
    assert.equal(match.current?.tick, 0);
    assert.deepEqual(
      [takeTick(match), takeTick(match), takeTick(match), takeTick(match)].map(
        (scene) => scene?.after.tick,
      ),
      [1, 2, 3, undefined],
    );
    assert.deepEqual([match.current?.tick, match.shownCount], [3, 3]);
  });

  it("ignores frames that it already has, as after a reconnection", () => {
    const match = startLiveMatch(WATCHING);
    const frames = framesUpTo(3);
    addFrames(match, frames);
    addFrames(match, frames);
    assert.equal(match.waiting.length, 2);
  });

  it("jumps over a gap", () => {
    const match = startLiveMatch(WATCHING);
    const frames = framesUpTo(9);
    addFrames(match, frames.slice(0, 3));
    addFrames(match, frames.slice(7));
    assert.equal(match.current?.tick, 7);
    assert.deepEqual(
      match.waiting.map(({ after }) => after.tick),
      [8],
    );
  });

  it("plays faster the more ticks are waiting, up to 8 times", () => {
    const match = startLiveMatch(WATCHING);
    addFrames(match, framesUpTo(3));
    assert.equal(playbackSpeed(match), 1);
    addFrames(match, framesUpTo(7));
    assert.equal(playbackSpeed(match), 5);
    addFrames(match, framesUpTo(40));
    assert.equal(playbackSpeed(match), 8);
  });
});
