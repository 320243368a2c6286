import assert from "node:assert/strict";
import { describe, it } from "node:test";

import type { Match } from "#core/resources/match.ts";
import type { Activity, RunningFight } from "#core/resources/standings.ts";
import type * as RatingChangeFile from "#site/viewer/rating-change.tsx";
import { htmlOf, siteModule } from "#testing/fixtures/components.ts";
import { SAMPLE, stored } from "#testing/fixtures/sample-world.ts";

import { answerPath, placePath, scopeOf, standingsPath } from "./addresses.ts";
import { boutsBeside } from "./bouts-beside.ts";
import type * as BoutsFile from "./bouts.tsx";
import { nextFight } from "./fight.ts";
import { movedWords } from "./moved-words.ts";
import type * as UserFile from "./user.tsx";
import { mostWatchable } from "./worth.ts";

const { UserPage } = await siteModule<typeof UserFile>("standings/user.tsx");
const { Bouts } = await siteModule<typeof BoutsFile>("standings/bouts.tsx");
const { RatingChange } = await siteModule<typeof RatingChangeFile>("viewer/rating-change.tsx");

const AT = Date.parse("2026-11-21T12:00:00.000Z");

function bout(id: string, facts: Partial<Match> & { ratings?: [number, number] } = {}): Match {
  const { ratings: [a, b] = [1500, 1500], ...rest } = facts;
  const { match } = stored(id, SAMPLE, null);
  const bots = match.bots.map((bot, seat) => ({ ...bot, rating_before: seat === 0 ? a : b }));
  return { ...match, bots, final_tick: 100, ...rest };
}

const running = (id: string, tick: number): RunningFight => ({
  id,
  map: "keep",
  tick,
  started: "2026-11-21T12:00:00.000Z",
  bots: ["ada", "bob"].map((name, seat) => ({
    id: `bot-${seat}`,
    name,
    display_name: name,
    house: false,
    avatar: null,
    rank: seat === 0 ? 1 : null,
    rating: seat === 0 ? 1800 : null,
  })),
});

const now = (...fights: RunningFight[]): Activity => ({
  online: 2,
  players_online: 2,
  running: fights,
  running_total: fights.length,
  coming: [],
  coming_total: 0,
  draining: false,
});

describe("the bouts beside the places", () => {
  for (const isYoung of [false, true])
    it(`are as many rows however many are fought, on ${isYoung ? "a young" : "an old"} ladder`, () => {
      const rows = (fought: number) => fought + boutsBeside(fought, isYoung);
      assert.deepEqual([3, 4].map(rows), [rows(2), rows(2)]);
      assert.equal(boutsBeside(0, isYoung), boutsBeside(2, isYoung));
      assert.equal(boutsBeside(30, isYoung), 2);
    });

  it("say once when they ended, if it was at one time", () => {
    const ago = (minutes: number) => new Date(AT - minutes * 60_000).toISOString();
    const matches = [0, 0, 0, 5, 5, 7].map((minutes, at) => bout(`${at}`, { ended: ago(minutes) }));
    const html = htmlOf(Bouts, { matches, now: AT });
    const said = [...html.matchAll(/<time[^>]*>([^<]+)</g)].map(([, words]) => words);
    assert.deepEqual(said, ["just now", "5 min ago", "7 min ago"]);
  });
});

describe("the bout most worth watching", () => {
  const WORTHIER: [why: string, better: Match, worse: Match][] = [
    ["stronger bots", bout("1", { ratings: [1800, 1900] }), bout("2", { ratings: [1200, 1900] })],
    ["a longer fight", bout("1", { final_tick: 290 }), bout("2", { final_tick: 20 })],
    [
      "an upset",
      bout("1", { ratings: [1800, 1500], winner: "bot-1" }),
      bout("2", { ratings: [1800, 1500], winner: "bot-0" }),
    ],
  ];
  for (const [why, better, worse] of WORTHIER)
    it(`has ${why}`, () => {
      assert.equal(mostWatchable([worse, better])?.id, "1");
      assert.equal(mostWatchable([better, worse])?.id, "1");
    });

  it("was fought", () => {
    const nothing = [bout("1", { voided: true }), bout("2", { final_tick: 0 })];
    assert.equal(mostWatchable(nothing), undefined);
  });
});

