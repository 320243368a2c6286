import assert from "node:assert/strict";
import { it } from "node:test";

import type { Season, SeasonResults } from "#core/api/season.ts";
import { windowOfMonth } from "#core/ladder/season.ts";
import type { FinalStanding } from "#data/store/season.ts";
import type { VersionRecord } from "#data/store/version.ts";
import {
  addTestBot,
  addMatch,
  addTestVersion,
  setRating,
  emptyMatchStats,
  testApi,
} from "#testing/fixtures/test-api.ts";
import type { TestApi } from "#testing/fixtures/test-api.ts";
import { sampleSeat } from "#testing/store-contract/store-samples.ts";

const CLOSED = "2026-02-01T00:00:03.000Z";

/** Opens February. January is closing, or archived if `places` is given. */
async function turnMonth(api: TestApi, places: FinalStanding[] | null): Promise<void> {
  await api.store.seasons.open([{ ...windowOfMonth("2026-02"), archivedAt: null }]);
  api.arena.liveSeason = "2026-02";
  if (places === null) api.arena.closingSeasons.set("2026-01", new Map(api.arena.entries));
  else await api.store.seasons.archive("2026-01", CLOSED, places);
  api.arena.entries.clear();
}

const place = (rank: number, version: VersionRecord, changes: Partial<FinalStanding> = {}) => ({
  rank,
  botId: version.botId,
  versionId: version.id,
  name: `was-${rank}`,
  owner: "ada",
  house: false,
  label: version.label,
  rating: 1600.4 - rank,
  deviation: 40.2,
  wins: 30,
  draws: 2,
  losses: rank,
  ...changes,
});

async function pair(api: TestApi): Promise<[VersionRecord, VersionRecord]> {
  const [rex, opponent] = [
    await addTestBot(api, "Rex", { owner: "ada" }),
    await addTestBot(api, "Foe"),
  ];
  return [await addTestVersion(api, rex, "v1"), await addTestVersion(api, opponent, "v2")];
}

const get = async <T>({ app }: TestApi, url: string) => {
  const { statusCode, json } = await app.inject(url);
  assert.equal(statusCode, 200, url);
  return json<T>();
};

it("lists seasons newest first, with exactly one live season and the preseason last", async () => {
  const api = testApi();
  const seasons = async () =>
    (await get<Season[]>(api, "/api/seasons")).map(({ id, state }) => `${id} ${state}`);
  assert.deepEqual(await seasons(), ["2026-01 live", "preseason archived"]);
  await turnMonth(api, null);
  assert.deepEqual(await seasons(), ["2026-02 live", "2026-01 finalizing", "preseason archived"]);
  await api.store.seasons.archive("2026-01", CLOSED, []);
  api.arena.closingSeasons.clear();
  const [, january] = await get<Season[]>(api, "/api/seasons");
  assert.deepEqual(january, {
    id: "2026-01",
    name: "January 2026",
    opens_at: "2026-01-01T00:00:00.000Z",
    closes_at: "2026-02-01T00:00:00.000Z",
    archived_at: CLOSED,
    state: "archived",
    champion: null,
  });
});

it("lists each month's champion under its name at that time, with the current avatar", async () => {
  const api = testApi();
  const [first, second] = await pair(api);
  const champions = async () =>
    (await get<Season[]>(api, "/api/seasons")).map(({ id, champion }) => [id, champion]);
  assert.deepEqual(await champions(), [
    ["2026-01", null],
    ["preseason", null],
  ]);
  await turnMonth(api, [place(1, first), place(2, second)]);
  const champion = {
    name: "was-1",
    display_name: "was-1",
    version: "v1",
    leaderboard_score: 1519,
    avatar: null,
  };
  assert.deepEqual(await champions(), [
    ["2026-02", null],
    ["2026-01", champion],
    ["preseason", null],
  ]);
  const results = await get<SeasonResults>(api, "/api/seasons/2026-01");
  assert.deepEqual(results.season.champion, champion);
});

it("hides a season that is stored but not yet live", async () => {
  const api = testApi();
  await api.store.seasons.open([{ ...windowOfMonth("2026-02"), archivedAt: null }]);
  const seasons = await get<Season[]>(api, "/api/seasons");
  assert.deepEqual(
    seasons.map(({ id, state }) => `${id} ${state}`),
    ["2026-01 live", "preseason archived"],
  );
  assert.equal((await api.app.inject("/api/seasons/2026-02")).statusCode, 404);
});

