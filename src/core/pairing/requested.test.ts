import assert from "node:assert/strict";
import { test } from "node:test";

import { drawStarts } from "#testing/harness/simulated-crowd.ts";
import {
  createWaitingBot,
  SCENE_WAVE_LIMITS,
  MAX_SCENE_STARTS,
  createSnapshot,
  pairScene,
} from "#testing/harness/wave-scene.ts";

import { createRandomDraw } from "./random.ts";
import type { PlannedPairing, QueueSnapshot, WaitingBot } from "./types.ts";
import { pairWave } from "./wave.ts";

const pairsOf = (wave: readonly PlannedPairing[]) =>
  wave.map(({ bots, ground }) => `${bots.toSorted().join("-")} ${ground}`);

type SnapshotChanges = Partial<Pick<QueueSnapshot, "requested" | "owners">>;

const wavesOf = (
  bots: WaitingBot[],
  changes: SnapshotChanges = {},
  mostStarts = MAX_SCENE_STARTS,
) =>
  [1, 2, 3, 4, 5].map((seed) =>
    pairScene(
      { ...createSnapshot(bots), requested: [["a", "house"]], ...changes },
      seed,
      mostStarts,
    ),
  );

const house = (changes: Partial<WaitingBot> = {}) =>
  createWaitingBot("house", { house: true, owner: "house", ...changes });

test("pairs requested bots whatever their rating gap, ahead of a better pair", () => {
  const distantBot = house({ rating: 4000 });
  const bots = [
    createWaitingBot("a"),
    createWaitingBot("b"),
    createWaitingBot("c", { waitSeconds: 500 }),
    distantBot,
  ];
  for (const wave of wavesOf(bots))
    assert.deepEqual(
      pairsOf(wave).map((pair) => pair.replace(/window|reserved/, "")),
      ["a-house requested", "b-c "],
    );
});

test("gives the only start to a requested pair, not to the bots that have waited longest", () => {
  const bots = [
    createWaitingBot("a"),
    createWaitingBot("b", { waitSeconds: 500 }),
    createWaitingBot("c", { waitSeconds: 500 }),
    house(),
  ];
  for (const wave of wavesOf(bots, {}, 1)) assert.deepEqual(pairsOf(wave), ["a-house requested"]);
});

test("serves the oldest of several requests for a house bot first", () => {
  const requested = [
    ["b", "house"],
    ["a", "house"],
  ] as const;
  for (const wave of wavesOf([createWaitingBot("a"), createWaitingBot("b"), house()], {
    requested,
  }))
    assert.deepEqual(pairsOf(wave)[0], "b-house requested");
});

test("ranks the first start after the requested pairs by the longest wait among the remaining bots", () => {
  const bots = [
    createWaitingBot("a", { waitSeconds: 900 }),
    createWaitingBot("b", { waitSeconds: 40 }),
    createWaitingBot("c", { waitSeconds: 30 }),
    house(),
  ];
  for (const wave of wavesOf(bots))
    assert.deepEqual(
      wave.map(({ claimSeconds }) => claimSeconds),
      [900, 40],
    );
});

const BARRED_CASES: [what: string, a: Partial<WaitingBot>, changes?: SnapshotChanges][] = [
  ["have just met", { sinceMeetingSeconds: new Map([["house", 9]]) }],
  ["met last and have not waited since", { lastOpponent: "house", waitSeconds: 9 }],
  ["started just now", { sinceStartSeconds: 0.1 }],
  ["have an owner without room", { owner: "ann" }, owners({ running: 40, startsLeft: Infinity })],
  ["have an owner without quota", { owner: "ann" }, owners({ running: 0, startsLeft: 0 })],
];

function owners(load: { running: number; startsLeft: number }): SnapshotChanges {
  return { owners: new Map([["ann", load]]) };
}

for (const [description, a, changes] of BARRED_CASES)
  test(`bots that ${description} don't meet even if requested`, () => {
    for (const wave of wavesOf([createWaitingBot("a", a), house()], changes))
      assert.deepEqual(wave, []);
  });

