import assert from "node:assert/strict";
import { it } from "node:test";

import type { Match } from "#core/api/match.ts";
import { HUMAN_SEAT } from "#core/ids/match-modes.ts";
import type { VersionRecord } from "#data/store/version.ts";
import {
  addTestBot,
  addMatch,
  addTestVersion,
  emptyMatchStats,
  testApi,
} from "#testing/fixtures/test-api.ts";
import type { TestApi } from "#testing/fixtures/test-api.ts";
import { sampleSeat } from "#testing/store-contract/store-samples.ts";

async function withTwoBots(): Promise<{ api: TestApi; pair: [VersionRecord, VersionRecord] }> {
  const api = testApi();
  const rex = await addTestVersion(api, await addTestBot(api, "Rex"), "v1");
  const house = { owner: "house", house: true };
  const kiter = await addTestVersion(api, await addTestBot(api, "house-kiter", house), "v1");
  return { api, pair: [rex, kiter] };
}

it("filters a bot's matches by version, opponent, map and result", async () => {
  const { api, pair } = await withTwoBots();
  const [rex, kiter] = pair;
  const bot = await api.store.bots.byName("Rex");
  const newer = await addTestVersion(api, bot!, "v 2");
  const neo = await addTestVersion(api, await addTestBot(api, "Neo"), "v1");
  const wonMatch = await addMatch(api, [rex, kiter], { map: "keep" });
  const lostMatch = await addMatch(api, [newer, kiter], { winnerBotId: kiter.botId });
  const drawnMatch = await addMatch(api, [neo, rex], { winnerBotId: null, map: "keep" });
  const findIds = (query: string) => idsAt(api, `?bot=rex&${query}`);
  assert.deepEqual(await findIds("version=v%202"), [lostMatch.id]);
  assert.deepEqual(await findIds("opponent=HOUSE-kiter"), [lostMatch.id, wonMatch.id]);
  assert.deepEqual(await findIds("map=keep"), [drawnMatch.id, wonMatch.id]);
  assert.deepEqual(await findIds("result=D"), [drawnMatch.id]);
  assert.deepEqual(await findIds("version=v1&opponent=house-kiter&map=keep&result=W"), [
    wonMatch.id,
  ]);
  assert.deepEqual(await findIds("opponent=neo&result=L"), []);
});

const INVALID_FILTERS: [query: string, status: number, error: RegExp][] = [
  ["version=v1", 400, /'version' needs 'bot'/],
  ["result=W", 400, /'result' needs 'bot'/],
  ["bot=rex&version=v9", 404, /no such version/],
  ["bot=rex&opponent=nobody", 404, /no such bot/],
  ["bot=rex&map=attic", 404, /no such map/],
  ["bot=rex&result=won", 400, /'result'/],
  ["bot=rex&map=keep&map=keep", 400, /'map' is given more than once/],
];
for (const [query, status, error] of INVALID_FILTERS)
  it(`rejects a list with ${query}`, async () => {
    const { api } = await withTwoBots();
    const { statusCode, json } = await api.app.inject(`/api/matches?${query}`);
    assert.equal(statusCode, status);
    assert.match(json().error, error);
  });

async function idsAt({ app }: TestApi, query: string): Promise<string[]> {
  const matches = (await app.inject(`/api/matches${query}`)).json<{ id: string }[]>();
  return matches.map(({ id }) => id);
}

it("returns a match with every field of the contract", async () => {
  const { api, pair } = await withTwoBots();
  const { id, started, ended } = await addMatch(api, pair);
  const bot = { avatar: null, version: "v1" };
  assert.deepEqual((await api.app.inject(`/api/matches/${id}`)).json(), {
    id,
    ladder_id: "public",
    mode: "ranked",
    map: "yard",
    seed: 7,
    started,
    ended,
    duration_ms: 1234.5,
    final_tick: 99,
    reason: "last_standing",
    winner: pair[0].botId,
    voided: false,
    rated: true,
    unrated_reason: null,
    bots: [
      {
        id: pair[0].botId,
        name: "Rex",
        display_name: "Rex",
        house: false,
        ...bot,
        fighter: "A",
        rating_before: 1500,
        rating_after: 1520,
      },
      {
        id: pair[1].botId,
        name: "house-kiter",
        display_name: "Kiter",
        house: true,
        ...bot,
        fighter: "B",
        rating_before: 1500,
        rating_after: 1480,
      },
    ],
    replay_url: `/replays/${id}.jsonl.gz`,
    stats_url: `/api/matches/${id}/stats`,
    watch_url: `/match/${id}`,
  });
});

