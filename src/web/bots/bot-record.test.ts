import assert from "node:assert/strict";
import { describe, it } from "node:test";

import type { FighterStats } from "#core/engine/types.ts";
import type { BotStyle, Losses, OpponentRecord, RecordOnMap } from "#core/resources/bot-record.ts";
import type { SeasonResults } from "#core/resources/season.ts";
import { limitsWith } from "#core/words/limits.ts";
import type { VersionRecord } from "#data/store/version.ts";
import {
  addBot,
  addMatch,
  addVersion,
  rate,
  sampleStats,
  testApi,
} from "#testing/fixtures/test-api.ts";
import type { ApiChanges, TestApi } from "#testing/fixtures/test-api.ts";

type World = { api: TestApi; rex: VersionRecord; foe: VersionRecord; kiter: VersionRecord };

async function world(changes: ApiChanges = {}): Promise<World> {
  const api = testApi({}, changes);
  const rex = await addVersion(api, await addBot(api, "Rex"), "v1");
  const foe = await addVersion(api, await addBot(api, "Foe"), "v1");
  const kiter = await addVersion(api, await addBot(api, "house-kiter", { house: true }), "v3");
  return { api, rex, foe, kiter };
}

const get = async <T>({ api: { app } }: World, what: string) => {
  const { statusCode, json } = await app.inject(`/api/bots/rEx/${what}`);
  assert.equal(statusCode, 200, what);
  return json<T>();
};

describe("the record of a bot by map", () => {
  it("has its rated games of all seasons or of one, the most played map first", async () => {
    const one = await world();
    const { api, rex, foe } = one;
    const before = { season: "preseason", map: "ring" };
    await addMatch(api, [rex, foe], before);
    await addMatch(api, [foe, rex], before);
    await addMatch(api, [rex, foe], { winnerBotId: null });
    await addMatch(api, [rex, foe], { voided: true, rated: false });
    await addMatch(api, [rex, foe], { ladderId: "cup", season: null });
    const ring = { map: "ring", games: 2, wins: 1, losses: 1, draws: 0, win_rate: 50 };
    const yard = { map: "yard", games: 1, wins: 0, losses: 0, draws: 1, win_rate: 50 };
    assert.deepEqual(await get<RecordOnMap[]>(one, "maps"), [ring, yard]);
    assert.deepEqual(await get(one, "maps?season=current"), [yard]);
    assert.deepEqual(await get(one, "maps?season=preseason"), [ring]);
  });

  it("is empty before the first game", async () => {
    const one = await world();
    assert.deepEqual(await get(one, "maps"), []);
    assert.deepEqual(await get(one, "opponents"), []);
  });
});

describe("the record of a bot by opponent", () => {
  it("has those it met last first, with what identifies them", async () => {
    const one = await world();
    const { api, rex, foe, kiter } = one;
    await addMatch(api, [rex, foe]);
    await addMatch(api, [foe, rex], { season: "preseason" });
    const last = await addMatch(api, [rex, kiter], { winnerBotId: null });
    const [first, second, ...more] = await get<OpponentRecord[]>(one, "opponents");
    assert.deepEqual(more, []);
    const { opponent, ...record } = first!;
    assert.deepEqual([opponent.id, opponent.display_name], [kiter.botId, "Kiter"]);
    const drawn = { games: 1, wins: 0, losses: 0, draws: 1, win_rate: 50 };
    assert.deepEqual(record, { ...drawn, last_played: last.ended });
    assert.deepEqual([second!.opponent.name, second!.wins, second!.losses], ["Foe", 1, 1]);
    const live = await get<OpponentRecord[]>(one, "opponents?season=2026-01");
    assert.deepEqual([live.length, live[1]!.losses], [2, 0]);
  });

  it("looks at no more matches and shows no more opponents than its limits say", async () => {
    const limits = limitsWith({ opponents_matches: 3, opponents_shown: 1 });
    const one = await world({ limits });
    const { api, rex, foe, kiter } = one;
    for (const other of [foe, foe, kiter, foe]) await addMatch(api, [rex, other]);
    const records = await get<OpponentRecord[]>(one, "opponents");
    assert.deepEqual(
      records.map(({ opponent, games }) => [opponent.name, games]),
      [["Foe", 2]],
    );
  });
});

/** The statistics of a fight in which the winner's bolts did this much damage. */
function boltsOf(damage: number): string {
  const stats = sampleStats();
  const [winner, loser] = stats.fighters as [FighterStats, FighterStats];
  winner.dealt_by_source.bolt = damage;
  loser.taken_by_source.bolt = damage;
  loser.dealt_by_source.strike = 7;
  loser.taken_by_source.zone = 1;
  return JSON.stringify(stats);
}

