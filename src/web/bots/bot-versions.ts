// Versions of a bot as lists show them.

import { Type } from "typebox";

import { isVersionLabel } from "#core/ladder/label.ts";
import { versionHealth } from "#core/ladder/version-health.ts";
import type { VersionHealth } from "#core/ladder/version-health.ts";
import { versionFigures } from "#core/ladder/version-record.ts";
import { BotVersionSchema } from "#core/resources/bot.ts";
import type { BotVersion, Version } from "#core/resources/bot.ts";
import type { BotId, LadderId } from "#core/words/ids.ts";
import { FIXED } from "#core/words/limits.ts";
import type { VersionPage, VersionRecord } from "#data/store/version.ts";
import type { StandingPlace, Standings } from "#web/api/leaderboard-rows.ts";
import { keepAnswers } from "#web/http/cached-answer.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { missing, refuse } from "#web/http/errors.ts";
import { answers, BotParams, findBot, ladder, ladderOf } from "#web/http/query.ts";

/** Selects the versions of a bot that a request asks for. */
export const versionPage = {
  before: Type.Optional(Type.String({ description: "a label: only versions made before it" })),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: FIXED.versions_list_max,
      default: FIXED.versions_list_default,
      description: "most versions to list",
    }),
  ),
};

type VersionDeps = ApiDeps & { standings: Standings };
type Board = ReturnType<ApiDeps["arena"]["board"]>;

export function versionsRoute(app: App, deps: VersionDeps): void {
  const kept = keepAnswers(deps, "bot versions", null);
  const schema = {
    params: BotParams,
    querystring: Type.Object({ ladder, ...versionPage }),
    response: answers(Type.Unsafe<BotVersion[] | Buffer>(Type.Array(BotVersionSchema))),
  };
  const about = "All versions of a bot, made last first";
  const refuses = [404, "no_such_bot"] as const;
  const config = { endpoint: "bot_versions", about, refuses, public: true };
  app.get("/api/bots/:name/versions", { schema, config }, async ({ params, query }, reply) => {
    const ladderId = ladderOf(deps, query.ladder);
    if (ladderId === null) return missing(reply, "ladder");
    const bot = await findBot(deps, params.name);
    if (bot === null) return refuse(reply, "no_such_bot");
    const page = pageOf(deps, query);
    const rows =
      page &&
      (await kept(reply, JSON.stringify([bot.id, ladderId, page]), () =>
        versionRows(deps, bot.id, ladderId, page),
      ));
    return rows ?? missing(reply, "version");
  });
}

/** Null when no version can have the label of `before`. */
export function pageOf({ limits }: ApiDeps, query: Partial<VersionPage>): VersionPage | null {
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
  const healthOf = await healthByVersion(deps, versions);
  const place = (await deps.standings(ladderId)).find((row) => row.bot.id === botId);
  const board = deps.arena.board(ladderId);
  return versions.map((version) => listedVersion(version, board, place, healthOf));
}

type HealthByVersion = ReadonlyMap<string, VersionHealth>;

/** Over all ladders and seasons: how a bot answers does not depend on where it plays. */
export async function healthByVersion(
  { store, limits }: Pick<ApiDeps, "store" | "limits">,
  versions: readonly VersionRecord[],
): Promise<HealthByVersion> {
  const ids = versions.map(({ id }) => id);
  const turns = await store.figures.turns(ids, limits().health_window_matches);
  return new Map(turns.map((figures) => [figures.versionId, versionHealth(figures)]));
}

/** A version as the public sees it; `place` is its bot's place in the standings. */
export function listedVersion(
  version: VersionRecord,
  board: Board,
  place: StandingPlace | undefined,
  healthOf: HealthByVersion,
): BotVersion {
  const rank = place?.version.id === version.id ? place.rank : null;
  return { ...toVersion(version, board), rank, health: healthOf.get(version.id) ?? null };
}

/** A version with its figures from a ladder's board. */
export function toVersion(
  { id, label, notes, created, retired }: VersionRecord,
  board: Board,
): Version {
  return { label, notes, created, retired, ...versionFigures(board.get(id)) };
}
