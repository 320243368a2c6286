import assert from "node:assert/strict";
import { test } from "node:test";

import { CROWD_PAIRING_NUMBERS } from "#testing/harness/simulated-crowd.ts";
import {
  createWaitingBot,
  createMatchupHistory,
  createSnapshot,
  pairScene,
} from "#testing/harness/wave-scene.ts";

import type { PairingParameters, WaitingBot } from "./types.ts";

const tables: {
  name: string;
  numbers: Partial<PairingParameters>;
  a?: Partial<WaitingBot>;
  b?: Partial<WaitingBot>;
  meet: boolean;
}[] = [
  { name: "a narrower window", numbers: { windowStart: 99 }, b: { rating: 1600 }, meet: false },
  {
    name: "a window that grows faster",
    numbers: { windowPerSecond: 200 },
    a: { waitSeconds: 3 },
    b: { waitSeconds: 3, rating: 2500 },
    meet: true,
  },
  {
    name: "a higher cap",
    numbers: { windowCap: 1300 },
    a: { waitSeconds: 60 },
    b: { rating: 2800 },
    meet: true,
  },
  {
    name: "an earlier priority",
    numbers: { priorityWaitSeconds: 30 },
    a: { waitSeconds: 30 },
    b: { rating: 2500 },
    meet: true,
  },
  {
    name: "a longer hold",
    numbers: { rematchHoldSeconds: 30 },
    a: { sinceMeetingSeconds: new Map([["b", 29]]) },
    meet: false,
  },
  {
    name: "an earlier settling",
    numbers: { settledGames: 10 },
    a: { games: 10, rating: 1500, formerRating: 2300 },
    meet: true,
  },
];
for (const { name, numbers, a = {}, b = {}, meet } of tables)
  test(`with ${name} than by default, two bots ${meet ? "meet" : "don't meet"}`, () => {
    const snapshot = createSnapshot(
      [createWaitingBot("a", a), createWaitingBot("b", b)],
      createMatchupHistory(5, 3),
    );
    assert.equal(pairScene(snapshot, 1).length > 0, !meet);
    const own = { ...snapshot, numbers: { ...CROWD_PAIRING_NUMBERS, ...numbers } };
    assert.equal(pairScene(own, 1).length > 0, meet);
  });
