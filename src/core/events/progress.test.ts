import assert from "node:assert/strict";
import { describe, it } from "node:test";

import fc from "fast-check";

import type { Condition } from "./event.ts";
import { NOTHING, targetOf, withGame } from "./progress.ts";
import type { CountedGame, ProgressTally } from "./progress.ts";

/** Each game is a short word: its result, and what else matters about it. */
type Told = Partial<CountedGame>;

const W: Told = { result: "W" };
const L: Told = { result: "L" };
const D: Told = { result: "D" };
const CLEAN: Told = { isClean: true };
const SLOW: Told = { isClean: false };
const UNKNOWN: Told = { isClean: null };
const NOBODY_THERE: Told = { ticks: 0, isClean: false };
const on = (map: string, told: Told = W): Told => ({ ...told, map });
const against = (opponent: CountedGame["opponent"], told: Told = W): Told => ({
  ...told,
  opponent,
});
const to = (score: number | null): Told => ({ score });

const idOf = (number: number) => `game-${String(number).padStart(4, "0")}`;
const endOf = (number: number) => `2026-01-05T12:${String(number).padStart(4, "0")}`;

function gamesOf(told: readonly Told[]): CountedGame[] {
  const plain = { map: "keep", result: "L", opponent: null, ticks: 9, isClean: true, score: null };
  return told.map((one, at) => ({
    ...(plain as CountedGame),
    matchId: idOf(at + 1),
    ended: endOf(at + 1),
    ...one,
  }));
}

const foldOf = (condition: Condition, told: readonly Told[]): ProgressTally =>
  gamesOf(told).reduce((tally, game) => withGame(condition, tally, game), NOTHING);

type Case = [
  name: string,
  condition: Condition,
  games: Told[],
  best: number,
  earnedBy: number[] | null,
];

const TWO_WINS: Condition = { kind: "wins", count: 2 };
const THREE_MAPS: Condition = { kind: "wins", count: 3, maps: 3 };
const KITER: Condition = { kind: "defeat", opponent: "kiter", wins: 2, maps: 2 };
const STREAK: Condition = { kind: "streak", wins: 3 };
const TIDY: Condition = { kind: "clean", games: 2 };
const POINTS: Condition = { kind: "score", least: 1600 };

const CASES: Case[] = [
  ["games count whatever their result", { kind: "games", count: 3 }, [W, L, D], 3, [1, 2, 3]],
  ["nothing is earned by less", { kind: "games", count: 3 }, [W, L], 2, null],
  ["only wins are wins", TWO_WINS, [W, D, L, W, W], 3, [1, 4]],
  ["wins on one map are on one", THREE_MAPS, [on("a"), on("a"), on("a"), on("a")], 4, null],
  [
    "wins need their number and their maps",
    THREE_MAPS,
    [on("a"), on("b"), on("b"), on("c", L), on("c")],
    4,
    [1, 2, 3, 5],
  ],
  ["two wins on two maps are not three", THREE_MAPS, [on("a"), on("b")], 2, null],
  [
    "only wins over that house bot count",
    KITER,
    [
      against("kiter", on("a")),
      against("brawler", on("b")),
      against(null, on("c")),
      against("kiter", on("b", L)),
      against("kiter", on("b")),
    ],
    2,
    [1, 5],
  ],
  ["a streak ends with a loss", STREAK, [W, W, L, W, W], 2, null],
  ["a streak ends with a draw", STREAK, [W, W, D, W], 2, null],
  ["a streak is the games in a row", STREAK, [W, L, W, W, W, L], 3, [3, 4, 5]],
  ["a slow game ends a clean row", TIDY, [CLEAN, SLOW, CLEAN], 1, null],
  ["a clean row may be of losses", TIDY, [SLOW, CLEAN, { ...CLEAN, ...L }], 2, [2, 3]],
  ["a game of no tick neither counts nor breaks", TIDY, [CLEAN, NOBODY_THERE, CLEAN], 2, [1, 3]],
  ["what is not known neither counts nor breaks", TIDY, [CLEAN, UNKNOWN, CLEAN], 2, [1, 3]],
  ["a score counts while ranked", POINTS, [to(null), to(1599), to(1600), to(1700)], 1700, [3]],
  ["the best score stays", POINTS, [to(1500), to(1400)], 1500, null],
  ["a score below nothing is nothing", POINTS, [to(-20)], 0, null],
];

