import assert from "node:assert/strict";
import { describe, it } from "node:test";

import type { BotStyle, Losses, OpponentRecord, BotMapRecord } from "#core/api/bot-record.ts";
import type { SeasonResults } from "#core/api/season.ts";
import type { FighterStats } from "#core/engine/types.ts";
import { limitsWith } from "#core/limits/limits.ts";
import type { VersionRecord } from "#data/store/version.ts";
import {
  addTestBot,
  addMatch,
  addTestVersion,
  setRating,
  emptyMatchStats,
  testApi,
} from "#testing/fixtures/test-api.ts";
import type { ApiChanges, TestApi } from "#testing/fixtures/test-api.ts";

type World = { api: TestApi; rex: VersionRecord; foe: VersionRecord; kiter: VersionRecord };

async function world(changes: ApiChanges = {}): Promise<World> {
  const api = testApi({}, changes);
  const rex = await addTestVersion(api, await addTestBot(api, "Rex"), "v1");
  const opponent = await addTestVersion(api, await addTestBot(api, "Foe"), "v1");
  const kiter = await addTestVersion(
    api,
    await addTestBot(api, "house-kiter", { house: true }),
    "v3",
  );
  return { api, rex, foe: opponent, kiter };
}

const get = async <T>({ api: { app } }: World, path: string) => {
  const { statusCode, json } = await app.inject(`/api/bots/rEx/${path}`);
  assert.equal(statusCode, 200, path);
  return json<T>();
};

describe("a bot's record by map", () => {
  it("covers the rated games from one season or from all seasons, most played map first", async () => {
    const item = await world();
    const { api, rex, foe: opponent } = item;
    const preseason = { season: "preseason", map: "ring" };
    await addMatch(api, [rex, opponent], preseason);
    await addMatch(api, [opponent, rex], preseason);
    await addMatch(api, [rex, opponent], { winnerBotId: null });
    await addMatch(api, [rex, opponent], { voided: true, rated: false });
    await addMatch(api, [rex, opponent], { ladderId: "cup", season: null });
    const ring = { map: "ring", games: 2, wins: 1, losses: 1, draws: 0, win_rate: 50 };
    const yardMatch = { map: "yard", games: 1, wins: 0, losses: 0, draws: 1, win_rate: 50 };
    assert.deepEqual(await get<BotMapRecord[]>(item, "maps"), [ring, yardMatch]);
    assert.deepEqual(await get(item, "maps?season=current"), [yardMatch]);
    assert.deepEqual(await get(item, "maps?season=preseason"), [ring]);
  });

  it("is empty before the first game", async () => {
    const item = await world();
    assert.deepEqual(await get(item, "maps"), []);
    assert.deepEqual(await get(item, "opponents"), []);
  });
});

describe("a bot's record by opponent", () => {
  it("lists the most recent opponent first, with its identity", async () => {
    const item = await world();
    const { api, rex, foe, kiter } = item;
    await addMatch(api, [rex, foe]);
    await addMatch(api, [foe, rex], { season: "preseason" });
    const lastMatch = await addMatch(api, [rex, kiter], { winnerBotId: null });
    const [first, second, ...otherRecords] = await get<OpponentRecord[]>(item, "opponents");
    assert.deepEqual(otherRecords, []);
    const { opponent, ...record } = first!;
    assert.deepEqual([opponent.id, opponent.display_name], [kiter.botId, "Kiter"]);
    const drawnRecord = { games: 1, wins: 0, losses: 0, draws: 1, win_rate: 50 };
    assert.deepEqual(record, { ...drawnRecord, last_played: lastMatch.ended });
    assert.deepEqual([second!.opponent.name, second!.wins, second!.losses], ["Foe", 1, 1]);
    const liveRecords = await get<OpponentRecord[]>(item, "opponents?season=2026-01");
    assert.deepEqual([liveRecords.length, liveRecords[1]!.losses], [2, 0]);
  });

  it("respects its limits on matches read and opponents listed", async () => {
    const limits = limitsWith({ opponents_matches: 3, opponents_shown: 1 });
    const item = await world({ limits });
    const { api, rex, foe, kiter } = item;
    for (const opponentBot of [foe, foe, kiter, foe]) await addMatch(api, [rex, opponentBot]);
    const records = await get<OpponentRecord[]>(item, "opponents");
    assert.deepEqual(
      records.map(({ opponent, games }) => [opponent.name, games]),
      [["Foe", 2]],
    );
  });
});

function statsWithBolts(damage: number): string {
  const stats = emptyMatchStats();
  const [winner, loser] = stats.fighters as [FighterStats, FighterStats];
  winner.dealt_by_source.bolt = damage;
  loser.taken_by_source.bolt = damage;
  loser.dealt_by_source.strike = 7;
  loser.taken_by_source.zone = 1;
  return JSON.stringify(stats);
}

function statsWithWeapons(attacks: Partial<FighterStats["weapons"]>): string {
  const stats = emptyMatchStats();
  for (const fighter of stats.fighters) fighter.weapons = { ...fighter.weapons, ...attacks };
  return JSON.stringify(stats);
}

