import assert from "node:assert/strict";
import { test } from "node:test";

import {
  createWaitingBot,
  SCENE_WAVE_LIMITS,
  SCENE_MAPS,
  MAX_SCENE_STARTS,
  createMatchupHistory,
  createSnapshot,
  pairScene,
} from "#testing/harness/wave-scene.ts";

import { createMatchups, recordGame } from "./matchups.ts";
import type { Matchups } from "./matchups.ts";
import type { OwnerLoad, PlannedPairing, QueueSnapshot, WaitingBot } from "./types.ts";
import { WEIGHT_TERMS } from "./types.ts";
import { pairWave } from "./wave.ts";

function wavesOf(snapshot: QueueSnapshot, mostStarts = MAX_SCENE_STARTS): PlannedPairing[][] {
  return Array.from({ length: 50 }, (_, seed) => pairScene(snapshot, seed, mostStarts));
}

function canPair(a: Partial<WaitingBot>, b: Partial<WaitingBot>, matchups?: Matchups): boolean {
  const waves = wavesOf(
    createSnapshot([createWaitingBot("a", a), createWaitingBot("b", b)], matchups),
  );
  const count = waves.filter((wave) => wave.length > 0).length;
  assert.ok(count === 0 || count === waves.length, "all seeds agree");
  return count > 0;
}

const MEETING_CASES: {
  name: string;
  a?: Partial<WaitingBot>;
  b?: Partial<WaitingBot>;
  canMeet: boolean;
}[] = [
  { name: "two bots without owners", canMeet: true },
  { name: "bots of two owners", a: { owner: "ann" }, b: { owner: "bob" }, canMeet: true },
  { name: "bots of one owner", a: { owner: "ann" }, b: { owner: "ann" }, canMeet: false },
  { name: "a house bot and a player", a: { house: true, owner: "house" }, canMeet: true },
  {
    name: "a house bot and a player of one owner",
    a: { house: true, owner: "ann" },
    b: { owner: "ann" },
    canMeet: false,
  },
  { name: "two house bots", a: { house: true }, b: { house: true }, canMeet: false },
  { name: "a bot that started just now", a: { sinceStartSeconds: 0.29 }, canMeet: false },
  { name: "a bot that started long enough ago", a: { sinceStartSeconds: 0.3 }, canMeet: true },
  {
    name: "a match that ended just now",
    a: { sinceMeetingSeconds: new Map([["b", 9.9]]) },
    canMeet: false,
  },
  {
    name: "a match that ended ten seconds ago",
    a: { sinceMeetingSeconds: new Map([["b", 10]]) },
    canMeet: true,
  },
  {
    name: "the last opponent, one wait short",
    a: { lastOpponent: "b", waitSeconds: 30 },
    b: { waitSeconds: 9.9 },
    canMeet: false,
  },
  {
    name: "the last opponent, both waits over",
    a: { lastOpponent: "b", waitSeconds: 30 },
    b: { waitSeconds: 10 },
    canMeet: true,
  },
  { name: "a gap at the window", b: { rating: 1900 }, canMeet: true },
  { name: "a gap beyond the window", b: { rating: 1901 }, canMeet: false },
  {
    name: "a gap that the longer wait would cover",
    a: { waitSeconds: 50 },
    b: { rating: 1950 },
    canMeet: false,
  },
  {
    name: "a gap that the shorter wait covers",
    a: { waitSeconds: 50 },
    b: { rating: 1950, waitSeconds: 3 },
    canMeet: true,
  },
  {
    name: "a gap that priority covers",
    a: { waitSeconds: 60 },
    b: { rating: 2700 },
    canMeet: true,
  },
  { name: "a gap beyond the cap", a: { waitSeconds: 74 }, b: { rating: 2701 }, canMeet: false },
  {
    name: "a gap at the cap, both having waited",
    a: { waitSeconds: 20 },
    b: { rating: 2700, waitSeconds: 20 },
    canMeet: true,
  },
  {
    name: "a gap at the cap, one not having waited",
    a: { waitSeconds: 20 },
    b: { rating: 2700, waitSeconds: 19.9 },
    canMeet: false,
  },
  {
    name: "a gap beyond the cap, both having waited",
    a: { waitSeconds: 74 },
    b: { rating: 2701, waitSeconds: 74 },
    canMeet: false,
  },
  {
    name: "a gap beyond the cap after 75 s",
    a: { waitSeconds: 75 },
    b: { rating: 3000 },
    canMeet: true,
  },
  {
    name: "a new version near its bot's rating",
    a: { games: 0, formerRating: 2300 },
    b: { rating: 2300 },
    canMeet: true,
  },
  {
    name: "a new version far from its bot's rating",
    a: { games: 0, formerRating: 2300 },
    canMeet: false,
  },
];
for (const { name, a = {}, b = {}, canMeet } of MEETING_CASES) {
  test(`${name} ${canMeet ? "meet" : "don't meet"}`, () => {
    assert.equal(canPair(a, b), canMeet);
  });
}

