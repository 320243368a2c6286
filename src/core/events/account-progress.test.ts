import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { accountProgress, emptyFold, withPlayed } from "./account-progress.ts";
import type { BotFold, Circumstances, EventGame } from "./account-progress.ts";
import type { Achievement, Condition } from "./event.ts";

const ACCOUNT = "01900000-0000-7000-8000-500000000001";
const OTHER = "01900000-0000-7000-8000-500000000002";
const at = (time: string) => `2026-01-05T${time}:00.000Z`;

const achievement = (condition: Condition, id: string): Achievement => {
  return { id, name: id, description: id, condition };
};

const AROUND: Circumstances = {
  event: {
    ladderId: "cup",
    opensAt: at("12:00"),
    closesAt: at("18:00"),
    achievements: [
      achievement({ kind: "games", count: 2 }, "play"),
      achievement({ kind: "score", least: 1500 }, "climb"),
    ],
  },
  accountId: ACCOUNT,
  stays: [{ since: at("10:00"), until: null }],
  qualifyingGames: 3,
};

type Told = Partial<EventGame> & { from: string; to: string };

function game({ from, to, ...changes }: Told, number: number): EventGame {
  return {
    matchId: `game-${number}`,
    started: at(from),
    ended: at(to),
    map: "keep",
    result: "W",
    opponent: null,
    ticks: 5,
    isClean: true,
    accountId: ACCOUNT,
    versionId: "version-1",
    season: null,
    exactScore: 1500,
    ...changes,
  };
}

const foldOf = (told: readonly Told[], around = AROUND, former = 0): BotFold =>
  told
    .map(game)
    .reduce(
      (fold, one) => withPlayed(around, fold, one),
      emptyFold(around.event, [{ versionId: "version-1", season: null, games: former }]),
    );

const IN: Told = { from: "12:00", to: "12:10" };
const membership = (...stays: Circumstances["stays"]): Partial<Circumstances> => ({ stays });

/** Whether one game counts. */
const CASES: [name: string, game: Told, counts: boolean, around?: Partial<Circumstances>][] = [
  ["within the event", IN, true],
  ["that began before it opened", { from: "11:59", to: "12:01" }, false],
  ["that ended as it closed", { from: "17:50", to: "18:00" }, false],
  ["of another account", { ...IN, accountId: OTHER }, false],
  ["of nobody's account", { ...IN, accountId: null }, false],
  ["of nobody who is a member", IN, false, membership()],
  [
    "of somebody who became a member during it",
    IN,
    false,
    membership({ since: at("12:05"), until: null }),
  ],
  [
    "of a member who left during it",
    IN,
    false,
    membership({ since: at("10:00"), until: at("12:05") }),
  ],
  [
    "of a member who left after it",
    IN,
    true,
    membership({ since: at("10:00"), until: at("12:30") }),
  ],
  [
    "of a member who left and came back during it",
    IN,
    false,
    membership({ since: at("10:00"), until: at("12:04") }, { since: at("12:04"), until: null }),
  ],
  [
    "on public, where everybody is a member",
    IN,
    true,
    { ...membership(), event: { ...AROUND.event, ladderId: "public" } },
  ],
];

describe("a game counts for an event", () => {
  for (const [name, told, isCounted, changes] of CASES)
    it(`${isCounted ? "if it is one" : "unless it is one"} ${name}`, () => {
      const fold = foldOf([told], { ...AROUND, ...changes });
      assert.equal(fold.tallies[0]?.best, Number(isCounted));
      assert.deepEqual(fold.last, { ended: at(told.to), matchId: "game-0" });
    });
});

describe("a score counts", () => {
  const games = ["12:10", "12:20", "12:30"].map((to) => ({ from: "12:00", to }));
  const climbed = (fold: BotFold) => fold.tallies[1]?.earned?.evidence ?? null;

  it("from the game on that ranks its version", () => {
    assert.equal(climbed(foldOf(games.slice(0, 2))), null);
    assert.deepEqual(climbed(foldOf(games)), ["game-2"]);
  });

  it("with the version's games before the event", () => {
    assert.deepEqual(climbed(foldOf(games.slice(0, 1), AROUND, 2)), ["game-0"]);
  });

  it("with games that do not count for the event themselves", () => {
    const early = { from: "11:00", to: "11:30" };
    assert.deepEqual(climbed(foldOf([early, early, IN])), ["game-2"]);
  });

  it("of each version and season by itself", () => {
    const versions = games.map((one, index) => ({ ...one, versionId: `version-${index}` }));
    assert.equal(climbed(foldOf(versions)), null);
    const seasons = games.map((one, index) => ({ ...one, season: `2026-0${index + 1}` }));
    assert.equal(climbed(foldOf(seasons)), null);
  });

  it("as it is shown, in whole points", () => {
    const scores = [9999, 9999, 1499.5].map((exactScore, index) => ({
      ...games[index]!,
      exactScore,
    }));
    assert.deepEqual(climbed(foldOf(scores)), ["game-2"]);
    const less = [9999, 9999, 1499.49].map((exactScore, index) => ({
      ...games[index]!,
      exactScore,
    }));
    assert.equal(climbed(foldOf(less)), null);
  });

  it("only where it was kept", () => {
    assert.equal(climbed(foldOf(games.map((one) => ({ ...one, exactScore: null })))), null);
  });
});

describe("the bots of an account", () => {
  const one = foldOf([IN]);
  const two = foldOf([IN, { from: "13:00", to: "13:10" }]);
  const late = foldOf([IN, IN, IN].map((told, index) => ({ ...told, to: `14:0${index}` })));
  const play = (folds: BotFold[]) =>
    accountProgress(
      AROUND.event,
      folds.map((fold, index) => ({ botId: `bot-${index}`, fold })),
    )[0];

  const ROWS: [
    name: string,
    folds: BotFold[],
    current: number,
    bot: string | null,
    earned: string | null,
  ][] = [
    ["are nobody without a game", [emptyFold(AROUND.event, [])], 0, null, null],
    ["are nobody where there are none", [], 0, null, null],
    ["are shown by the furthest", [emptyFold(AROUND.event, []), one], 1, "bot-1", null],
    ["are shown by the oldest of those as far", [one, one], 1, "bot-0", null],
    ["are shown by the one that earned it", [one, two], 2, "bot-1", "13:10"],
    ["are shown by the one that earned it first", [late, two], 2, "bot-1", "13:10"],
    ["show no more than the target", [late], 2, "bot-0", "14:01"],
  ];
  for (const [name, folds, current, bot, earned] of ROWS)
    it(name, () => {
      const progress = play(folds);
      assert.deepEqual([progress?.current, progress?.target, progress?.botId], [current, 2, bot]);
      assert.equal(progress?.earned?.at ?? null, earned && at(earned));
    });
});
