// Pairs that somebody asked for, and house bots whose matches are short.
import assert from "node:assert/strict";
import { test } from "node:test";

import { startsDrawn } from "#testing/harness/crowd.ts";
import { bot, LIMITS, MOST_STARTS, snapshotOf, waveOf } from "#testing/harness/wave-scene.ts";

import { createDraw } from "./random.ts";
import type { Pairing, Snapshot, WaitingBot } from "./types.ts";
import { pairWave } from "./wave.ts";

const pairsOf = (wave: readonly Pairing[]) =>
  wave.map(({ bots, ground }) => `${bots.toSorted().join("-")} ${ground}`);

type Asked = Partial<Pick<Snapshot, "requested" | "owners">>;

const wavesOf = (bots: WaitingBot[], changes: Asked = {}, mostStarts = MOST_STARTS) =>
  [1, 2, 3, 4, 5].map((seed) =>
    waveOf({ ...snapshotOf(bots), requested: [["a", "house"]], ...changes }, seed, mostStarts),
  );

const house = (changes: Partial<WaitingBot> = {}) =>
  bot("house", { house: true, owner: "house", ...changes });

test("a pair that was asked for plays, however far apart, and before a better one", () => {
  const far = house({ rating: 4000 });
  const bots = [bot("a"), bot("b"), bot("c", { waitSeconds: 500 }), far];
  for (const wave of wavesOf(bots))
    assert.deepEqual(
      pairsOf(wave).map((pair) => pair.replace(/window|reserved/, "")),
      ["a-house requested", "b-c "],
    );
});

test("the one start goes to what was asked for, not to the longest wait", () => {
  const bots = [bot("a"), bot("b", { waitSeconds: 500 }), bot("c", { waitSeconds: 500 }), house()];
  for (const wave of wavesOf(bots, {}, 1)) assert.deepEqual(pairsOf(wave), ["a-house requested"]);
});

test("of several wishes for one house bot the oldest comes first", () => {
  const requested = [
    ["b", "house"],
    ["a", "house"],
  ] as const;
  for (const wave of wavesOf([bot("a"), bot("b"), house()], { requested }))
    assert.deepEqual(pairsOf(wave)[0], "b-house requested");
});

test("a start beyond those asked for competes with the longest wait of the others", () => {
  const bots = [
    bot("a", { waitSeconds: 900 }),
    bot("b", { waitSeconds: 40 }),
    bot("c", { waitSeconds: 30 }),
    house(),
  ];
  for (const wave of wavesOf(bots))
    assert.deepEqual(
      wave.map(({ claimSeconds }) => claimSeconds),
      [900, 40],
    );
});

const barred: [what: string, a: Partial<WaitingBot>, changes?: Asked][] = [
  ["have just met", { sinceMeetingSeconds: new Map([["house", 9]]) }],
  ["met last and have not waited since", { lastOpponent: "house", waitSeconds: 9 }],
  ["started just now", { sinceStartSeconds: 0.1 }],
  ["have an owner without room", { owner: "ann" }, owners({ running: 40, startsLeft: Infinity })],
  ["have an owner without quota", { owner: "ann" }, owners({ running: 0, startsLeft: 0 })],
];

function owners(load: { running: number; startsLeft: number }): Asked {
  return { owners: new Map([["ann", load]]) };
}

for (const [what, a, changes] of barred)
  test(`bots that ${what} do not meet because somebody asks for it`, () => {
    for (const wave of wavesOf([bot("a", a), house()], changes)) assert.deepEqual(wave, []);
  });

const HELD: Partial<WaitingBot>[] = [
  { sinceMeetingSeconds: new Map([["house", 9]]) },
  { lastOpponent: "house", waitSeconds: 9 },
];

for (const a of HELD)
  test(`bots whose hold keeps a wish waiting rest: ${Object.keys(a)[0]}`, () => {
    const bots = [bot("a", a), bot("b"), bot("c"), house({ waitSeconds: 500 })];
    for (const wave of wavesOf(bots)) {
      assert.deepEqual(
        wave.map(({ bots: pair }) => pair.toSorted().join("-")),
        ["b-c"],
      );
      assert.equal(wave[0]?.claimSeconds, 0);
    }
    const others = wavesOf(bots, { requested: [] }).map((wave) => wave.length);
    assert.deepEqual(new Set(others), new Set([2]), "without the wish all four play");
  });

test("bots rest no longer than their hold, and only where both of them wait", () => {
  const met = { lastOpponent: "house", waitSeconds: 10 };
  const bots = [bot("a", met), bot("b"), house({ waitSeconds: 10 })];
  for (const wave of wavesOf(bots)) assert.deepEqual(pairsOf(wave), ["a-house requested"]);
  const busy = [bot("a", { ...met, waitSeconds: 0 }), bot("b")];
  for (const wave of wavesOf(busy)) assert.equal(wave.length, 1);
});

test("the older of two wishes for a house bot keeps it, also while its hold lasts", () => {
  const requested = [
    ["a", "house"],
    ["b", "house"],
  ] as const;
  const bots = [bot("a", HELD[1]), bot("b"), bot("c"), house()];
  for (const wave of wavesOf(bots, { requested }))
    assert.deepEqual(
      wave.map(({ bots: pair }) => pair.toSorted().join("-")),
      ["b-c"],
    );
});

test("an owner's last match goes to the bot whose match was asked for", () => {
  const own = { owner: "ann" };
  const bots = [bot("a", own), bot("b", { ...own, waitSeconds: 300 }), bot("c"), house()];
  for (const wave of wavesOf(bots, owners({ running: 39, startsLeft: Infinity })))
    assert.deepEqual(pairsOf(wave), ["a-house requested"]);
});

function houses(houseStarts: number, requested: Snapshot["requested"] = []): string[][] {
  const players = ["a", "b", "c"].map((name) => bot(name, { owner: "ann" }));
  const house = ["x", "y", "z"].map((name) => bot(name, { house: true, owner: "house" }));
  const snapshot = { ...snapshotOf([...players, ...house]), requested };
  return Array.from({ length: 20 }, (_, seed) => {
    const starts = startsDrawn(MOST_STARTS, createDraw(seed));
    return pairsOf(pairWave(snapshot, { ...LIMITS, houseStarts }, starts, seed));
  });
}

test("no more matches with house bots start than may", () => {
  for (const most of [0, 1, 2, 3])
    for (const wave of houses(most)) assert.equal(wave.length, most, wave.join());
});

test("which house bots play where they are short is left to chance, wishes aside", () => {
  const shown = new Set(houses(1).map(([pair]) => pair!.split(" ")[0]!.at(-1)));
  assert.deepEqual(shown, new Set(["x", "y", "z"]));
  for (const wave of houses(1, [["b", "y"]])) assert.deepEqual(wave, ["b-y requested"]);
});