it("serves results as soon as a season exists", async () => {
  const api = testApi();
  const results = await get<SeasonResults>(api, "/api/seasons/current");
  const noHighlights = { opener: null, finale: null, longest: null, quickest: null };
  assert.deepEqual(results, {
    season: (await get<Season[]>(api, "/api/seasons"))[0],
    standings: [],
    totals: { games: 0, draws: 0, player_bots: 0, stats_games: 0 },
    highlights: { ...noHighlights, biggest_swing: null, biggest_upset: null },
    specialists: { maps: [], attacks: [] },
    rivalries: [],
    styles: [],
    bots: [],
  });
  assert.deepEqual((await get<SeasonResults>(api, "/api/seasons/preseason")).standings, []);
});

it("keeps an archived season's standings as stored, except for names", async () => {
  const api = testApi();
  const [first, second] = await pair(api);
  await turnMonth(api, [place(1, first), place(2, second, { house: true })]);
  const bot = { botId: first.botId, name: "Rex", house: false, version: null, versionId: null };
  api.arena.bots.push({ ...bot, online: true, ladderId: null, matchId: null, state: "idle" });
  setRating(api, first, 1900, [40, 0, 0]);
  const rows = await get<object[]>(api, "/api/leaderboard?season=2026-01");
  assert.deepEqual(rows[0], {
    rank: 1,
    name: "Rex",
    display_name: "Rex",
    owner: "ada",
    owner_url: null,
    house: false,
    online: false,
    version: "v1",
    rating: 1599,
    rating_deviation: 40,
    leaderboard_score: 1519,
    wins: 30,
    losses: 1,
    draws: 2,
    moved: null,
  });
  const { standings, bots } = await get<SeasonResults>(api, "/api/seasons/2026-01");
  assert.deepEqual(standings, rows);
  assert.deepEqual(
    bots.map(({ id, name, online }) => [id, name, online]),
    [
      [first.botId, "Rex", true],
      [second.botId, "Foe", false],
    ],
  );
  const liveRows = await get<{ rating: number }[]>(api, "/api/leaderboard?season=current");
  assert.deepEqual(liveRows, await get(api, "/api/leaderboard"));
  assert.deepEqual(
    liveRows.map(({ rating }) => rating),
    [1900],
  );
});

it("serves a closing season's standings from its board", async () => {
  const api = testApi();
  const [first] = await pair(api);
  setRating(api, first, 1700, [30, 0, 0]);
  await turnMonth(api, null);
  const rows = await get<{ rating: number }[]>(api, "/api/leaderboard?season=2026-01");
  assert.deepEqual(
    rows.map(({ rating }) => rating),
    [1700],
  );
  assert.deepEqual(await get(api, "/api/leaderboard"), []);
});

it("lists highlights: outstanding matches and bots", async () => {
  const api = testApi();
  const [first, second] = await pair(api);
  const third = await addTestVersion(
    api,
    await addTestBot(api, "house-kiter", { house: true }),
    "v1",
  );
  const seats = (ratingGain: number) =>
    [second, first].map((version, seat) =>
      sampleSeat(seat, {
        botId: version.botId,
        versionId: version.id,
        fighter: "AB"[seat]!,
        ratingBefore: seat === 0 ? 1450 : 1600,
        ratingAfter: seat === 0 ? 1450 + ratingGain : 1590,
      }),
    );
  const stats = JSON.stringify(statsWith({ uses: 10, hits: 4, damage: 60 }));
  const opener = await addMatch(api, [first, third], { stats, finalTick: 40 });
  const upset = await addMatch(api, [second, first], { settled: true, seats: seats(30), stats });
  const finale = await addMatch(api, [first, second], {
    winnerBotId: null,
    reason: "timeout_draw",
    finalTick: 300,
  });
  for (const version of [first, second]) setRating(api, version, 1550, [30, 1, 1]);
  const results = await get<SeasonResults>(api, "/api/seasons/2026-01");
  assert.deepEqual(results.totals, { games: 3, draws: 1, player_bots: 2, stats_games: 2 });
  const { highlights } = results;
  assert.equal(highlights.opener?.id, opener.id);
  assert.equal(highlights.finale?.id, finale.id);
  assert.equal(highlights.longest?.id, finale.id);
  assert.equal(highlights.quickest?.id, opener.id);
  const opponent = { id: second.botId, name: "Foe", display_name: "Foe" };
  const rex = { id: first.botId, name: "Rex", display_name: "Rex" };
  for (const [move, points] of [
    [highlights.biggest_swing, 30],
    [highlights.biggest_upset, 150],
  ] as const)
    assert.deepEqual([move?.points, move?.bot, move?.match.id], [points, opponent, upset.id]);
  assert.deepEqual(results.rivalries, [
    { bots: [rex, opponent], games: 2, wins: [0, 1], draws: 1 },
  ]);
  assert.deepEqual(results.styles[0], {
    bot: opponent,
    style: "marksman",
    manner: "even",
    games: 1,
    favourite: "bolt",
    favourite_share: 100,
    accuracy: 40,
    attacks_per_100_ticks: 10.1,
    steps_per_100_ticks: 0,
    damage_dealt: 0,
    damage_taken: 0,
    healed: 0,
    wall_slams: 0,
    zone_damage: 0,
    idles: 2,
  });
  assert.deepEqual(
    results.bots.map(({ name }) => name),
    ["Foe", "Rex", "house-kiter"],
  );
});