it("omits an unrated match's ratings", async () => {
  const { api, pair } = await withTwoBots();
  const unrated = { ratingBefore: null, ratingAfter: null };
  const seats = pair.map(({ id: versionId, botId }, seat) =>
    sampleSeat(seat, { botId, versionId, fighter: "AB"[seat]!, ...unrated }),
  );
  const { id } = await addMatch(api, pair, {
    rated: false,
    unratedReason: "nobody_ready",
    voided: true,
    winnerBotId: null,
    seats,
  });
  const match = (await api.app.inject(`/api/matches/${id}`)).json();
  assert.deepEqual([match.voided, match.winner], [true, null]);
  assert.deepEqual([match.rated, match.unrated_reason], [false, "nobody_ready"]);
  for (const bot of match.bots) assert.ok(!("rating_before" in bot) && !("rating_after" in bot));
});

it("returns a human match by id only, with a person as the winner", async () => {
  const { api, pair } = await withTwoBots();
  const unrated = { ratingBefore: null, ratingAfter: null };
  const person = { ...HUMAN_SEAT, ...unrated, botId: null, versionId: null, fighter: "B" };
  const [{ botId, id: versionId }] = pair;
  const { id } = await addMatch(api, pair, {
    mode: "human",
    rated: false,
    unratedReason: "mode",
    winnerSeat: 1,
    seats: [sampleSeat(0, { botId, versionId, ...unrated }), sampleSeat(1, person)],
  });
  const match = (await api.app.inject(`/api/matches/${id}`)).json();
  assert.deepEqual([match.mode, match.winner, match.unrated_reason], ["human", "human", "mode"]);
  assert.deepEqual(match.bots[1], {
    id: "human",
    name: "human",
    display_name: "human",
    version: "-",
    house: false,
    avatar: null,
    fighter: "B",
  });
  assert.deepEqual((await api.app.inject("/api/matches")).json(), []);
});

it("lists newest first, pages by `before`, and filters by bot case-insensitively", async () => {
  const { api, pair } = await withTwoBots();
  const thirdVersion = await addTestVersion(api, await addTestBot(api, "Other"), "v1");
  const ids: string[] = [];
  for (const versions of [pair, [pair[0], thirdVersion], pair] as [VersionRecord, VersionRecord][])
    ids.unshift((await addMatch(api, versions)).id);
  assert.deepEqual(await idsAt(api, ""), ids);
  assert.deepEqual(await idsAt(api, "?limit=2"), ids.slice(0, 2));
  assert.deepEqual(await idsAt(api, `?before=${ids[0]}`), ids.slice(1));
  assert.deepEqual(await idsAt(api, `?after=${ids[2]}`), ids.slice(0, 2));
  assert.deepEqual(await idsAt(api, `?after=${ids[2]}&limit=1`), [ids[1]], "the nearest");
  assert.deepEqual(await idsAt(api, `?after=${ids[2]}&limit=1&bot=house-kiter`), [ids[0]]);
  const bothResponse = await api.app.inject(`/api/matches?after=${ids[2]}&before=${ids[0]}`);
  assert.equal(bothResponse.statusCode, 400);
  assert.deepEqual(await idsAt(api, "?bot=HOUSE-kiter"), [ids[0], ids[2]]);
  assert.deepEqual(await idsAt(api, "?bot=other"), [ids[1]]);
});

it("returns 50 matches by default", async () => {
  const { api, pair } = await withTwoBots();
  for (let count = 0; count < 51; count++) await addMatch(api, pair);
  assert.equal((await idsAt(api, "")).length, 50);
  assert.equal((await idsAt(api, "?limit=500")).length, 51);
});

