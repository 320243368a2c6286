import assert from "node:assert/strict";
import { describe, it } from "node:test";

import type { Match } from "#core/api/match.ts";
import type { ActivitySummary, RunningMatchSummary } from "#core/api/standings-page.ts";
import type * as RatingChangeFile from "#site/viewer/rating-change.tsx";
import { WORLD_SAMPLE_MATCH, storedSampleMatch } from "#testing/fixtures/sample-world.ts";
import { renderHtml, importSiteModule } from "#testing/fixtures/site-components.ts";

import { endedMatchCount } from "./ended-match-count.ts";
import { nextFeaturedMatch } from "./featured-match.ts";
import { describeRankChange } from "./rank-change-text.ts";
import type * as BoutsFile from "./recent-matches.tsx";
import {
  standingsApiPath,
  botPlacePath,
  ladderDataScope,
  standingsPath,
} from "./standings-urls.ts";
import type * as UserFile from "./user.tsx";
import { mostWatchable } from "./watchability.ts";

const { UserPage } = await importSiteModule<typeof UserFile>("standings/user.tsx");
const { RecentMatches } = await importSiteModule<typeof BoutsFile>("standings/recent-matches.tsx");
const { RatingChangeText } = await importSiteModule<typeof RatingChangeFile>(
  "viewer/rating-change.tsx",
);

const AT = Date.parse("2026-11-21T12:00:00.000Z");

function matchWith(id: string, facts: Partial<Match> & { ratings?: [number, number] } = {}): Match {
  const { ratings: [a, b] = [1500, 1500], ...otherRows } = facts;
  const { match } = storedSampleMatch(id, WORLD_SAMPLE_MATCH, null);
  const bots = match.bots.map((bot, seat) => ({ ...bot, rating_before: seat === 0 ? a : b }));
  return { ...match, bots, final_tick: 100, ...otherRows };
}

