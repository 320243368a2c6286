import assert from "node:assert/strict";
import { describe, it } from "node:test";

import fc from "fast-check";

import { EMPTY_PROGRESS_TALLY, conditionTarget, addGameToTally } from "./condition-progress.ts";
import type { CountedGame, ProgressTally } from "./condition-progress.ts";
import type { Condition } from "./event.ts";

/** A case writes each game as a short word that contains its result and other relevant facts. */
type GameInput = Partial<CountedGame>;

const W: GameInput = { result: "W" };
const L: GameInput = { result: "L" };
const D: GameInput = { result: "D" };
const CLEAN: GameInput = { isClean: true };
const SLOW: GameInput = { isClean: false };
const UNKNOWN: GameInput = { isClean: null };
const OPPONENT_NOT_READY: GameInput = { ticks: 0, isClean: false };
const onMap = (map: string, told: GameInput = W): GameInput => ({ ...told, map });
const against = (opponent: CountedGame["opponent"], told: GameInput = W): GameInput => ({
  ...told,
  opponent,
});
const withScore = (score: number | null): GameInput => ({ score });

const idOf = (number: number) => `game-${String(number).padStart(4, "0")}`;
const endOf = (number: number) => `2026-01-05T12:${String(number).padStart(4, "0")}`;

function gamesOf(told: readonly GameInput[]): CountedGame[] {
  const plain = { map: "keep", result: "L", opponent: null, ticks: 9, isClean: true, score: null };
  return told.map((game1, at) => ({
    ...(plain as CountedGame),
    matchId: idOf(at + 1),
    ended: endOf(at + 1),
    ...game1,
  }));
}

const foldGames = (condition: Condition, told: readonly GameInput[]): ProgressTally =>
  gamesOf(told).reduce(
    (tally, game) => addGameToTally(condition, tally, game),
    EMPTY_PROGRESS_TALLY,
  );

type Case = [
  name: string,
  condition: Condition,
  games: GameInput[],
  best: number,
  earnedBy: number[] | null,
];

const TWO_WINS: Condition = { kind: "wins", count: 2 };
const THREE_MAPS: Condition = { kind: "wins", count: 3, maps: 3 };
const KITER: Condition = { kind: "defeat", opponent: "kiter", wins: 2, maps: 2 };
const STREAK: Condition = { kind: "streak", wins: 3 };
const CLEAN_GAMES: Condition = { kind: "clean", games: 2 };
const POINTS: Condition = { kind: "score", least: 1600 };

const CASES: Case[] = [
  ["games count whatever their result", { kind: "games", count: 3 }, [W, L, D], 3, [1, 2, 3]],
  ["fewer games earn nothing", { kind: "games", count: 3 }, [W, L], 2, null],
  ["only wins count as wins", TWO_WINS, [W, D, L, W, W], 3, [1, 4]],
  [
    "wins on one map count for one map",
    THREE_MAPS,
    [onMap("a"), onMap("a"), onMap("a"), onMap("a")],
    4,
    null,
  ],
  [
    "wins need their number and their maps",
    THREE_MAPS,
    [onMap("a"), onMap("b"), onMap("b"), onMap("c", L), onMap("c")],
    4,
    [1, 2, 3, 5],
  ],
  ["two wins on two maps are not three", THREE_MAPS, [onMap("a"), onMap("b")], 2, null],
  [
    "only wins against that house bot count",
    KITER,
    [
      against("kiter", onMap("a")),
      against("brawler", onMap("b")),
      against(null, onMap("c")),
      against("kiter", onMap("b", L)),
      against("kiter", onMap("b")),
    ],
    2,
    [1, 5],
  ],
  ["a loss ends a streak", STREAK, [W, W, L, W, W], 2, null],
  ["a draw ends a streak", STREAK, [W, W, D, W], 2, null],
  ["a streak is the number of consecutive games", STREAK, [W, L, W, W, W, L], 3, [3, 4, 5]],
  ["an idle turn ends a clean streak", CLEAN_GAMES, [CLEAN, SLOW, CLEAN], 1, null],
  [
    "a clean streak may consist of losses",
    CLEAN_GAMES,
    [SLOW, CLEAN, { ...CLEAN, ...L }],
    2,
    [2, 3],
  ],
  [
    "a game without ticks neither counts nor breaks a streak",
    CLEAN_GAMES,
    [CLEAN, OPPONENT_NOT_READY, CLEAN],
    2,
    [1, 3],
  ],
  [
    "an unknown game neither counts nor breaks a streak",
    CLEAN_GAMES,
    [CLEAN, UNKNOWN, CLEAN],
    2,
    [1, 3],
  ],
  [
    "a score counts while ranked",
    POINTS,
    [withScore(null), withScore(1599), withScore(1600), withScore(1700)],
    1700,
    [3],
  ],
  ["keeps the best score", POINTS, [withScore(1500), withScore(1400)], 1500, null],
  ["a negative score counts as zero", POINTS, [withScore(-20)], 0, null],
];

describe("progress", () => {
  for (const [name, condition, games, best, earnedBy] of CASES)
    it(name, () => {
      const tally = foldGames(condition, games);
      assert.equal(tally.best, best);
      assert.deepEqual(tally.earned?.evidence.map((id) => Number(id.slice(5))) ?? null, earnedBy);
      assert.equal(tally.earned?.at ?? null, earnedBy === null ? null : endOf(earnedBy.at(-1)!));
    });

  it("keeps the latest 10 games as evidence, the deciding one last", () => {
    const { earned } = foldGames(
      { kind: "games", count: 25 },
      Array.from({ length: 30 }, () => W),
    );
    assert.deepEqual(
      earned?.evidence,
      Array.from({ length: 10 }, (_, at) => idOf(16 + at)),
    );
  });

  it("keeps the first game on each map as evidence, even after many later games", () => {
    const condition: Condition = { kind: "wins", count: 20, maps: 3 };
    const games = [
      onMap("a"),
      onMap("b"),
      ...Array.from({ length: 20 }, () => onMap("a")),
      onMap("c"),
    ];
    const { earned } = foldGames(condition, games);
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

const gameInput = fc.record({
  map: fc.constantFrom("a", "b", "c", "d"),
  result: fc.constantFrom("W", "L", "D"),
  opponent: fc.constantFrom(null, "kiter", "brawler"),
  ticks: fc.integer({ min: 0, max: 2 }),
  isClean: fc.constantFrom(true, false, null),
  score: fc.option(fc.integer({ min: -3, max: 12 })),
}) as fc.Arbitrary<GameInput>;

describe("any sequence of games", () => {
  it("earns at most once, with up to 10 different games as evidence, the deciding one last", () => {
    fc.assert(
      fc.property(conditions, fc.array(gameInput, { maxLength: 60 }), (condition, games) => {
        let tally = EMPTY_PROGRESS_TALLY;
        for (const game of gamesOf(games)) {
          const previousTally = tally;
          tally = addGameToTally(condition, tally, game);
          assert.ok(tally.best >= previousTally.best, "keeps what was earned");
          assert.ok(new Set(tally.evidence).size === tally.evidence.length);
          if (previousTally.earned !== null) assert.equal(tally.earned, previousTally.earned);
          else if (tally.earned !== null) {
            assert.ok(tally.best >= conditionTarget(condition));
            assert.equal(tally.earned.evidence.at(-1), game.matchId);
            assert.ok(tally.earned.evidence.length <= 10);
            assert.deepEqual(tally.earned.evidence, tally.earned.evidence.toSorted());
          }
        }
      }),
    );
  });
});