it("returns stored statistics unchanged, in the list and for one match", async () => {
  const { api, pair } = await withTwoBots();
  const stats = emptyMatchStats();
  const { id } = await addMatch(api, pair, { stats: JSON.stringify(stats) });
  const matchWithoutStats = await addMatch(api, pair);
  for (const query of ["?stats=1", "?stats=true"]) {
    const listedMatch = (await api.app.inject(`/api/matches${query}`)).json();
    assert.deepEqual([listedMatch[0].stats, listedMatch[1].stats], [null, stats]);
    assert.deepEqual([listedMatch[0].id, listedMatch[1].id], [matchWithoutStats.id, id]);
  }
  const statsResponse = await api.app.inject(`/api/matches/${id}/stats`);
  assert.deepEqual(statsResponse.json(), stats);
  assert.match(String(statsResponse.headers["content-type"]), /^application\/json/);
});

it("returns no statistics for void matches and matches with a trimmed replay", async () => {
  const { api, pair } = await withTwoBots();
  const status = async (id: string) =>
    (await api.app.inject(`/api/matches/${id}/stats`)).statusCode;
  const { id } = await addMatch(api, pair, { stats: JSON.stringify(emptyMatchStats()) });
  const voided = await addMatch(api, pair, { voided: true, rated: false });
  assert.deepEqual([await status(id), await status(voided.id)], [200, 404]);
  const botIds = pair.map(({ botId }) => botId);
  await api.store.replays.release(botIds.slice(0, 1), 0, 9);
  assert.equal(await status(id), 200, "one of the two bots still keeps it");
  await api.store.replays.release(botIds, 0, 9);
  assert.equal(await status(id), 404);
  assert.equal((await api.app.inject(`/replays/${id}.jsonl.gz`)).statusCode, 404);
  const [, listedMatch] = (await api.app.inject("/api/matches?stats=1")).json();
  assert.equal(
    listedMatch.stats.match_id,
    emptyMatchStats().match_id,
    "lists still have the statistics",
  );
  assert.equal((await api.app.inject(`/api/matches/${id}`)).statusCode, 200);
  const { versions } = (await api.app.inject("/api/bots/Rex")).json();
  assert.equal(versions[0].health.matches, 1, "health still counts them");
});

it("returns 404 for unknown matches, whatever characters the id contains", async () => {
  const { app, newId } = testApi();
  const unknown = ["nope", "..%2f..%2fetc", "%00", newId(), "constructor"];
  for (const text of unknown)
    for (const url of [
      `/api/matches/${text}`,
      `/api/matches/${text}/stats`,
      `/api/matches?before=${text}`,
      `/api/matches?after=${text}`,
    ])
      assert.equal((await app.inject(url)).statusCode, 404, url);
  const unknownBot = await app.inject("/api/matches?bot=nobody");
  assert.deepEqual([unknownBot.statusCode, unknownBot.json().code], [404, "no_such_bot"]);
  for (const query of ["?ladder=x", "?season=2020-01", "?bot=%00"])
    assert.equal((await app.inject(`/api/matches${query}`)).statusCode, 404, query);
});

it("accepts ids in upper case", async () => {
  const { api, pair } = await withTwoBots();
  const [first, second] = [await addMatch(api, pair), await addMatch(api, pair)];
  const id = second.id.toUpperCase();
  assert.equal((await api.app.inject(`/api/matches/${id}`)).json().id, second.id);
  assert.equal((await api.app.inject(`/replays/${id}.jsonl.gz`)).headers.etag, `"${second.id}"`);
  assert.deepEqual(await idsAt(api, `?before=${id}`), [first.id]);
});

it("counts a version's placement matches until it is ranked", async () => {
  const { api, pair } = await withTwoBots();
  const seats = [7, 31].map((ratedGames, seat) => {
    const { botId, id: versionId } = pair[seat]!;
    return sampleSeat(seat, { botId, versionId, fighter: "AB"[seat]!, ratedGames });
  });
  const { id } = await addMatch(api, pair, { seats });
  const { bots } = (await api.app.inject(`/api/matches/${id}`)).json<Match>();
  assert.deepEqual(
    bots.map(({ placement }) => placement),
    [{ match: 7, of: 30 }, undefined],
  );
});