describe("a bot's style", () => {
  it("is derived from the bot's attacks and pace in a season", async () => {
    const item = await world();
    const { api, rex, foe: opponent } = item;
    const stats = statsWithWeapons({
      bolt: { uses: 10, hits: 4, damage: 60 },
      hook: { uses: 5, hits: 2, damage: 20 },
    });
    await addMatch(api, [rex, opponent], { stats });
    await addMatch(api, [opponent, rex], { stats, season: "preseason" });
    await addMatch(api, [rex, opponent], { stats, voided: true, rated: false });
    await addMatch(api, [rex, opponent]);
    const { fights, attacks, ...of } = await get<BotStyle>(item, "style");
    assert.deepEqual(of, { ladder_id: "public", season: "2026-01" });
    assert.deepEqual(attacks, [
      { attack: "bolt", uses: 10, hits: 4, damage: 60, share: 75 },
      { attack: "hook", uses: 5, hits: 2, damage: 20, share: 25 },
    ]);
    assert.deepEqual([fights?.style, fights?.favourite_share, fights?.games], ["marksman", 75, 1]);
    setRating(api, rex, 1550, [30, 1, 1]);
    const { styles } = (await api.app.inject("/api/seasons/current")).json<SeasonResults>();
    const { bot, ...listedStyle } = styles[0]!;
    assert.deepEqual([bot.name, listedStyle], ["Rex", fights]);
    const older = await get<BotStyle>(item, "style?season=preseason");
    assert.deepEqual([older.season, older.fights?.games], ["preseason", 1]);
  });

  it("is null before the first game with statistics", async () => {
    const item = await world();
    await addMatch(item.api, [item.rex, item.foe]);
    const { fights, attacks } = await get<BotStyle>(item, "style");
    assert.deepEqual([fights, attacks], [null, []]);
  });
});

describe("a version's losses", () => {
  it("are summed by source, winner and map", async () => {
    const item = await world();
    const { api, rex, foe: opponent, kiter } = item;
    await addMatch(api, [opponent, rex], { stats: statsWithBolts(30) });
    await addMatch(api, [kiter, rex], { stats: statsWithBolts(12), map: "ring" });
    await addMatch(api, [opponent, rex], { stats: statsWithBolts(40) });
    await addMatch(api, [rex, opponent], { stats: statsWithBolts(90), map: "ring" });
    await addMatch(api, [opponent, rex]);
    await addMatch(api, [opponent, rex], { stats: statsWithBolts(1), season: "preseason" });
    const { damage, ...losses } = await get<Losses>(item, "losses?version=v1");
    assert.deepEqual(losses, {
      version: "v1",
      ladder_id: "public",
      season: "2026-01",
      games: 3,
      opponents: [
        { name: "Foe", display_name: "Foe", games: 2 },
        { name: "house-kiter", display_name: "Kiter", games: 1 },
      ],
      maps: [
        { map: "yard", games: 3, lost: 2 },
        { map: "ring", games: 2, lost: 1 },
      ],
    });
    assert.equal(damage.length, 9);
    assert.deepEqual(damage.slice(0, 3), [
      { source: "bolt", dealt: 0, taken: 82 },
      { source: "zone", dealt: 0, taken: 3 },
      { source: "strike", dealt: 21, taken: 0 },
    ]);
    const older = await get<Losses>(item, "losses?version=v1&season=preseason");
    assert.deepEqual([older.season, older.games, older.damage[0]!.taken], ["preseason", 1, 1]);
  });

  it("cover the most recent losses within a limited number of recent games", async () => {
    const limits = limitsWith({ lost_games: 120, lost_games_among: 200 });
    const item = await world({ limits });
    const { api, rex, foe: opponent } = item;
    for (let game = 0; game < 260; game += 1) {
      const isLost = game % 2 === 0 || game > 180;
      await addMatch(api, isLost ? [opponent, rex] : [rex, opponent], {
        stats: statsWithBolts(game < 60 ? 1000 : 1),
      });
    }
    const { games, damage, maps } = await get<Losses>(item, "losses?version=v1");
    assert.deepEqual([games, damage[0]!.taken], [120, 120]);
    assert.equal(maps[0]!.lost, 120);
    const limitedWorld = await world({ limits: limitsWith({ lost_games_among: 4 }) });
    for (let game = 0; game < 9; game += 1)
      await addMatch(limitedWorld.api, [limitedWorld.foe, limitedWorld.rex], {
        stats: statsWithBolts(1),
      });
    assert.equal((await get<Losses>(limitedWorld, "losses?version=v1")).games, 4);
  });

  it("are empty for a version that hasn't lost", async () => {
    const item = await world();
    await addMatch(item.api, [item.rex, item.foe], { stats: statsWithBolts(5) });
    const { games, damage, opponents, maps } = await get<Losses>(item, "losses?version=v1");
    assert.deepEqual([games, opponents], [0, []]);
    assert.deepEqual(maps, [{ map: "yard", games: 1, lost: 0 }]);
    assert.ok(damage.every(({ dealt, taken }) => dealt + taken === 0));
  });
});

const REFUSED: [status: number, what: string][] = [
  [404, "Nobody/maps"],
  [404, "Nobody/opponents"],
  [404, "Nobody/losses?version=v1"],
  [404, "Rex/maps?ladder=x"],
  [404, "Rex/opponents?season=2020-01"],
  [404, "Rex/losses?version=v2"],
  [404, "Rex/losses?version=%2e%2e"],
  [400, "Rex/losses"],
  [400, "Rex/losses?version=v1&version=v1"],
];
for (const [status, path] of REFUSED)
  it(`is ${status} for ${path}`, async () => {
    const { api } = await world();
    assert.equal((await api.app.inject(`/api/bots/${path}`)).statusCode, status);
  });
