// A bot's record: on each map, against the opponents it met last, and what it loses by.

import type { FastifyReply } from "fastify";
import { Type } from "typebox";

import { sure } from "#base/units/sure.ts";
import { DAMAGE_SOURCES } from "#core/engine/types.ts";
import { hasSeasons } from "#core/ladder/ladder.ts";
import { noDamage } from "#core/ladder/lost-games.ts";
import type { Competition } from "#core/ladder/season.ts";
import { gamesOf, winRate } from "#core/ladder/version-record.ts";
import { LossesSchema, MapRecordSchema, OpponentRecordSchema } from "#core/resources/bot-record.ts";
import type { Losses, RecordOnMap, OpponentRecord } from "#core/resources/bot-record.ts";
import type { ErrorBody } from "#core/resources/common.ts";
import { displayName } from "#core/words/house.ts";
import type { BotId } from "#core/words/ids.ts";
import type { Results } from "#core/words/results.ts";
import type { BotRecord } from "#data/store/bot.ts";
import type { LostGames, RecordQuery } from "#data/store/figures.ts";
import type { VersionRecord } from "#data/store/version.ts";
import { wholeIdentity } from "#web/api/identity.ts";
import { seasonOf } from "#web/api/season.ts";
import { keepAnswers, LARGE_MAKINGS } from "#web/http/cached-answer.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { missing, refuse } from "#web/http/errors.ts";
import { answers, BotParams, findBot, ladder, ladderOf, season } from "#web/http/query.ts";
import { versionSought } from "#web/http/query.ts";

const refuses = [404, "no_such_bot"] as const;
const RecordQuerySchema = Type.Object({ ladder, season });
const LossQuerySchema = Type.Object({
  ladder,
  season,
  version: Type.String({ description: "label of a version of the bot" }),
});

export function recordRoutes(app: App, deps: ApiDeps): void {
  mapRoute(app, deps);
  opponentRoute(app, deps);
  lossRoute(app, deps);
}

type Asked = { ladder?: string; season?: string };
type Sought = RecordQuery & { bot: BotRecord };

/** The bot, ladder and season that a request names, or why it is refused. */
async function sought(
  deps: ApiDeps,
  reply: FastifyReply,
  name: string,
  asked: Asked,
): Promise<Sought | ErrorBody> {
  const ladderId = ladderOf(deps, asked.ladder);
  if (ladderId === null) return missing(reply, "ladder");
  const bot = await findBot(deps, name);
  if (bot === null) return refuse(reply, "no_such_bot");
  const season = await seasonOf(deps, reply, ladderId, asked.season);
  if (season !== undefined && "error" in season) return season;
  return { bot, ladderId, botId: bot.id, season: season?.id };
}

function mapRoute(app: App, deps: ApiDeps): void {
  const kept = keepAnswers(deps, "record by map", null);
  const schema = {
    params: BotParams,
    querystring: RecordQuerySchema,
    response: answers(Type.Unsafe<RecordOnMap[] | Buffer>(Type.Array(MapRecordSchema))),
  };
  const about = "A bot's record on each map";
  const config = { endpoint: "bot_maps", about, refuses, public: true };
  app.get("/api/bots/:name/maps", { schema, config }, async ({ params, query }, reply) => {
    const found = await sought(deps, reply, params.name, query);
    if ("error" in found) return found;
    const { bot: _, ...of } = found;
    return kept(reply, JSON.stringify(of), async () =>
      (await deps.store.figures.maps(of)).map(({ map, ...results }) => {
        return { map, ...recordOf(results) };
      }),
    );
  });
}

function recordOf(results: Results) {
  return { games: gamesOf(results), ...results, win_rate: winRate(results) ?? 0 };
}

function opponentRoute(app: App, deps: ApiDeps): void {
  const kept = keepAnswers(deps, "record by opponent", null);
  const schema = {
    params: BotParams,
    querystring: RecordQuerySchema,
    response: answers(Type.Unsafe<OpponentRecord[] | Buffer>(Type.Array(OpponentRecordSchema))),
  };
  const about = "A bot's record against the opponents it met last";
  const config = { endpoint: "bot_opponents", about, refuses, public: true };
  app.get("/api/bots/:name/opponents", { schema, config }, async ({ params, query }, reply) => {
    const found = await sought(deps, reply, params.name, query);
    if ("error" in found) return found;
    const { bot: _, ...of } = found;
    return kept(reply, JSON.stringify(of), () => opponentRecords(deps, of));
  });
}

