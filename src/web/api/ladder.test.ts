import assert from "node:assert/strict";
import { it } from "node:test";

import type { LadderResults } from "#core/api/ladder-results.ts";
import { windowOfMonth } from "#core/ladder/season.ts";
import type { FinishedMatch } from "#data/store/match.ts";
import type { FinalStanding } from "#data/store/season.ts";
import {
  addTestBot,
  addMatch,
  addTestVersion,
  setRating,
  testApi,
} from "#testing/fixtures/test-api.ts";
import type { TestApi } from "#testing/fixtures/test-api.ts";

it("lists the ladder with paths that are served", async () => {
  const { app } = testApi();
  for (const url of ["/api/ladders", "/api/ladders?ladder=public"]) {
    const ladders = (await app.inject(url)).json<Record<string, string>[]>();
    assert.deepEqual(
      ladders.map(({ id, phase, access }) => [id, phase, access]),
      [["public", "open", "open"]],
    );
    for (const path of [ladders[0]!.leaderboard_url, ladders[0]!.results_url])
      assert.equal((await app.inject(path!)).statusCode, 200, path!);
  }
  for (const url of ["/api/ladders?ladder=nowhere", "/api/ladders/nowhere/results"])
    assert.equal((await app.inject(url)).statusCode, 404, url);
  assert.equal((await app.inject("/api/ladders?ladder=a&ladder=b")).statusCode, 400);
});

const resultsOf = async ({ app }: TestApi, query = "") =>
  (await app.inject(`/api/ladders/public/results${query}`)).json<LadderResults>();

it("has empty results before the first match", async () => {
  const { standings, totals, maps, highlights, rivalries } = await resultsOf(testApi());
  assert.deepEqual([standings, maps, rivalries], [[], [], []]);
  assert.deepEqual(new Set(Object.values(totals)), new Set([0]));
  assert.deepEqual(new Set(Object.values(highlights)), new Set([null]));
});

it("summarises the ladder's matches", async () => {
  const api = testApi();
  const [ann, bob] = [
    await addTestBot(api, "Ann", { avatar: "sage" }),
    await addTestBot(api, "Bob"),
  ];
  const house = await addTestBot(api, "house-kiter", { house: true, owner: "house" });
  const [a, b, h] = [
    await addTestVersion(api, ann, "v1"),
    await addTestVersion(api, bob, "v1"),
    await addTestVersion(api, house, "v1"),
  ];
  await addMatch(api, [a, b], { finalTick: 40, settled: true });
  const longest = await addMatch(api, [b, a], { finalTick: 90, map: "keep", settled: true });
  await addMatch(api, [h, a], { settled: true });
  const draw = { winnerBotId: null, reason: "timeout_draw", finalTick: 80, settled: true };
  await addMatch(api, [a, b], draw);
  await addMatch(api, [a, b], { voided: true, rated: false, winnerBotId: null });
  setRating(api, a, 1600, [20, 9, 1]);
  const { standings, totals, maps, highlights, rivalries } = await resultsOf(api);
  assert.deepEqual(totals, {
    games: 4,
    rated: 4,
    voided: 1,
    draws: 1,
    player_bots: 2,
    contestants: 3,
    player_wins: 2,
    house_wins: 1,
  });
  assert.deepEqual(
    standings.map(({ name, avatar }) => [name, avatar]),
    [["Ann", "sage"]],
  );
  assert.deepEqual(maps, [
    { map: "yard", games: 3 },
    { map: "keep", games: 1 },
  ]);
  assert.notEqual(highlights.longest, null);
  assert.equal(longest.finalTick, 90);
  assert.deepEqual(
    rivalries.map(({ games, draws }) => [games, draws]),
    [[3, 1]],
  );
});

const NEXT = { "2026-01": "2026-02", "2026-02": "2026-03" };

/** Ends the live season with these final places and opens the next season. */
async function turnMonth(api: TestApi, places: FinalStanding[]): Promise<void> {
  const endedSeason = api.arena.liveSeason as keyof typeof NEXT;
  api.arena.liveSeason = NEXT[endedSeason];
  await api.store.seasons.open([{ ...windowOfMonth(api.arena.liveSeason), archivedAt: null }]);
  await api.store.seasons.archive(endedSeason, api.arena.liveSeason, places);
  api.arena.entries.clear();
}

