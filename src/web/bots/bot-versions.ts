import { Type } from "typebox";

import { BotVersionSchema } from "#core/api/bot.ts";
import type { BotVersion, Version } from "#core/api/bot.ts";
import type { BotId, LadderId } from "#core/ids/ids.ts";
import { versionHealth } from "#core/ladder/version-health.ts";
import type { VersionHealth } from "#core/ladder/version-health.ts";
import { isVersionLabel } from "#core/ladder/version-label.ts";
import { toVersionStats } from "#core/ladder/version-record.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";
import type { VersionPage, VersionRecord } from "#data/store/version.ts";
import type { StandingsEntry, Standings } from "#web/api/standings-entries.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { refuseNotFound, refuseWithCode } from "#web/http/errors.ts";
import { responseCache } from "#web/http/response-cache.ts";
import {
  okResponses,
  BotParams,
  findBot,
  ladder,
  resolveLadderId,
} from "#web/http/route-params.ts";

export const versionPage = {
  before: Type.Optional(Type.String({ description: "a version label; lists older versions only" })),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: FIXED_LIMITS.versions_list_max,
      default: FIXED_LIMITS.versions_list_default,
      description: "max versions to list",
    }),
  ),
};

type VersionDeps = ApiDeps & { standings: Standings };
type Board = ReturnType<ApiDeps["arena"]["board"]>;

export function versionsRoute(app: App, deps: VersionDeps): void {
  const cached = responseCache(deps, "bot versions", null);
  const schema = {
    params: BotParams,
    querystring: Type.Object({ ladder, ...versionPage }),
    response: okResponses(Type.Unsafe<BotVersion[] | Buffer>(Type.Array(BotVersionSchema))),
  };
  const summary = "All of a bot's versions, newest first";
  const errorCodes = [404, "no_such_bot"] as const;
  const config = { endpoint: "bot_versions", summary, errorCodes, public: true };
  app.get("/api/bots/:name/versions", { schema, config }, async ({ params, query }, reply) => {
    const ladderId = resolveLadderId(deps, query.ladder);
    if (ladderId === null) return refuseNotFound(reply, "ladder");
    const bot = await findBot(deps, params.name);
    if (bot === null) return refuseWithCode(reply, "no_such_bot");
    const page = parseVersionPage(deps, query);
    const rows =
      page &&
      (await cached(reply, JSON.stringify([bot.id, ladderId, page]), () =>
        versionRows(deps, bot.id, ladderId, page),
      ));
    return rows ?? refuseNotFound(reply, "version");
  });
}

export function parseVersionPage(
  { limits }: ApiDeps,
  query: Partial<VersionPage>,
): VersionPage | null {
  const { before, limit = limits().versions_list_default } = query;
  return before === undefined || isVersionLabel(before) ? { before, limit } : null;
}

async function versionRows(
  deps: VersionDeps,
  botId: BotId,
  ladderId: LadderId,
  page: VersionPage,
): Promise<BotVersion[] | null> {
  const versions = await deps.store.versions.list(botId, page);
  if (versions === null) return null;
  const healthById = await healthByVersion(deps, versions);
  const place = (await deps.standings(ladderId)).find((row) => row.bot.id === botId);
  const board = deps.arena.board(ladderId);
  return versions.map((version) => listedVersion(version, board, place, healthById));
}

type HealthByVersion = ReadonlyMap<string, VersionHealth>;

/**
 * Returns health across all ladders and seasons, because response times don't depend on the ladder.
 */
export async function healthByVersion(
  { store, limits }: Pick<ApiDeps, "store" | "limits">,
  versions: readonly VersionRecord[],
): Promise<HealthByVersion> {
  const ids = versions.map(({ id }) => id);
  const turns = await store.stats.turns(ids, limits().health_window_matches);
  return new Map(turns.map((turnStats) => [turnStats.versionId, versionHealth(turnStats)]));
}

/** Returns the public version resource. `place` is the bot's place in the standings. */
export function listedVersion(
  version: VersionRecord,
  board: Board,
  place: StandingsEntry | undefined,
  healthById: HealthByVersion,
): BotVersion {
  const rank = place?.version.id === version.id ? place.rank : null;
  return { ...toVersion(version, board), rank, health: healthById.get(version.id) ?? null };
}

export function toVersion(
  { id, label, notes, created, retired }: VersionRecord,
  board: Board,
): Version {
  return { label, notes, created, retired, ...toVersionStats(board.get(id)) };
}
