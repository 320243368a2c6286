import type { FastifyReply } from "fastify";
import { Type } from "typebox";

import { assertDefined } from "#base/util/assert-defined.ts";
import { LossesSchema, MapRecordSchema, OpponentRecordSchema } from "#core/api/bot-record.ts";
import type { Losses, BotMapRecord, OpponentRecord } from "#core/api/bot-record.ts";
import type { ErrorBody } from "#core/api/common-schemas.ts";
import { DAMAGE_SOURCES } from "#core/engine/types.ts";
import { displayName } from "#core/ids/house-bots.ts";
import type { BotId } from "#core/ids/ids.ts";
import type { Results } from "#core/ids/results.ts";
import { hasSeasons } from "#core/ladder/ladder.ts";
import { zeroDamage } from "#core/ladder/loss-damage.ts";
import type { Competition } from "#core/ladder/season.ts";
import { totalGames, winRate } from "#core/ladder/version-record.ts";
import type { BotRecord } from "#data/store/bot.ts";
import type { LostGames, BotRecordQuery } from "#data/store/stats.ts";
import type { VersionRecord } from "#data/store/version.ts";
import { fullBotIdentity } from "#web/api/bot-identity.ts";
import { resolveSeason } from "#web/api/season.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { refuseNotFound, refuseWithCode } from "#web/http/errors.ts";
import { responseCache, LARGE_REFRESH_RATE } from "#web/http/response-cache.ts";
import {
  okResponses,
  BotParams,
  findBot,
  ladder,
  resolveLadderId,
  season,
} from "#web/http/route-params.ts";
import { findVersion } from "#web/http/route-params.ts";

const errorCodes = [404, "no_such_bot"] as const;
const RecordQuerySchema = Type.Object({ ladder, season });
const LossQuerySchema = Type.Object({
  ladder,
  season,
  version: Type.String({ description: "label of one of the bot's versions" }),
});

export function recordRoutes(app: App, deps: ApiDeps): void {
  mapRoute(app, deps);
  opponentRoute(app, deps);
  lossRoute(app, deps);
}

type RecordParams = { ladder?: string; season?: string };
type RecordTarget = BotRecordQuery & { bot: BotRecord };

async function resolveTarget(
  deps: ApiDeps,
  reply: FastifyReply,
  name: string,
  query: RecordParams,
): Promise<RecordTarget | ErrorBody> {
  const ladderId = resolveLadderId(deps, query.ladder);
  if (ladderId === null) return refuseNotFound(reply, "ladder");
  const bot = await findBot(deps, name);
  if (bot === null) return refuseWithCode(reply, "no_such_bot");
  const season = await resolveSeason(deps, reply, ladderId, query.season);
  if (season !== undefined && "error" in season) return season;
  return { bot, ladderId, botId: bot.id, season: season?.id };
}

function mapRoute(app: App, deps: ApiDeps): void {
  const cached = responseCache(deps, "record by map", null);
  const schema = {
    params: BotParams,
    querystring: RecordQuerySchema,
    response: okResponses(Type.Unsafe<BotMapRecord[] | Buffer>(Type.Array(MapRecordSchema))),
  };
  const summary = "A bot's record on each map";
  const config = { endpoint: "bot_maps", summary, errorCodes, public: true };
  app.get("/api/bots/:name/maps", { schema, config }, async ({ params, query }, reply) => {
    const target = await resolveTarget(deps, reply, params.name, query);
    if ("error" in target) return target;
    const { bot: _, ...scope } = target;
    return cached(reply, JSON.stringify(scope), async () =>
      (await deps.store.stats.maps(scope)).map(({ map, ...results }) => {
        return { map, ...recordOf(results) };
      }),
    );
  });
}

function recordOf(results: Results) {
  return { games: totalGames(results), ...results, win_rate: winRate(results) ?? 0 };
}

function opponentRoute(app: App, deps: ApiDeps): void {
  const cached = responseCache(deps, "record by opponent", null);
  const schema = {
    params: BotParams,
    querystring: RecordQuerySchema,
    response: okResponses(Type.Unsafe<OpponentRecord[] | Buffer>(Type.Array(OpponentRecordSchema))),
  };
  const summary = "A bot's record against its most recent opponents";
  const config = { endpoint: "bot_opponents", summary, errorCodes, public: true };
  app.get("/api/bots/:name/opponents", { schema, config }, async ({ params, query }, reply) => {
    const target = await resolveTarget(deps, reply, params.name, query);
    if ("error" in target) return target;
    const { bot: _, ...scope } = target;
    return cached(reply, JSON.stringify(scope), () => opponentRecords(deps, scope));
  });
}