/** The statistics of a fight in which both fighters used these attacks. */
function armed(attacks: Partial<FighterStats["weapons"]>): string {
  const stats = sampleStats();
  for (const fighter of stats.fighters) fighter.weapons = { ...fighter.weapons, ...attacks };
  return JSON.stringify(stats);
}

describe("the style of a bot", () => {
  it("is told by its attacks and its pace in a season", async () => {
    const one = await world();
    const { api, rex, foe } = one;
    const stats = armed({
      bolt: { uses: 10, hits: 4, damage: 60 },
      hook: { uses: 5, hits: 2, damage: 20 },
    });
    await addMatch(api, [rex, foe], { stats });
    await addMatch(api, [foe, rex], { stats, season: "preseason" });
    await addMatch(api, [rex, foe], { stats, voided: true, rated: false });
    await addMatch(api, [rex, foe]);
    const { fights, attacks, ...of } = await get<BotStyle>(one, "style");
    assert.deepEqual(of, { ladder_id: "public", season: "2026-01" });
    assert.deepEqual(attacks, [
      { attack: "bolt", uses: 10, hits: 4, damage: 60, share: 75 },
      { attack: "hook", uses: 5, hits: 2, damage: 20, share: 25 },
    ]);
    assert.deepEqual([fights?.style, fights?.favourite_share, fights?.games], ["marksman", 75, 1]);
    rate(api, rex, 1550, [30, 1, 1]);
    const { styles } = (await api.app.inject("/api/seasons/current")).json<SeasonResults>();
    const { bot, ...listed } = styles[0]!;
    assert.deepEqual([bot.name, listed], ["Rex", fights]);
    const older = await get<BotStyle>(one, "style?season=preseason");
    assert.deepEqual([older.season, older.fights?.games], ["preseason", 1]);
  });

  it("is none before the first game with statistics", async () => {
    const one = await world();
    await addMatch(one.api, [one.rex, one.foe]);
    const { fights, attacks } = await get<BotStyle>(one, "style");
    assert.deepEqual([fights, attacks], [null, []]);
  });
});

describe("the losses of a version", () => {
  it("are added up by source, winner and map", async () => {
    const one = await world();
    const { api, rex, foe, kiter } = one;
    await addMatch(api, [foe, rex], { stats: boltsOf(30) });
    await addMatch(api, [kiter, rex], { stats: boltsOf(12), map: "ring" });
    await addMatch(api, [foe, rex], { stats: boltsOf(40) });
    await addMatch(api, [rex, foe], { stats: boltsOf(90), map: "ring" });
    await addMatch(api, [foe, rex]);
    await addMatch(api, [foe, rex], { stats: boltsOf(1), season: "preseason" });
    const { damage, ...losses } = await get<Losses>(one, "losses?version=v1");
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
    const older = await get<Losses>(one, "losses?version=v1&season=preseason");
    assert.deepEqual([older.season, older.games, older.damage[0]!.taken], ["preseason", 1, 1]);
  });

  it("cover the newest lost games, among the newest games", async () => {
    const limits = limitsWith({ lost_games: 120, lost_games_among: 200 });
    const one = await world({ limits });
    const { api, rex, foe } = one;
    for (let game = 0; game < 260; game += 1) {
      const isLost = game % 2 === 0 || game > 180;
      await addMatch(api, isLost ? [foe, rex] : [rex, foe], {
        stats: boltsOf(game < 60 ? 1000 : 1),
      });
    }
    const { games, damage, maps } = await get<Losses>(one, "losses?version=v1");
    assert.deepEqual([games, damage[0]!.taken], [120, 120]);
    assert.equal(maps[0]!.lost, 120);
    const few = await world({ limits: limitsWith({ lost_games_among: 4 }) });
    for (let game = 0; game < 9; game += 1)
      await addMatch(few.api, [few.foe, few.rex], { stats: boltsOf(1) });
    assert.equal((await get<Losses>(few, "losses?version=v1")).games, 4);
  });

  it("are none for a version that has not lost", async () => {
    const one = await world();
    await addMatch(one.api, [one.rex, one.foe], { stats: boltsOf(5) });
    const { games, damage, opponents, maps } = await get<Losses>(one, "losses?version=v1");
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
for (const [status, what] of REFUSED)
  it(`is ${status} for ${what}`, async () => {
    const { api } = await world();
    assert.equal((await api.app.inject(`/api/bots/${what}`)).statusCode, status);
  });