async function opponentRecords(deps: ApiDeps, of: RecordQuery): Promise<OpponentRecord[]> {
  const { store, arena, limits } = deps;
  const { opponents_matches: matches, opponents_shown: opponents } = limits();
  const met = await store.figures.recentOpponents({ ...of, matches, opponents });
  const bots = await botsById(deps, met);
  const online = arena.onlineIds();
  return met.map(({ opponentId, lastPlayed, ...results }) => ({
    opponent: wholeIdentity(sure(bots.get(opponentId), "opponent"), online),
    ...recordOf(results),
    last_played: lastPlayed,
  }));
}

async function botsById(
  { store }: ApiDeps,
  met: readonly { opponentId: BotId }[],
): Promise<ReadonlyMap<BotId, BotRecord>> {
  const bots = await store.bots.byIds(met.map(({ opponentId }) => opponentId));
  return new Map(bots.map((bot) => [bot.id, bot]));
}

/** Made of hundreds of documents, so it may be two seconds old. */
function lossRoute(app: App, deps: ApiDeps): void {
  const kept = keepAnswers(deps, "losses", LARGE_MAKINGS);
  const schema = {
    params: BotParams,
    querystring: LossQuerySchema,
    response: answers(Type.Unsafe<Losses | Buffer>(LossesSchema)),
  };
  const about = "What the lost games of a version have in common";
  const config = { endpoint: "bot_losses", about, refuses, public: true };
  app.get("/api/bots/:name/losses", { schema, config }, async ({ params, query }, reply) => {
    const found = await sought(deps, reply, params.name, query);
    if ("error" in found) return found;
    const { bot, ladderId } = found;
    const version = await versionSought(deps, bot, query.version);
    if (!version) return missing(reply, "version");
    const live = hasSeasons(ladderId) ? deps.arena.seasons().live : null;
    const of = { ladderId, season: found.season ?? live };
    return kept(reply, JSON.stringify([of, version.id]), () => lossesOf(deps, version, of));
  });
}

/** Games looked at by one read of the store, and lost ones among them whose statistics are read. */
const GAMES_AT_ONCE = 500;
const LOSSES_AT_ONCE = 50;

async function lossesOf(deps: ApiDeps, version: VersionRecord, of: Competition): Promise<Losses> {
  const { lost_games: most, lost_games_among: among } = deps.limits();
  const { id: versionId, botId, label } = version;
  const portions: LostGames[] = [];
  let [lost, looked] = [0, 0];
  for (let before: LostGames["last"] | undefined = null; before !== undefined;) {
    const games = Math.min(GAMES_AT_ONCE, among - looked);
    const losses = Math.min(LOSSES_AT_ONCE, most - lost);
    const query = { ...of, botId, versionId, before, games, losses };
    const portion = await deps.store.figures.losses(query);
    portions.push(portion);
    lost += portion.lost;
    looked += portion.games;
    const isEnough = lost >= most || looked >= among;
    before = isEnough ? undefined : (portion.last ?? undefined);
  }
  return {
    version: label,
    ladder_id: of.ladderId,
    season: of.season,
    games: lost,
    damage: damageIn(portions),
    opponents: await winnersIn(deps, portions),
    maps: mapsIn(portions),
  };
}

function damageIn(portions: readonly LostGames[]): Losses["damage"] {
  const sums = noDamage();
  for (const { damage } of portions)
    for (const source of DAMAGE_SOURCES) {
      sums[source].dealt += damage[source].dealt;
      sums[source].taken += damage[source].taken;
    }
  return DAMAGE_SOURCES.map((source) => ({ source, ...sums[source] })).toSorted(
    (one, other) => other.taken - one.taken,
  );
}

/** Ties go to the winner met last. */
async function winnersIn(
  deps: ApiDeps,
  portions: readonly LostGames[],
): Promise<Losses["opponents"]> {
  const all = portions.flatMap(({ opponents }) => opponents);
  const wins = [...Map.groupBy(all, ({ botId }) => botId)].map(([opponentId, own]) => {
    return { opponentId, games: sumOf(own.map(({ games }) => games)) };
  });
  const bots = await botsById(deps, wins);
  return wins
    .toSorted((one, other) => other.games - one.games)
    .map(({ opponentId, games }) => {
      const { name } = sure(bots.get(opponentId), "opponent");
      return { name, display_name: displayName(name), games };
    });
}

function mapsIn(portions: readonly LostGames[]): Losses["maps"] {
  const all = portions.flatMap(({ maps }) => maps);
  return [...Map.groupBy(all, ({ map }) => map)]
    .map(([map, own]) => ({
      map,
      games: sumOf(own.map(({ games }) => games)),
      lost: sumOf(own.map(({ lost }) => lost)),
    }))
    .toSorted((one, other) => other.lost - one.lost || other.games - one.games);
}

const sumOf = (counts: readonly number[]): number =>
  counts.reduce((total, count) => total + count, 0);