function statsWith(bolt: { uses: number; hits: number; damage: number }) {
  const stats = emptyMatchStats();
  for (const fighter of stats.fighters) fighter.weapons = { ...fighter.weapons, bolt };
  return stats;
}

it("builds a season page once for all requests within a short interval", async () => {
  const api = testApi();
  let readCount = 0;
  const { competition } = api.store.stats;
  api.store.stats.competition = (...query) => {
    readCount += 1;
    return competition(...query);
  };
  const ask = () => api.app.inject("/api/seasons/current");
  const responses = await Promise.all(Array.from({ length: 20 }, ask));
  assert.deepEqual([readCount, new Set(responses.map(({ body }) => body)).size], [1, 1]);
  await ask();
  assert.equal(readCount, 1);
  const rex = await addTestVersion(api, await addTestBot(api, "Rex"), "v1");
  await addMatch(api, [rex, await addTestVersion(api, await addTestBot(api, "Foe"), "v1")]);
  assert.equal((await ask()).json().totals.games, 1);
  assert.equal(readCount, 2);
});

it("rebuilds a season page after a failure", async () => {
  const api = testApi();
  const { competition } = api.store.stats;
  let isBroken = true;
  api.store.stats.competition = async (...query) => {
    if (isBroken) throw new Error("broken");
    return competition(...query);
  };
  assert.equal((await api.app.inject("/api/seasons/current")).statusCode, 500);
  isBroken = false;
  assert.equal((await api.app.inject("/api/seasons/current")).statusCode, 200);
});

it("lists matches by season, ladder and bot", async () => {
  const api = testApi();
  const [first, second] = await pair(api);
  const old = await addMatch(api, [first, second]);
  await turnMonth(api, []);
  const freshPages = await addMatch(api, [first, second], { season: "2026-02" });
  const ids = async (query: string) =>
    (await get<{ id: string }[]>(api, `/api/matches?${query}`)).map(({ id }) => id);
  assert.deepEqual(await ids(""), [freshPages.id, old.id]);
  assert.deepEqual(await ids("season=2026-01"), [old.id]);
  assert.deepEqual(await ids("season=current&bot=rex"), [freshPages.id]);
  assert.deepEqual(await ids("season=preseason"), []);
});

it("returns 404 for unknown seasons", async () => {
  const { app } = testApi();
  for (const id of ["2025-12", "2026-13", "26-01", "Current", "__proto__", "%00", "2026-01%20"])
    for (const url of [`/api/seasons/${id}`, `/api/leaderboard?season=${id}`]) {
      const { statusCode, json } = await app.inject(url);
      assert.deepEqual([statusCode, json()], [404, { error: "There is no such season." }], url);
    }
  for (const url of ["/api/seasons/2025-12/matchups?bot=x", "/api/matches?season=2025-12"])
    assert.equal((await app.inject(url)).statusCode, 404);
  for (const url of ["/api/leaderboard?season=2026-01&season=2026-01", "/api/matches?season[]=x"])
    assert.ok([200, 400].includes((await app.inject(url)).statusCode));
});

it("shows a bot's final places and its current season", async () => {
  const api = testApi();
  const [first] = await pair(api);
  await addMatch(api, [first, (await addFirstVersion(api))[0]]);
  await turnMonth(api, [place(3, first)]);
  const page = await get<Record<string, unknown>>(api, "/api/bots/Rex");
  assert.equal(page.season, "2026-02");
  assert.equal(page.current_version, "v1");
  assert.deepEqual(page.season_history, [
    {
      season: "2026-01",
      rank: 3,
      version: "v1",
      leaderboard_score: 1517,
      wins: 30,
      losses: 3,
      draws: 2,
    },
  ]);
  const version = (page.versions as { wins: number }[])[0]!;
  assert.equal(version.wins, 0);
});

async function addFirstVersion(api: TestApi): Promise<[VersionRecord]> {
  return [await addTestVersion(api, await addTestBot(api, "Bea"), "v1")];
}
