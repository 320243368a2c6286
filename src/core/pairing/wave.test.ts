import assert from "node:assert/strict";
import { test } from "node:test";

import {
  bot,
  LIMITS,
  MAPS,
  MOST_STARTS,
  played,
  snapshotOf,
  waveOf,
} from "#testing/harness/wave-scene.ts";

import { createMatchups, recordGame } from "./matchups.ts";
import type { Matchups } from "./matchups.ts";
import type { OwnerLoad, Pairing, Snapshot, WaitingBot } from "./types.ts";
import { TERMS } from "./types.ts";
import { pairWave } from "./wave.ts";

/** The waves of fifty seeds. */
function wavesOf(snapshot: Snapshot, mostStarts = MOST_STARTS): Pairing[][] {
  return Array.from({ length: 50 }, (_, seed) => waveOf(snapshot, seed, mostStarts));
}

function pairsEver(a: Partial<WaitingBot>, b: Partial<WaitingBot>, matchups?: Matchups): boolean {
  const waves = wavesOf(snapshotOf([bot("a", a), bot("b", b)], matchups));
  const count = waves.filter((wave) => wave.length > 0).length;
  assert.ok(count === 0 || count === waves.length, "all seeds agree");
  return count > 0;
}

const meetings: {
  name: string;
  a?: Partial<WaitingBot>;
  b?: Partial<WaitingBot>;
  meet: boolean;
}[] = [
  { name: "two bots without owners", meet: true },
  { name: "bots of two owners", a: { owner: "ann" }, b: { owner: "bob" }, meet: true },
  { name: "bots of one owner", a: { owner: "ann" }, b: { owner: "ann" }, meet: false },
  { name: "a house bot and a player", a: { house: true, owner: "house" }, meet: true },
  {
    name: "a house bot and a player of one owner",
    a: { house: true, owner: "ann" },
    b: { owner: "ann" },
    meet: false,
  },
  { name: "two house bots", a: { house: true }, b: { house: true }, meet: false },
  { name: "a bot that started just now", a: { sinceStartSeconds: 0.29 }, meet: false },
  { name: "a bot that started long enough ago", a: { sinceStartSeconds: 0.3 }, meet: true },
  {
    name: "a match that ended just now",
    a: { sinceMeetingSeconds: new Map([["b", 9.9]]) },
    meet: false,
  },
  {
    name: "a match that ended ten seconds ago",
    a: { sinceMeetingSeconds: new Map([["b", 10]]) },
    meet: true,
  },
  {
    name: "the last opponent, one wait short",
    a: { lastOpponent: "b", waitSeconds: 30 },
    b: { waitSeconds: 9.9 },
    meet: false,
  },
  {
    name: "the last opponent, both waits over",
    a: { lastOpponent: "b", waitSeconds: 30 },
    b: { waitSeconds: 10 },
    meet: true,
  },
  { name: "a gap at the window", b: { rating: 1900 }, meet: true },
  { name: "a gap beyond the window", b: { rating: 1901 }, meet: false },
  {
    name: "a gap that the longer wait would cover",
    a: { waitSeconds: 50 },
    b: { rating: 1950 },
    meet: false,
  },
  {
    name: "a gap that the shorter wait covers",
    a: { waitSeconds: 50 },
    b: { rating: 1950, waitSeconds: 3 },
    meet: true,
  },
  { name: "a gap that priority covers", a: { waitSeconds: 60 }, b: { rating: 2700 }, meet: true },
  { name: "a gap beyond the cap", a: { waitSeconds: 74 }, b: { rating: 2701 }, meet: false },
  {
    name: "a gap at the cap, both having waited",
    a: { waitSeconds: 20 },
    b: { rating: 2700, waitSeconds: 20 },
    meet: true,
  },
  {
    name: "a gap at the cap, one not having waited",
    a: { waitSeconds: 20 },
    b: { rating: 2700, waitSeconds: 19.9 },
    meet: false,
  },
  {
    name: "a gap beyond the cap, both having waited",
    a: { waitSeconds: 74 },
    b: { rating: 2701, waitSeconds: 74 },
    meet: false,
  },
  {
    name: "a gap beyond the cap after 75 s",
    a: { waitSeconds: 75 },
    b: { rating: 3000 },
    meet: true,
  },
  {
    name: "a new version near its bot's rating",
    a: { games: 0, formerRating: 2300 },
    b: { rating: 2300 },
    meet: true,
  },
  {
    name: "a new version far from its bot's rating",
    a: { games: 0, formerRating: 2300 },
    meet: false,
  },
];
for (const { name, a = {}, b = {}, meet } of meetings) {
  test(`${name} ${meet ? "meet" : "do not meet"}`, () => {
    assert.equal(pairsEver(a, b), meet);
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
for (const { name, games, points, gap, meet } of matchups) {
  test(`${name}, ${gap} points apart, ${meet ? "passes" : "does not pass"} the window`, () => {
    assert.equal(pairsEver({}, { rating: 1500 - gap }, played(games, points)), meet);
  });
}

test("the best fights are chosen, not the first", () => {
  const bots = [1500, 1510, 1800, 1810].map((rating, place) => bot(`bot${place}`, { rating }));
  const settled = createMatchups();
  for (const one of bots) {
    for (const other of bots) {
      if (one === other) continue;
      for (let game = 0; game < 10; game += 1) {
        const score = game % 2 === 0 ? 1 : 0;
        recordGame(settled, { version: one.version, opponent: other.version, map: "cage", score });
      }
    }
  }
  for (const wave of wavesOf(snapshotOf(bots, settled))) {
    const pairs = wave.map(({ bots: pair }) => [...pair].sort().join(" ")).sort();
    assert.deepEqual(pairs, ["bot0 bot1", "bot2 bot3"]);
  }
});

test("the weight is the sum of its terms, and the filters that held are told", () => {
  const bots = Array.from({ length: 9 }, (_, place) =>
    bot(`bot${place}`, { rating: 1300 + 90 * place, waitSeconds: 7.3 * place, games: 5 * place }),
  );
  for (const pairing of wavesOf(snapshotOf(bots)).flat()) {
    assert.equal(
      pairing.weight,
      TERMS.reduce((sum, term) => sum + pairing.terms[term], 0),
    );
    assert.equal(pairing.discovery, !["window", "established"].includes(pairing.ground));
    assert.ok(pairing.discovery || pairing.gap <= pairing.window);
    assert.ok(pairing.expected > 0 && pairing.expected < 1);
  }
});

test("each pairing is one of the matches that may start, in their order", () => {
  const bots = Array.from({ length: 9 }, (_, place) => bot(`bot${place}`));
  const starts = [7, 11, 13, 17, 19].map((seed) => ({ matchId: `m${seed}`, seed }));
  const taken = pairWave(snapshotOf(bots), LIMITS, starts, 1);
  assert.deepEqual(
    taken.map(({ matchId, seed }) => ({ matchId, seed })),
    starts.slice(0, 4),
  );
});

test("where maps and seats are even the match's seed settles them, not the wave's", () => {
  const results = played(1, 1, "cage");
  const snapshot = snapshotOf([bot("a"), bot("b")], results);
  const even = ["lanes", "trench"];
  for (let wave = 0; wave < 20; wave += 1)
    for (const [seed, map, first] of [
      [0, "lanes", "a"],
      [1, "trench", "a"],
      [2 ** 31 - 1, "trench", "a"],
      [2 ** 31, "lanes", "b"],
      [2 ** 32 - 1, "trench", "b"],
    ] as const) {
      const pairing = pairWave(snapshot, LIMITS, [{ matchId: "m", seed }], wave)[0]!;
      assert.deepEqual([pairing.map, pairing.tiedMaps, pairing.bots[0]], [map, even, first]);
    }
});

test("the map least played by the pair is taken, by lot among equals", () => {
  const results = played(3, 1, "cage");
  recordGame(results, { version: "b/1", opponent: "a/1", map: "lanes", score: 1 });
  const snapshot = snapshotOf([bot("a"), bot("b")], results);
  for (const [pairing] of wavesOf(snapshot)) assert.equal(pairing!.map, "trench");
  const fresh = wavesOf(snapshotOf([bot("a"), bot("b")])).map(([pairing]) => pairing!.map);
  assert.deepEqual([...new Set(fresh)].sort(), MAPS.toSorted());
});

test("seat A goes to the bot that has had it less, else by lot", () => {
  const uneven = snapshotOf([bot("a", { seatSurplus: 1 }), bot("b", { seatSurplus: -2 })]);
  for (const [pairing] of wavesOf(uneven)) assert.deepEqual(pairing!.bots, ["b", "a"]);
  const firsts = wavesOf(snapshotOf([bot("a"), bot("b")])).map(([pairing]) => pairing!.bots[0]);
  assert.deepEqual([...new Set(firsts)].sort(), ["a", "b"]);
});

test("the same seed gives the same wave", () => {
  const snapshot = snapshotOf(Array.from({ length: 21 }, (_, place) => bot(`bot${place}`)));
  assert.deepEqual(waveOf(snapshot, 5), waveOf(snapshot, 5));
  assert.notDeepEqual(waveOf(snapshot, 5), waveOf(snapshot, 6));
});

test("about one start in seven is reserved for under-tested pairs, whatever the gap", () => {
  const bots = Array.from({ length: 40 }, (_, place) => bot(`bot${place}`, { rating: 60 * place }));
  const all = wavesOf(snapshotOf(bots)).flat();
  const reserved = all.filter(({ ground }) => ground === "reserved");
  const share = reserved.length / all.length;
  assert.ok(share > 0.11 && share < 0.18, `${share}`);
  assert.ok(reserved.some(({ gap, window }) => gap > 2 * window));
});

const tests = [
  { name: "a new pair", results: played(0, 0), reserved: true },
  { name: "a tested pair", results: played(5, 3), reserved: false },
  { name: "a tested pair with contradicting results", results: played(9, 9), reserved: true },
  {
    name: "a pair with contradicting results that are not early",
    results: played(20, 20),
    reserved: false,
  },
];
for (const { name, results, reserved } of tests) {
  test(`${name} gets ${reserved ? "its share of" : "no"} reserved starts`, () => {
    const waves = wavesOf(snapshotOf([bot("a"), bot("b")], results));
    const count = waves.filter(([first]) => first!.ground === "reserved").length;
    assert.equal(count > 0, reserved);
    assert.ok(count < 15);
  });
}

test("one of an odd field that has waited a minute is never the one left over", () => {
  const bots = Array.from({ length: 9 }, (_, place) =>
    bot(`bot${place}`, { rating: 1500 + place }),
  );
  bots.push(
    bot("old", { rating: 2600, waitSeconds: 61 }),
    bot("older", { waitSeconds: 62, rating: 500 }),
  );
  for (const wave of wavesOf(snapshotOf(bots))) {
    const players = wave.flatMap(({ bots: pair }) => pair);
    assert.ok(players.includes("old") && players.includes("older"));
  }
});

test("a bot beyond everybody's cap takes nobody from a fair fight, however long it has waited", () => {
  const pairs = ["a b", "a far", "b far"].map((pair) => pair.split(" "));
  const tested = createMatchups();
  for (const [one, other] of pairs)
    for (const score of [1, 0, 1, 0, 1] as const)
      recordGame(tested, { version: `${one}/1`, opponent: `${other}/1`, map: "cage", score });
  const far = bot("far", { rating: 2800, waitSeconds: 600 });
  const near = [bot("a"), bot("b", { rating: 1590 })];
  for (const wave of wavesOf(snapshotOf([...near, far], tested))) {
    const fair = wave.filter(({ ground }) => ground !== "reserved");
    for (const { bots: pair, ground } of fair)
      assert.deepEqual([pair.toSorted(), ground], [["a", "b"], "window"]);
  }
  const left = wavesOf(snapshotOf([near[0]!, far], tested))[0]![0]!;
  assert.equal(left.ground, "patience");
});

test("a server short of matches starts the longest waiting first", () => {
  const bots = Array.from({ length: 20 }, (_, place) =>
    bot(`bot${place}`, { waitSeconds: place < 4 ? 70 : 1 }),
  );
  for (const wave of wavesOf(snapshotOf(bots), 3)) {
    assert.equal(wave.length, 3);
    const old = wave.flatMap(({ bots: pair }) => pair).filter((name) => /^bot[0-3]$/.test(name));
    assert.ok(old.length >= 3, `${old.length}`);
  }
  assert.deepEqual(waveOf(snapshotOf(bots), 1, 0), []);
});

test("the one start goes to the longest wait, not to two that add up to more", () => {
  const bots = [
    bot("a", { waitSeconds: 600 }),
    bot("b", { waitSeconds: 600 }),
    bot("c", { waitSeconds: 970, rating: 4000 }),
    bot("d", { rating: 4000 }),
  ];
  for (const [first] of wavesOf(snapshotOf(bots), 1)) assert.ok(first?.bots.includes("c"));
});

test("a start competes with the longest wait of the wave, whichever pair takes it", () => {
  const tested = played(5, 3);
  const old = [bot("a", { waitSeconds: 50 }), bot("b")];
  const untried = [bot("new0", { rating: 4000 }), bot("new1", { rating: 4000, waitSeconds: 3 })];
  const waves = wavesOf(snapshotOf([...old, ...untried], tested), 1);
  for (const [first] of waves) assert.equal(first?.claimSeconds, 50);
  const passed = waves.filter(([first]) => !first?.bots.includes("a"));
  assert.ok(passed.length > 0, "a reserved start goes to a pair that has waited less");
  const house = bot("house", { house: true, owner: "house", waitSeconds: 5000 });
  const [withHouse] = wavesOf(snapshotOf([house, ...old.slice(0, 1)]));
  assert.deepEqual(
    withHouse?.map(({ claimSeconds }) => claimSeconds),
    [50],
  );
});

const loads: { load: OwnerLoad; free: number }[] = [
  { load: { running: 0, startsLeft: Infinity }, free: 6 },
  { load: { running: 37, startsLeft: Infinity }, free: 3 },
  { load: { running: 0, startsLeft: 2 }, free: 2 },
  { load: { running: 41, startsLeft: Infinity }, free: 0 },
];
for (const { load, free } of loads) {
  test(`an owner with ${load.running} running and ${load.startsLeft} left starts ${free}`, () => {
    const own = Array.from({ length: 6 }, (_, place) =>
      bot(`own${place}`, { owner: "ann", waitSeconds: 30 }),
    );
    const others = Array.from({ length: 9 }, (_, place) => bot(`other${place}`));
    const snapshot = { ...snapshotOf([...own, ...others]), owners: new Map([["ann", load]]) };
    for (const wave of wavesOf(snapshot)) {
      const started = wave.filter(({ bots: pair }) => pair.some((name) => name.startsWith("own")));
      assert.equal(started.length, free);
    }
  });
}

test("a ladder without maps cannot be paired", () => {
  assert.throws(() => waveOf({ ...snapshotOf([]), maps: [] }, 1), RangeError);
});
