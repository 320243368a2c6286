import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { gridOf } from "#core/engine/maps.ts";
import { idleFrames } from "#testing/fixtures/watch-route.ts";

import { addFrames, playbackSpeed, startLiveMatch, takeTick } from "./live-match.ts";

const grid = gridOf("courtyard")!;
const WATCHING: Parameters<typeof startLiveMatch>[0] = {
  map: grid,
  fighters: [
    { id: "A", name: "alpha" },
    { id: "B", name: "house-brawler" },
  ],
};

describe("a live match", () => {
  it("starts at the first frame and queues the following ticks", () => {
    const match = startLiveMatch(WATCHING);
    const frames = idleFrames(4);
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
    const frames = idleFrames(3);
    addFrames(match, frames);
    addFrames(match, frames);
    assert.equal(match.waiting.length, 2);
  });

  it("jumps over a gap", () => {
    const match = startLiveMatch(WATCHING);
    const frames = idleFrames(9);
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
    addFrames(match, idleFrames(3));
    assert.equal(playbackSpeed(match), 1);
    addFrames(match, idleFrames(7));
    assert.equal(playbackSpeed(match), 5);
    addFrames(match, idleFrames(40));
    assert.equal(playbackSpeed(match), 8);
  });
});
