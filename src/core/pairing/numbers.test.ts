import assert from "node:assert/strict";
import { test } from "node:test";

import { NUMBERS } from "#testing/harness/crowd.ts";
import { bot, played, snapshotOf, waveOf } from "#testing/harness/wave-scene.ts";

import type { PairingNumbers, WaitingBot } from "./types.ts";

const tables: {
  name: string;
  numbers: Partial<PairingNumbers>;
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
  test(`by ${name} than usual two ${meet ? "meet" : "do not meet"}`, () => {
    const snapshot = snapshotOf([bot("a", a), bot("b", b)], played(5, 3));
    assert.equal(waveOf(snapshot, 1).length > 0, !meet);
    const own = { ...snapshot, numbers: { ...NUMBERS, ...numbers } };
    assert.equal(waveOf(own, 1).length > 0, meet);
  });