const matchups = [
  { name: "an established open matchup", games: 20, points: 10, gap: 900, meet: true },
  { name: "one game short of established", games: 19, points: 10, gap: 900, meet: false },
  { name: "an established one-sided matchup", games: 40, points: 38, gap: 900, meet: false },
  {
    name: "an established open matchup beyond the cap",
    games: 60,
    points: 30,
    gap: 1201,
    meet: false,
  },
];
for (const { name, games, points, gap, meet: canMeet } of matchups) {
  test(`${name}, ${gap} points apart, ${canMeet ? "passes" : "does not pass"} the window`, () => {
    assert.equal(canPair({}, { rating: 1500 - gap }, createMatchupHistory(games, points)), canMeet);
  });
}

test("chooses the best matches instead of the first", () => {
  const bots = [1500, 1510, 1800, 1810].map((rating, place) =>
    createWaitingBot(`bot${place}`, { rating }),
  );
  const settled = createMatchups();
  for (const firstBot of bots) {
    for (const secondBot of bots) {
      if (firstBot === secondBot) continue;
      for (let game = 0; game < 10; game += 1) {
        const score = game % 2 === 0 ? 1 : 0;
        recordGame(settled, {
          version: firstBot.version,
          opponent: secondBot.version,
          map: "cage",
          score,
        });
      }
    }
  }
  for (const wave of wavesOf(createSnapshot(bots, settled))) {
    const pairs = wave.map(({ bots: pair }) => [...pair].sort().join(" ")).sort();
    assert.deepEqual(pairs, ["bot0 bot1", "bot2 bot3"]);
  }
});

test("reports a weight that is the sum of its terms, and the filters that applied", () => {
  const bots = Array.from({ length: 9 }, (_, place) =>
    createWaitingBot(`bot${place}`, {
      rating: 1300 + 90 * place,
      waitSeconds: 7.3 * place,
      games: 5 * place,
    }),
  );
  for (const pairing of wavesOf(createSnapshot(bots)).flat()) {
    assert.equal(
      pairing.weight,
      WEIGHT_TERMS.reduce((sum, term) => sum + pairing.terms[term], 0),
    );
    assert.equal(pairing.discovery, !["window", "established"].includes(pairing.ground));
    assert.ok(pairing.discovery || pairing.gap <= pairing.window);
    assert.ok(pairing.expected > 0 && pairing.expected < 1);
  }
});

test("uses the possible starts in order", () => {
  const bots = Array.from({ length: 9 }, (_, place) => createWaitingBot(`bot${place}`));
  const starts = [7, 11, 13, 17, 19].map((seed) => ({ matchId: `m${seed}`, seed }));
  const taken = pairWave(createSnapshot(bots), SCENE_WAVE_LIMITS, starts, 1);
  assert.deepEqual(
    taken.map(({ matchId, seed }) => ({ matchId, seed })),
    starts.slice(0, 4),
  );
});

test("breaks ties between maps and seats by the match's seed, not the wave's", () => {
  const results = createMatchupHistory(1, 1, "cage");
  const snapshot = createSnapshot([createWaitingBot("a"), createWaitingBot("b")], results);
  const evenPair = ["lanes", "trench"];
  for (let wave = 0; wave < 20; wave += 1)
    for (const [seed, map, first] of [
      [0, "lanes", "a"],
      [1, "trench", "a"],
      [2 ** 31 - 1, "trench", "a"],
      [2 ** 31, "lanes", "b"],
      [2 ** 32 - 1, "trench", "b"],
    ] as const) {
      const pairing = pairWave(snapshot, SCENE_WAVE_LIMITS, [{ matchId: "m", seed }], wave)[0]!;
      assert.deepEqual([pairing.map, pairing.tiedMaps, pairing.bots[0]], [map, evenPair, first]);
    }
});

