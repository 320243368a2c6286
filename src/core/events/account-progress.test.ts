import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { accountProgress, emptyBotProgress, addGameToProgress } from "./account-progress.ts";
import type { BotEventProgress, ProgressContext, EventGame } from "./account-progress.ts";
import type { Achievement, Condition } from "./event.ts";

const ACCOUNT = "01900000-0000-7000-8000-500000000001";
const OTHER_ACCOUNT = "01900000-0000-7000-8000-500000000002";
const at = (time: string) => `2026-01-05T${time}:00.000Z`;

const achievement = (condition: Condition, id: string): Achievement => {
  return { id, name: id, description: id, condition };
};

const CONTEXT: ProgressContext = {
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
  memberships: [{ since: at("10:00"), until: null }],
  qualifyingGames: 3,
};

type GameInput = Partial<EventGame> & { from: string; to: string };

function game({ from, to, ...changes }: GameInput, number: number): EventGame {
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

const progressOf = (
  gameInputs: readonly GameInput[],
  context = CONTEXT,
  priorGames = 0,
): BotEventProgress =>
  gameInputs
    .map(game)
    .reduce(
      (botProgress, entry) => addGameToProgress(context, botProgress, entry),
      emptyBotProgress(context.event, [
        { versionId: "version-1", season: null, games: priorGames },
      ]),
    );

const GAME_IN_WINDOW: GameInput = { from: "12:00", to: "12:10" };
const membership = (...memberships: ProgressContext["memberships"]): Partial<ProgressContext> => ({
  memberships,
});

const CASES: [name: string, game: GameInput, counts: boolean, around?: Partial<ProgressContext>][] =
  [
    ["within the event", GAME_IN_WINDOW, true],
    ["that began before the opening", { from: "11:59", to: "12:01" }, false],
    ["that ended at the closing", { from: "17:50", to: "18:00" }, false],
    ["of another account", { ...GAME_IN_WINDOW, accountId: OTHER_ACCOUNT }, false],
    ["without an account", { ...GAME_IN_WINDOW, accountId: null }, false],
    ["of an account that isn't a member", GAME_IN_WINDOW, false, membership()],
    [
      "of an account that became a member during it",
      GAME_IN_WINDOW,
      false,
      membership({ since: at("12:05"), until: null }),
    ],
    [
      "of a member who left during it",
      GAME_IN_WINDOW,
      false,
      membership({ since: at("10:00"), until: at("12:05") }),
    ],
    [
      "of a member who left after it",
      GAME_IN_WINDOW,
      true,
      membership({ since: at("10:00"), until: at("12:30") }),
    ],
    [
      "of a member who left and rejoined during it",
      GAME_IN_WINDOW,
      false,
      membership({ since: at("10:00"), until: at("12:04") }, { since: at("12:04"), until: null }),
    ],
    [
      "on public, where all accounts are members",
      GAME_IN_WINDOW,
      true,
      { ...membership(), event: { ...CONTEXT.event, ladderId: "public" } },
    ],
  ];

describe("a game counts for an event", () => {
  for (const [name, gameInputs, isCounted, changes] of CASES)
    it(`${isCounted ? "if it is" : "unless it is"} ${name}`, () => {
      const botProgress = progressOf([gameInputs], { ...CONTEXT, ...changes });
      assert.equal(botProgress.tallies[0]?.best, Number(isCounted));
      assert.deepEqual(botProgress.last, { ended: at(gameInputs.to), matchId: "game-0" });
    });
});

describe("a score condition", () => {
  const games = ["12:10", "12:20", "12:30"].map((to) => ({ from: "12:00", to }));
  const climbed = (botProgress: BotEventProgress) =>
    botProgress.tallies[1]?.earned?.evidence ?? null;

  it("counts from the game that gives the version its rank", () => {
    assert.equal(climbed(progressOf(games.slice(0, 2))), null);
    assert.deepEqual(climbed(progressOf(games)), ["game-2"]);
  });

  it("counts games before the event towards the rank", () => {
    assert.deepEqual(climbed(progressOf(games.slice(0, 1), CONTEXT, 2)), ["game-0"]);
  });

  it("counts games outside the event towards the rank", () => {
    const early = { from: "11:00", to: "11:30" };
    assert.deepEqual(climbed(progressOf([early, early, GAME_IN_WINDOW])), ["game-2"]);
  });

  it("ranks each version and season separately", () => {
    const versions = games.map((entry, index) => ({ ...entry, versionId: `version-${index}` }));
    assert.equal(climbed(progressOf(versions)), null);
    const seasons = games.map((entry, index) => ({ ...entry, season: `2026-0${index + 1}` }));
    assert.equal(climbed(progressOf(seasons)), null);
  });

  it("compares whole points, as displayed", () => {
    const scores = [9999, 9999, 1499.5].map((exactScore, index) => ({
      ...games[index]!,
      exactScore,
    }));
    assert.deepEqual(climbed(progressOf(scores)), ["game-2"]);
    const less = [9999, 9999, 1499.49].map((exactScore, index) => ({
      ...games[index]!,
      exactScore,
    }));
    assert.equal(climbed(progressOf(less)), null);
  });

  it("ignores games without a stored score", () => {
    assert.equal(climbed(progressOf(games.map((entry) => ({ ...entry, exactScore: null })))), null);
  });
});

describe("an account's bots", () => {
  const entry = progressOf([GAME_IN_WINDOW]);
  const two = progressOf([GAME_IN_WINDOW, { from: "13:00", to: "13:10" }]);
  const late = progressOf(
    [GAME_IN_WINDOW, GAME_IN_WINDOW, GAME_IN_WINDOW].map((gameInputs, index) => ({
      ...gameInputs,
      to: `14:0${index}`,
    })),
  );
  const play = (progressList: BotEventProgress[]) =>
    accountProgress(
      CONTEXT.event,
      progressList.map((botProgress, index) => ({ botId: `bot-${index}`, fold: botProgress })),
    )[0];

  const ROWS: [
    name: string,
    folds: BotEventProgress[],
    current: number,
    bot: string | null,
    earned: string | null,
  ][] = [
    ["have no leader without a game", [emptyBotProgress(CONTEXT.event, [])], 0, null, null],
    ["have no leader without bots", [], 0, null, null],
    ["show the most advanced bot", [emptyBotProgress(CONTEXT.event, []), entry], 1, "bot-1", null],
    ["show the oldest of equal bots", [entry, entry], 1, "bot-0", null],
    ["show the bot that earned it", [entry, two], 2, "bot-1", "13:10"],
    ["show the bot that earned it first", [late, two], 2, "bot-1", "13:10"],
    ["cap progress at the target", [late], 2, "bot-0", "14:01"],
  ];
  for (const [name, progressList, current, bot, earned] of ROWS)
    it(name, () => {
      const progress = play(progressList);
      assert.deepEqual([progress?.current, progress?.target, progress?.botId], [current, 2, bot]);
      assert.equal(progress?.earned?.at ?? null, earned && at(earned));
    });
});