/** Opens two archived months and a live month. Ann won the first; Bob has led since. */
async function threeMonths(): Promise<{ api: TestApi; games: FinishedMatch[] }> {
  const api = testApi();
  const [ann, bob] = [
    await addTestBot(api, "Ann", { avatar: "sage" }),
    await addTestBot(api, "Bob"),
  ];
  const [a, b] = [await addTestVersion(api, ann, "v1"), await addTestVersion(api, bob, "v1")];
  const first: FinalStanding = {
    rank: 1,
    botId: a.botId,
    versionId: a.id,
    name: "Ann",
    owner: "ada",
    house: false,
    label: "v1",
    rating: 1600,
    deviation: 40,
    wins: 1,
    draws: 0,
    losses: 0,
  };
  const games = [await addMatch(api, [a, b], { finalTick: 200 })];
  await turnMonth(api, [first]);
  games.push(await addMatch(api, [b, a], { season: "2026-02", map: "keep" }));
  await turnMonth(api, []);
  games.push(await addMatch(api, [b, a], { season: "2026-03" }));
  setRating(api, b, 1600, [20, 9, 1]);
  return { api, games };
}

it("covers all seasons, with the live standings", async () => {
  const { api, games } = await threeMonths();
  const { standings, totals, maps, highlights, rivalries } = await resultsOf(api);
  assert.deepEqual(
    standings.map(({ name, wins }) => [name, wins]),
    [["Bob", 20]],
  );
  assert.deepEqual([totals.games, totals.rated, totals.player_wins], [3, 3, 3]);
  assert.deepEqual(maps, [
    { map: "yard", games: 2 },
    { map: "keep", games: 1 },
  ]);
  const { opener, finale, longest } = highlights;
  assert.deepEqual(
    [opener, finale, longest].map((match) => match?.id),
    [games[0]!.id, games[2]!.id, games[0]!.id],
  );
  assert.deepEqual(
    rivalries.map((item) => [item.games, item.wins.toSorted()]),
    [[3, [1, 2]]],
  );
});

it("covers one season if the request names it", async () => {
  const { api, games } = await threeMonths();
  const resultsOfSeason = async (season: string) => {
    const { standings, totals, maps, highlights, rivalries } = await resultsOf(
      api,
      `?season=${season}`,
    );
    assert.deepEqual([highlights.opener?.id, rivalries], [highlights.longest?.id, []], season);
    return {
      places: standings.map(({ name, avatar }) => [name, avatar]),
      counts: [totals.games, totals.player_bots],
      maps: maps.map(({ map }) => map),
      opener: highlights.opener?.id,
    };
  };
  const [january, february, march] = games.map(({ id: opener, map }) => {
    return { places: [], counts: [1, 2], maps: [map], opener };
  });
  assert.deepEqual(await resultsOfSeason("2026-01"), { ...january, places: [["Ann", "sage"]] });
  assert.deepEqual(await resultsOfSeason("2026-02"), february);
  for (const live of ["2026-03", "current"])
    assert.deepEqual(await resultsOfSeason(live), { ...march, places: [["Bob", null]] });
  const emptyResults = { places: [], counts: [0, 0], maps: [], opener: undefined };
  assert.deepEqual(await resultsOfSeason("preseason"), emptyResults);
  for (const season of ["2025-12", "2026-04", "nonsense"]) {
    const { statusCode, json } = await api.app.inject(
      `/api/ladders/public/results?season=${season}`,
    );
    assert.deepEqual([statusCode, json()], [404, { error: "There is no such season." }]);
  }
});

it("keeps a season's results after its end, per season and across all seasons", async () => {
  const { api } = await threeMonths();
  const placesOf = async (query: string) =>
    (await resultsOf(api, query)).standings.map(({ name }) => name);
  const { totals, maps } = await resultsOf(api);
  assert.deepEqual(await placesOf("?season=2026-02"), []);
  assert.deepEqual(await placesOf("?season=2026-03"), ["Bob"]);
  await api.store.seasons.open([{ ...windowOfMonth("2026-04"), archivedAt: null }]);
  await api.store.seasons.archive("2026-03", "2026-04-01T00:00:00.000Z", []);
  api.arena.liveSeason = "2026-04";
  assert.deepEqual(await placesOf("?season=2026-03"), []);
  const resultsAfter = await resultsOf(api);
  assert.deepEqual([resultsAfter.totals, resultsAfter.maps], [totals, maps]);
});