async function opponentRecords(deps: ApiDeps, scope: BotRecordQuery): Promise<OpponentRecord[]> {
  const { store, arena, limits } = deps;
  const { opponents_matches: matches, opponents_shown: opponents } = limits();
  const records = await store.stats.recentOpponents({ ...scope, matches, opponents });
  const bots = await botsById(deps, records);
  const online = arena.onlineIds();
  return records.map(({ opponentId, lastPlayed, ...results }) => ({
    opponent: fullBotIdentity(assertDefined(bots.get(opponentId), "opponent"), online),
    ...recordOf(results),
    last_played: lastPlayed,
  }));
}

async function botsById(
  { store }: ApiDeps,
  records: readonly { opponentId: BotId }[],
): Promise<ReadonlyMap<BotId, BotRecord>> {
  const bots = await store.bots.byIds(records.map(({ opponentId }) => opponentId));
  return new Map(bots.map((bot) => [bot.id, bot]));
}

/** Rebuilt at most every two seconds, because the response aggregates hundreds of documents. */
function lossRoute(app: App, deps: ApiDeps): void {
  const cached = responseCache(deps, "losses", LARGE_REFRESH_RATE);
  const schema = {
    params: BotParams,
    querystring: LossQuerySchema,
    response: okResponses(Type.Unsafe<Losses | Buffer>(LossesSchema)),
  };
  const summary = "Common causes of a version's losses";
  const config = { endpoint: "bot_losses", summary, errorCodes, public: true };
  app.get("/api/bots/:name/losses", { schema, config }, async ({ params, query }, reply) => {
    const target = await resolveTarget(deps, reply, params.name, query);
    if ("error" in target) return target;
    const { bot, ladderId } = target;
    const version = await findVersion(deps, bot, query.version);
    if (!version) return refuseNotFound(reply, "version");
    const live = hasSeasons(ladderId) ? deps.arena.seasons().live : null;
    const scope = { ladderId, season: target.season ?? live };
    return cached(reply, JSON.stringify([scope, version.id]), () => lossesOf(deps, version, scope));
  });
}

/** Games per store read, and maximum number of lost games whose statistics are read. */
const GAMES_PER_CHUNK = 500;
const LOSSES_PER_CHUNK = 50;

async function lossesOf(
  deps: ApiDeps,
  version: VersionRecord,
  scope: Competition,
): Promise<Losses> {
  const { lost_games: maxLosses, lost_games_among: maxGames } = deps.limits();
  const { id: versionId, botId, label } = version;
  const chunks: LostGames[] = [];
  let [lostCount, scannedGames] = [0, 0];
  for (let before: LostGames["nextCursor"] | undefined = null; before !== undefined;) {
    const games = Math.min(GAMES_PER_CHUNK, maxGames - scannedGames);
    const losses = Math.min(LOSSES_PER_CHUNK, maxLosses - lostCount);
    const query = { ...scope, botId, versionId, before, games, losses };
    const chunk = await deps.store.stats.losses(query);
    chunks.push(chunk);
    lostCount += chunk.lost;
    scannedGames += chunk.games;
    const isDone = lostCount >= maxLosses || scannedGames >= maxGames;
    before = isDone ? undefined : (chunk.nextCursor ?? undefined);
  }
  return {
    version: label,
    ladder_id: scope.ladderId,
    season: scope.season,
    games: lostCount,
    damage: damageIn(chunks),
    opponents: await winnersIn(deps, chunks),
    maps: mapsIn(chunks),
  };
}

function damageIn(chunks: readonly LostGames[]): Losses["damage"] {
  const sums = zeroDamage();
  for (const { damage } of chunks)
    for (const source of DAMAGE_SOURCES) {
      sums[source].dealt += damage[source].dealt;
      sums[source].taken += damage[source].taken;
    }
  return DAMAGE_SOURCES.map((source) => ({ source, ...sums[source] })).toSorted(
    (a, b) => b.taken - a.taken,
  );
}

/** Returns the winners by number of wins. Ties go to the most recent winner. */
async function winnersIn(
  deps: ApiDeps,
  chunks: readonly LostGames[],
): Promise<Losses["opponents"]> {
  const rows = chunks.flatMap(({ opponents }) => opponents);
  const wins = [...Map.groupBy(rows, ({ botId }) => botId)].map(([opponentId, group]) => {
    return { opponentId, games: sumOf(group.map(({ games }) => games)) };
  });
  const bots = await botsById(deps, wins);
  return wins
    .toSorted((a, b) => b.games - a.games)
    .map(({ opponentId, games }) => {
      const { name } = assertDefined(bots.get(opponentId), "opponent");
      return { name, display_name: displayName(name), games };
    });
}

function mapsIn(chunks: readonly LostGames[]): Losses["maps"] {
  const rows = chunks.flatMap(({ maps }) => maps);
  return [...Map.groupBy(rows, ({ map }) => map)]
    .map(([map, group]) => ({
      map,
      games: sumOf(group.map(({ games }) => games)),
      lost: sumOf(group.map(({ lost }) => lost)),
    }))
    .toSorted((a, b) => b.lost - a.lost || b.games - a.games);
}

const sumOf = (counts: readonly number[]): number =>
  counts.reduce((total, count) => total + count, 0);