describe("progress", () => {
  for (const [name, condition, games, best, earnedBy] of CASES)
    it(name, () => {
      const tally = foldOf(condition, games);
      assert.equal(tally.best, best);
      assert.deepEqual(tally.earned?.evidence.map((id) => Number(id.slice(5))) ?? null, earnedBy);
      assert.equal(tally.earned?.at ?? null, earnedBy === null ? null : endOf(earnedBy.at(-1)!));
    });

  it("keeps the latest ten games as evidence, the deciding one last", () => {
    const { earned } = foldOf(
      { kind: "games", count: 25 },
      Array.from({ length: 30 }, () => W),
    );
    assert.deepEqual(
      earned?.evidence,
      Array.from({ length: 10 }, (_, at) => idOf(16 + at)),
    );
  });

  it("keeps the first game on each map as evidence, however many come after it", () => {
    const condition: Condition = { kind: "wins", count: 20, maps: 3 };
    const games = [on("a"), on("b"), ...Array.from({ length: 20 }, () => on("a")), on("c")];
    const { earned } = foldOf(condition, games);
    const numbers = earned?.evidence.map((id) => Number(id.slice(5)));
    assert.deepEqual(numbers, [1, 2, 16, 17, 18, 19, 20, 21, 22, 23]);
  });
});

const conditions = fc.oneof(
  fc.record({ kind: fc.constant("games"), count: fc.integer({ min: 1, max: 12 }) }),
  fc.record({
    kind: fc.constant("wins"),
    count: fc.integer({ min: 1, max: 6 }),
    maps: fc.integer({ min: 1, max: 4 }),
  }),
  fc.record({
    kind: fc.constant("defeat"),
    opponent: fc.constantFrom("kiter", "brawler"),
    wins: fc.integer({ min: 1, max: 4 }),
  }),
  fc.record({ kind: fc.constant("streak"), wins: fc.integer({ min: 1, max: 5 }) }),
  fc.record({ kind: fc.constant("clean"), games: fc.integer({ min: 1, max: 5 }) }),
  fc.record({ kind: fc.constant("score"), least: fc.integer({ min: 1, max: 9 }) }),
) as fc.Arbitrary<Condition>;

const told = fc.record({
  map: fc.constantFrom("a", "b", "c", "d"),
  result: fc.constantFrom("W", "L", "D"),
  opponent: fc.constantFrom(null, "kiter", "brawler"),
  ticks: fc.integer({ min: 0, max: 2 }),
  isClean: fc.constantFrom(true, false, null),
  score: fc.option(fc.integer({ min: -3, max: 12 })),
}) as fc.Arbitrary<Told>;

describe("any games", () => {
  it("earn once, with at most ten different games of which the deciding one is the last", () => {
    fc.assert(
      fc.property(conditions, fc.array(told, { maxLength: 60 }), (condition, games) => {
        let tally = NOTHING;
        for (const game of gamesOf(games)) {
          const before = tally;
          tally = withGame(condition, tally, game);
          assert.ok(tally.best >= before.best, "what is reached stays");
          assert.ok(new Set(tally.evidence).size === tally.evidence.length);
          if (before.earned !== null) assert.equal(tally.earned, before.earned);
          else if (tally.earned !== null) {
            assert.ok(tally.best >= targetOf(condition));
            assert.equal(tally.earned.evidence.at(-1), game.matchId);
            assert.ok(tally.earned.evidence.length <= 10);
            assert.deepEqual(tally.earned.evidence, tally.earned.evidence.toSorted());
          }
        }
      }),
    );
  });
});