describe("the bout on the front page", () => {
  it("is a running one, followed to its end and its result", () => {
    const first = nextFight(null, { now: now(running("1", 5)), matches: [bout("9")], clock: 0 });
    assert.deepEqual([first?.id, first?.tick, first?.match], ["1", 5, null]);
    assert.deepEqual(
      first?.corners.map(({ facts }) => facts),
      ["rank 1, rated 1800", "not ranked yet"],
    );
    const next = running("2", 1);
    const on = nextFight(first, { now: now(next, running("1", 7)), matches: [], clock: 2000 });
    assert.deepEqual([on?.id, on?.tick], ["1", 7]);
    const over = nextFight(on, { now: now(next), matches: [], clock: 4000 });
    assert.deepEqual([over?.id, over?.tick, over?.match], ["1", null, null]);
    const told = nextFight(over, { now: now(next), matches: [bout("1")], clock: 6000 });
    assert.deepEqual([told?.id, told?.match?.id], ["1", "1"]);
  });

  it("makes room for the next one only after its result could be read", () => {
    const last = nextFight(null, { now: now(running("1", 5)), matches: [], clock: 0 });
    const over = nextFight(last, { now: now(running("2", 1)), matches: [bout("1")], clock: 2000 });
    const soon = nextFight(over, { now: now(running("2", 3)), matches: [bout("1")], clock: 9000 });
    const later = nextFight(soon, { now: now(running("3", 1)), matches: [], clock: 13_000 });
    assert.deepEqual([over?.id, soon?.id, later?.id], ["1", "1", "3"]);
  });

  it("is a stored one while nothing is fought, and the first that begins after that", () => {
    const past = nextFight(null, { now: now(), matches: [bout("8"), bout("9")], clock: 50_000 });
    assert.equal(past?.match?.id, past?.id);
    const begun = nextFight(past, { now: now(running("1", 1)), matches: [], clock: 52_000 });
    assert.equal(begun?.id, "1");
    assert.equal(nextFight(null, { now: null, matches: [], clock: 0 }), null);
  });
});

describe("addresses of standings", () => {
  it("name a scope, filters and a page, and nothing that is the default", () => {
    assert.equal(standingsPath({}), "/ladder");
    assert.equal(
      standingsPath({ season: "2026-01" }, { show: "house" }, 3),
      "/ladder?season=2026-01&show=house&page=3",
    );
    assert.equal(
      standingsPath({ ladder: "cup" }, { q: "a&b=é" }),
      "/ladder?ladder=cup&q=a%26b%3D%C3%A9",
    );
    assert.equal(placePath({}, "Rex"), "/ladder?bot=Rex#bot-Rex");
    assert.equal(
      answerPath({ ladder: "cup" }, { online: "1" }, 50),
      "/api/standings?ladder=cup&online=1&limit=50&offset=50",
    );
  });

  it("leave the live season of public out", () => {
    const season = (state: "live" | "archived") => ({ id: "2026-01", state }) as never;
    const ladder = { id: "public" } as never;
    assert.deepEqual(scopeOf({ ladder, season: season("live") }), {
      ladder: undefined,
      season: undefined,
    });
    assert.deepEqual(scopeOf({ ladder, season: season("archived") }), {
      ladder: undefined,
      season: "2026-01",
    });
    assert.deepEqual(scopeOf({ ladder: { id: "cup" } as never, season: null }), {
      ladder: "cup",
      season: undefined,
    });
  });
});

const MOVES: [by: number | null, words: string][] = [
  [-3, "up 3 places since yesterday"],
  [1, "down 1 place since yesterday"],
  [0, "where it was yesterday"],
  [null, "new since yesterday"],
];
for (const [by, words] of MOVES)
  it(`a move by ${by} is "${words}"`, () => assert.equal(movedWords(by).words, words));

it("lists the bots of a person by rank, and says why one has none", () => {
  const bot = (name: string, rank: number | null, losses: number) => ({
    name,
    display_name: name,
    owner: "ada",
    owner_url: "/user/ada",
    house: false,
    online: false,
    created: "2026-11-21T12:00:00.000Z",
    avatar: null,
    retired: false,
    version: "v1",
    rank,
    leaderboard_score: null,
    rating: null,
    rating_deviation: null,
    wins: 0,
    draws: 0,
    losses,
  });
  const bots = [
    bot("stopped", null, 71),
    bot("new", null, 7),
    bot("rex", 3, 40),
    bot("max", 2, 40),
  ];
  const user = { handle: "ada", created: "2026-11-21T12:00:00.000Z", ladder_id: "public", bots };
  const html = htmlOf(UserPage, { data: { user, ladders: [], qualifying_games: 30 } });
  const names = [...html.matchAll(/href="\/bot\/([a-z]+)"/g)].map(([, name]) => name);
  assert.deepEqual(names, ["max", "rex", "stopped", "new"]);
  assert.match(html, /stopped[^]*not in the standings[^]*new[^]*7 of 30 placement matches/);
});

describe("a rating change", () => {
  const [bot] = bout("m", {}).bots;
  const shown = (seat: Match["bots"][number], isShort = false) =>
    htmlOf(RatingChange, { seat, isShort }).replaceAll(/<[^>]*>/g, "");

  it("is the rating before, the rating after and their difference", () => {
    const text = shown({ ...bot!, rating_before: 1603, rating_after: 1670 });
    assert.equal(text, "1603 → 1670 +67");
    const short = shown({ ...bot!, rating_before: 1603, rating_after: 1670 }, true);
    assert.equal(short, "1670 +67", "narrow lists leave room for the names");
  });

  it("of a placement match is its number instead", () => {
    const placement = { match: 7, of: 30 };
    const seat = { ...bot!, rating_before: 1500, rating_after: 875, placement };
    assert.equal(shown(seat), "Placement match 7 of 30");
    assert.equal(shown(seat, true), "Placement 7/30");
  });

  it("is missing from an unrated match", () => {
    const { rating_before: _before, rating_after: _after, ...unrated } = bot!;
    assert.equal(shown(unrated), "");
  });
});