const running = (id: string, tick: number): RunningMatchSummary => ({
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

const now = (...runningMatches: RunningMatchSummary[]): ActivitySummary => ({
  online: 2,
  players_online: 2,
  running: runningMatches,
  running_total: runningMatches.length,
  coming: [],
  coming_total: 0,
  draining: false,
});

describe("matches beside the standings", () => {
  for (const isYoung of [false, true])
    it(`have a constant number of rows on ${isYoung ? "a young" : "an old"} ladder`, () => {
      const rows = (playedMatch: number) => playedMatch + endedMatchCount(playedMatch, isYoung);
      assert.deepEqual([3, 4].map(rows), [rows(2), rows(2)]);
      assert.equal(endedMatchCount(0, isYoung), endedMatchCount(2, isYoung));
      assert.equal(endedMatchCount(30, isYoung), 2);
    });

  it("show the same end time only once", () => {
    const ago = (minutes: number) => new Date(AT - minutes * 60_000).toISOString();
    const matches = [0, 0, 0, 5, 5, 7].map((minutes, index) =>
      matchWith(`${index}`, { ended: ago(minutes) }),
    );
    const html = renderHtml(RecentMatches, { matches, now: AT });
    const timeTexts = [...html.matchAll(/<time[^>]*>([^<]+)</g)].map(([, words]) => words);
    assert.deepEqual(timeTexts, ["just now", "5 min ago", "7 min ago"]);
  });
});

describe("most watchable match", () => {
  const WORTHIER: [why: string, better: Match, worse: Match][] = [
    [
      "stronger bots",
      matchWith("1", { ratings: [1800, 1900] }),
      matchWith("2", { ratings: [1200, 1900] }),
    ],
    ["a longer fight", matchWith("1", { final_tick: 290 }), matchWith("2", { final_tick: 20 })],
    [
      "an upset",
      matchWith("1", { ratings: [1800, 1500], winner: "bot-1" }),
      matchWith("2", { ratings: [1800, 1500], winner: "bot-0" }),
    ],
  ];
  for (const [why, better, worse] of WORTHIER)
    it(`has ${why}`, () => {
      assert.equal(mostWatchable([worse, better])?.id, "1");
      assert.equal(mostWatchable([better, worse])?.id, "1");
    });

  it("is a match that was played", () => {
    const unplayedMatches = [matchWith("1", { voided: true }), matchWith("2", { final_tick: 0 })];
    assert.equal(mostWatchable(unplayedMatches), undefined);
  });
});

describe("featured match", () => {
  it("is a running match, followed to its end and result", () => {
    const first = nextFeaturedMatch(null, {
      now: now(running("1", 5)),
      matches: [matchWith("9")],
      nowMs: 0,
    });
    assert.deepEqual([first?.id, first?.tick, first?.match], ["1", 5, null]);
    assert.deepEqual(
      first?.corners.map(({ ratingText }) => ratingText),
      ["rank 1, rated 1800", "not ranked yet"],
    );
    const next = running("2", 1);
    const on = nextFeaturedMatch(first, {
      now: now(next, running("1", 7)),
      matches: [],
      nowMs: 2000,
    });
    assert.deepEqual([on?.id, on?.tick], ["1", 7]);
    const over = nextFeaturedMatch(on, { now: now(next), matches: [], nowMs: 4000 });
    assert.deepEqual([over?.id, over?.tick, over?.match], ["1", null, null]);
    const updatedMatch = nextFeaturedMatch(over, {
      now: now(next),
      matches: [matchWith("1")],
      nowMs: 6000,
    });
    assert.deepEqual([updatedMatch?.id, updatedMatch?.match?.id], ["1", "1"]);
  });

  it("is replaced only after visitors have had time to read its result", () => {
    const last = nextFeaturedMatch(null, { now: now(running("1", 5)), matches: [], nowMs: 0 });
    const over = nextFeaturedMatch(last, {
      now: now(running("2", 1)),
      matches: [matchWith("1")],
      nowMs: 2000,
    });
    const soon = nextFeaturedMatch(over, {
      now: now(running("2", 3)),
      matches: [matchWith("1")],
      nowMs: 9000,
    });
    const later = nextFeaturedMatch(soon, {
      now: now(running("3", 1)),
      matches: [],
      nowMs: 13_000,
    });
    assert.deepEqual([over?.id, soon?.id, later?.id], ["1", "1", "3"]);
  });

  it("is a stored match until the next match starts", () => {
    const pastMatch = nextFeaturedMatch(null, {
      now: now(),
      matches: [matchWith("8"), matchWith("9")],
      nowMs: 50_000,
    });
    assert.equal(pastMatch?.match?.id, pastMatch?.id);
    const startedMatch = nextFeaturedMatch(pastMatch, {
      now: now(running("1", 1)),
      matches: [],
      nowMs: 52_000,
    });
    assert.equal(startedMatch?.id, "1");
    assert.equal(nextFeaturedMatch(null, { now: null, matches: [], nowMs: 0 }), null);
  });
});

describe("standings URLs", () => {
  it("contain scope, filters and page, but no defaults", () => {
    assert.equal(standingsPath({}), "/ladder");
    assert.equal(
      standingsPath({ season: "2026-01" }, { show: "house" }, 3),
      "/ladder?season=2026-01&show=house&page=3",
    );
    assert.equal(
      standingsPath({ ladder: "cup" }, { q: "a&b=é" }),
      "/ladder?ladder=cup&q=a%26b%3D%C3%A9",
    );
    assert.equal(botPlacePath({}, "Rex"), "/ladder?bot=Rex#bot-Rex");
    assert.equal(
      standingsApiPath({ ladder: "cup" }, { online: "1" }, 50),
      "/api/standings?ladder=cup&online=1&limit=50&offset=50",
    );
  });

  it("omit the live season of the public ladder", () => {
    const season = (state: "live" | "archived") => ({ id: "2026-01", state }) as never;
    const ladder = { id: "public" } as never;
    assert.deepEqual(ladderDataScope({ ladder, season: season("live") }), {
      ladder: undefined,
      season: undefined,
    });
    assert.deepEqual(ladderDataScope({ ladder, season: season("archived") }), {
      ladder: undefined,
      season: "2026-01",
    });
    assert.deepEqual(ladderDataScope({ ladder: { id: "cup" } as never, season: null }), {
      ladder: "cup",
      season: undefined,
    });
  });
});

const MOVES: [by: number | null, words: string][] = [
  [-3, "up 3 places since yesterday"],
  [1, "down 1 place since yesterday"],
  [0, "same rank as yesterday"],
  [null, "new since yesterday"],
];
for (const [by, words] of MOVES)
  it(`describes a rank change of ${by} as “${words}”`, () =>
    assert.equal(describeRankChange(by).description, words));

it("lists a person's bots by rank and says why a bot has no rank", () => {
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
  const html = renderHtml(UserPage, { data: { user, ladders: [], qualifying_games: 30 } });
  const names = [...html.matchAll(/href="\/bot\/([a-z]+)"/g)].map(([, name]) => name);
  assert.deepEqual(names, ["max", "rex", "stopped", "new"]);
  assert.match(html, /stopped[^]*not ranked[^]*new[^]*7 of 30 placement matches/);
});

describe("rating change", () => {
  const [bot] = matchWith("m", {}).bots;
  const renderChange = (seat: Match["bots"][number], isShort = false) =>
    renderHtml(RatingChangeText, { seat, isCompact: isShort }).replaceAll(/<[^>]*>/g, "");

  it("shows the rating before, the rating after and the difference", () => {
    const text = renderChange({ ...bot!, rating_before: 1603, rating_after: 1670 });
    assert.equal(text, "1603 → 1670 +67");
    const shortText = renderChange({ ...bot!, rating_before: 1603, rating_after: 1670 }, true);
    assert.equal(shortText, "1670 +67", "narrow lists leave room for the names");
  });

  it("shows a placement match by its number instead", () => {
    const placement = { match: 7, of: 30 };
    const seat = { ...bot!, rating_before: 1500, rating_after: 875, placement };
    assert.equal(renderChange(seat), "Placement match 7 of 30");
    assert.equal(renderChange(seat, true), "Placement 7/30");
  });

  it("is omitted for an unrated match", () => {
    const { rating_before: _before, rating_after: _after, ...unrated } = bot!;
    assert.equal(renderChange(unrated), "");
  });
});