test("picks the map that the pair has played least, at random among equals", () => {
  const results = createMatchupHistory(3, 1, "cage");
  recordGame(results, { version: "b/1", opponent: "a/1", map: "lanes", score: 1 });
  const snapshot = createSnapshot([createWaitingBot("a"), createWaitingBot("b")], results);
  for (const [pairing] of wavesOf(snapshot)) assert.equal(pairing!.map, "trench");
  const newBot = wavesOf(createSnapshot([createWaitingBot("a"), createWaitingBot("b")])).map(
    ([pairing]) => pairing!.map,
  );
  assert.deepEqual([...new Set(newBot)].sort(), SCENE_MAPS.toSorted());
});

test("assigns seat A to the bot that has had it less often, at random among equals", () => {
  const unevenPair = createSnapshot([
    createWaitingBot("a", { seatSurplus: 1 }),
    createWaitingBot("b", { seatSurplus: -2 }),
  ]);
  for (const [pairing] of wavesOf(unevenPair)) assert.deepEqual(pairing!.bots, ["b", "a"]);
  const firsts = wavesOf(createSnapshot([createWaitingBot("a"), createWaitingBot("b")])).map(
    ([pairing]) => pairing!.bots[0],
  );
  assert.deepEqual([...new Set(firsts)].sort(), ["a", "b"]);
});

test("returns the same wave for the same seed", () => {
  const snapshot = createSnapshot(
    Array.from({ length: 21 }, (_, place) => createWaitingBot(`bot${place}`)),
  );
  assert.deepEqual(pairScene(snapshot, 5), pairScene(snapshot, 5));
  assert.notDeepEqual(pairScene(snapshot, 5), pairScene(snapshot, 6));
});

test("reserves about one in seven starts for under-tested pairs, whatever their gap", () => {
  const bots = Array.from({ length: 40 }, (_, place) =>
    createWaitingBot(`bot${place}`, { rating: 60 * place }),
  );
  const allPairs = wavesOf(createSnapshot(bots)).flat();
  const reserved = allPairs.filter(({ ground }) => ground === "reserved");
  const share = reserved.length / allPairs.length;
  assert.ok(share > 0.11 && share < 0.18, `${share}`);
  assert.ok(reserved.some(({ gap, window }) => gap > 2 * window));
});

const TESTED_CASES = [
  { name: "a new pair", results: createMatchupHistory(0, 0), reserved: true },
  { name: "a tested pair", results: createMatchupHistory(5, 3), reserved: false },
  {
    name: "a tested pair with contradicting results",
    results: createMatchupHistory(9, 9),
    reserved: true,
  },
  {
    name: "a pair with contradicting results that are not early",
    results: createMatchupHistory(20, 20),
    reserved: false,
  },
];
for (const { name, results, reserved } of TESTED_CASES) {
  test(`${name} gets ${reserved ? "its share of" : "no"} reserved starts`, () => {
    const waves = wavesOf(createSnapshot([createWaitingBot("a"), createWaitingBot("b")], results));
    const count = waves.filter(([first]) => first!.ground === "reserved").length;
    assert.equal(count > 0, reserved);
    assert.ok(count < 15);
  });
}

test("pairs every bot that has waited a minute, even if another bot is left over", () => {
  const bots = Array.from({ length: 9 }, (_, place) =>
    createWaitingBot(`bot${place}`, { rating: 1500 + place }),
  );
  bots.push(
    createWaitingBot("old", { rating: 2600, waitSeconds: 61 }),
    createWaitingBot("older", { waitSeconds: 62, rating: 500 }),
  );
  for (const wave of wavesOf(createSnapshot(bots))) {
    const players = wave.flatMap(({ bots: pair }) => pair);
    assert.ok(players.includes("old") && players.includes("older"));
  }
});