const HELD_CASES: Partial<WaitingBot>[] = [
  { sinceMeetingSeconds: new Map([["house", 9]]) },
  { lastOpponent: "house", waitSeconds: 9 },
];

for (const a of HELD_CASES)
  test(`leaves requested bots unpaired while they are on a rematch hold: ${Object.keys(a)[0]}`, () => {
    const bots = [
      createWaitingBot("a", a),
      createWaitingBot("b"),
      createWaitingBot("c"),
      house({ waitSeconds: 500 }),
    ];
    for (const wave of wavesOf(bots)) {
      assert.deepEqual(
        wave.map(({ bots: pair }) => pair.toSorted().join("-")),
        ["b-c"],
      );
      assert.equal(wave[0]?.claimSeconds, 0);
    }
    const otherBots = wavesOf(bots, { requested: [] }).map((wave) => wave.length);
    assert.deepEqual(new Set(otherBots), new Set([2]), "without the request all four play");
  });

test("leaves bots unpaired only during their hold and only if both wait", () => {
  const justMetBot = { lastOpponent: "house", waitSeconds: 10 };
  const bots = [
    createWaitingBot("a", justMetBot),
    createWaitingBot("b"),
    house({ waitSeconds: 10 }),
  ];
  for (const wave of wavesOf(bots)) assert.deepEqual(pairsOf(wave), ["a-house requested"]);
  const busyOwner = [
    createWaitingBot("a", { ...justMetBot, waitSeconds: 0 }),
    createWaitingBot("b"),
  ];
  for (const wave of wavesOf(busyOwner)) assert.equal(wave.length, 1);
});

test("keeps a house bot for the older of two requests, even during its hold", () => {
  const requested = [
    ["a", "house"],
    ["b", "house"],
  ] as const;
  const bots = [
    createWaitingBot("a", HELD_CASES[1]),
    createWaitingBot("b"),
    createWaitingBot("c"),
    house(),
  ];
  for (const wave of wavesOf(bots, { requested }))
    assert.deepEqual(
      wave.map(({ bots: pair }) => pair.toSorted().join("-")),
      ["b-c"],
    );
});

test("gives an owner's last match to the bot with a request", () => {
  const ownStarts = { owner: "ann" };
  const bots = [
    createWaitingBot("a", ownStarts),
    createWaitingBot("b", { ...ownStarts, waitSeconds: 300 }),
    createWaitingBot("c"),
    house(),
  ];
  for (const wave of wavesOf(bots, owners({ running: 39, startsLeft: Infinity })))
    assert.deepEqual(pairsOf(wave), ["a-house requested"]);
});

function houses(houseStarts: number, requested: QueueSnapshot["requested"] = []): string[][] {
  const players = ["a", "b", "c"].map((name) => createWaitingBot(name, { owner: "ann" }));
  const house = ["x", "y", "z"].map((name) =>
    createWaitingBot(name, { house: true, owner: "house" }),
  );
  const snapshot = { ...createSnapshot([...players, ...house]), requested };
  return Array.from({ length: 20 }, (_, seed) => {
    const starts = drawStarts(MAX_SCENE_STARTS, createRandomDraw(seed));
    return pairsOf(pairWave(snapshot, { ...SCENE_WAVE_LIMITS, houseStarts }, starts, seed));
  });
}

test("starts no more matches with house bots than allowed", () => {
  for (const most of [0, 1, 2, 3])
    for (const wave of houses(most)) assert.equal(wave.length, most, wave.join());
});

test("picks scarce house bots at random, after the requested ones", () => {
  const pairedNames = new Set(houses(1).map(([pair]) => pair!.split(" ")[0]!.at(-1)));
  assert.deepEqual(pairedNames, new Set(["x", "y", "z"]));
  for (const wave of houses(1, [["b", "y"]])) assert.deepEqual(wave, ["b-y requested"]);
});