test("never breaks up an even match for a bot beyond the cap, however long it has waited", () => {
  const pairs = ["a b", "a far", "b far"].map((pair) => pair.split(" "));
  const tested = createMatchups();
  for (const [firstBot, secondBot] of pairs)
    for (const score of [1, 0, 1, 0, 1] as const)
      recordGame(tested, {
        version: `${firstBot}/1`,
        opponent: `${secondBot}/1`,
        map: "cage",
        score,
      });
  const distantBot = createWaitingBot("far", { rating: 2800, waitSeconds: 600 });
  const closeBot = [createWaitingBot("a"), createWaitingBot("b", { rating: 1590 })];
  for (const wave of wavesOf(createSnapshot([...closeBot, distantBot], tested))) {
    const fair = wave.filter(({ ground }) => ground !== "reserved");
    for (const { bots: pair, ground } of fair)
      assert.deepEqual([pair.toSorted(), ground], [["a", "b"], "window"]);
  }
  const remaining = wavesOf(createSnapshot([closeBot[0]!, distantBot], tested))[0]![0]!;
  assert.equal(remaining.ground, "patience");
});

test("starts the longest-waiting bots first if capacity is scarce", () => {
  const bots = Array.from({ length: 20 }, (_, place) =>
    createWaitingBot(`bot${place}`, { waitSeconds: place < 4 ? 70 : 1 }),
  );
  for (const wave of wavesOf(createSnapshot(bots), 3)) {
    assert.equal(wave.length, 3);
    const oldBot = wave.flatMap(({ bots: pair }) => pair).filter((name) => /^bot[0-3]$/.test(name));
    assert.ok(oldBot.length >= 3, `${oldBot.length}`);
  }
  assert.deepEqual(pairScene(createSnapshot(bots), 1, 0), []);
});

test("gives the only start to the bot that has waited longest, not to two bots with a greater total wait", () => {
  const bots = [
    createWaitingBot("a", { waitSeconds: 600 }),
    createWaitingBot("b", { waitSeconds: 600 }),
    createWaitingBot("c", { waitSeconds: 970, rating: 4000 }),
    createWaitingBot("d", { rating: 4000 }),
  ];
  for (const [first] of wavesOf(createSnapshot(bots), 1)) assert.ok(first?.bots.includes("c"));
});

test("ranks the first start by the longest wait in the wave, whichever pair gets that start", () => {
  const tested = createMatchupHistory(5, 3);
  const oldBot = [createWaitingBot("a", { waitSeconds: 50 }), createWaitingBot("b")];
  const untestedPair = [
    createWaitingBot("new0", { rating: 4000 }),
    createWaitingBot("new1", { rating: 4000, waitSeconds: 3 }),
  ];
  const waves = wavesOf(createSnapshot([...oldBot, ...untestedPair], tested), 1);
  for (const [first] of waves) assert.equal(first?.claimSeconds, 50);
  const passedOver = waves.filter(([first]) => !first?.bots.includes("a"));
  assert.ok(passedOver.length > 0, "a reserved start goes to a pair that has waited less");
  const house = createWaitingBot("house", { house: true, owner: "house", waitSeconds: 5000 });
  const [withHouse] = wavesOf(createSnapshot([house, ...oldBot.slice(0, 1)]));
  assert.deepEqual(
    withHouse?.map(({ claimSeconds }) => claimSeconds),
    [50],
  );
});

const LOAD_CASES: { load: OwnerLoad; free: number }[] = [
  { load: { running: 0, startsLeft: Infinity }, free: 6 },
  { load: { running: 37, startsLeft: Infinity }, free: 3 },
  { load: { running: 0, startsLeft: 2 }, free: 2 },
  { load: { running: 41, startsLeft: Infinity }, free: 0 },
];
for (const { load, free } of LOAD_CASES) {
  test(`an owner with ${load.running} running matches and ${load.startsLeft} starts left starts ${free}`, () => {
    const ownStarts = Array.from({ length: 6 }, (_, place) =>
      createWaitingBot(`own${place}`, { owner: "ann", waitSeconds: 30 }),
    );
    const otherStarts = Array.from({ length: 9 }, (_, place) => createWaitingBot(`other${place}`));
    const snapshot = {
      ...createSnapshot([...ownStarts, ...otherStarts]),
      owners: new Map([["ann", load]]),
    };
    for (const wave of wavesOf(snapshot)) {
      const started = wave.filter(({ bots: pair }) => pair.some((name) => name.startsWith("own")));
      assert.equal(started.length, free);
    }
  });
}

test("throws for a ladder without maps", () => {
  assert.throws(() => pairScene({ ...createSnapshot([]), maps: [] }, 1), RangeError);
});
