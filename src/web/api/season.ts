import type { FastifyReply } from "fastify";
import { Type } from "typebox";

import type { ErrorBody } from "#core/api/common-schemas.ts";
import type { LeaderboardRow } from "#core/api/ladder.ts";
import { SeasonSchema } from "#core/api/season.ts";
import type { Season } from "#core/api/season.ts";
import type { AvatarName } from "#core/ids/avatars.ts";
import { displayName } from "#core/ids/house-bots.ts";
import type { BotId, LadderId } from "#core/ids/ids.ts";
import { DEFAULT_LADDER, hasSeasons } from "#core/ladder/ladder.ts";
import { isSeasonId, compareSeasonIds, seasonName, seasonState } from "#core/ladder/season.ts";
import type { SeasonState } from "#core/ladder/season.ts";
import { toRatingStats } from "#core/ladder/version-record.ts";
import type { SeasonPlace, SeasonRecord } from "#data/store/season.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { refuseNotFound, refuseWithStatus } from "#web/http/errors.ts";
import { responseCache } from "#web/http/response-cache.ts";
import { okResponses } from "#web/http/route-params.ts";

import { boardRows, finalRow } from "./standings-entries.ts";
import type { Standings } from "./standings-entries.ts";

type SeasonDeps = Pick<ApiDeps, "store" | "arena">;
type StandingDeps = SeasonDeps & { standings: Standings };

export type KnownSeason = SeasonRecord & { state: SeasonState };

const CURRENT = "current";

export function seasonRoutes(app: App, deps: ApiDeps): void {
  const cached = responseCache(deps, "season list", null);
  const schema = {
    response: okResponses(Type.Unsafe<Season[] | Buffer>(Type.Array(SeasonSchema))),
  };
  const summary = "All seasons of the public ladder, newest first";
  const config = { endpoint: "seasons", summary, public: true };
  app.get("/api/seasons", { schema, config }, async (_request, reply) =>
    cached(reply, "", async () => withChampions(deps, await seasons(deps))),
  );
}

/**
 * Returns seasons newest first, preseason last. Excludes seasons newer than the live season,
 * because a new month is stored before it goes live.
 */
async function seasons({ store, arena }: SeasonDeps): Promise<KnownSeason[]> {
  for (;;) {
    const { live } = arena.seasons();
    const records = await store.seasons.list();
    if (arena.seasons().live !== live) continue;
    return records
      .filter(({ id }) => compareSeasonIds(id, live) >= 0)
      .map((record) => ({ ...record, state: seasonState(record, live) }));
  }
}

/** Returns the season with this id, or the live season for `current`. Null if unknown. */
export async function findSeason(deps: SeasonDeps, id: string): Promise<KnownSeason | null> {
  const seasonId = id === CURRENT ? deps.arena.seasons().live : id;
  if (!isSeasonId(seasonId)) return null;
  return (await seasons(deps)).find((season) => season.id === seasonId) ?? null;
}

/**
 * Returns the season named in a request about a ladder. Returns undefined if the request names
 * none, or an error.
 */
export async function resolveSeason(
  deps: SeasonDeps,
  reply: FastifyReply,
  ladderId: LadderId,
  id: string | undefined,
): Promise<KnownSeason | ErrorBody | undefined> {
  if (id === undefined) return undefined;
  if (!hasSeasons(ladderId))
    return refuseWithStatus(reply, 400, `The ladder ${ladderId} has no seasons.`);
  return (await findSeason(deps, id)) ?? refuseNotFound(reply, "season");
}

export async function withChampions(
  { store }: Pick<ApiDeps, "store">,
  seasonsToShow: readonly KnownSeason[],
): Promise<Season[]> {
  const champions = new Map(
    (await store.seasons.champions()).map((champion) => [champion.season, champion]),
  );
  const bots = await store.bots.byIds([...champions.values()].map(({ botId }) => botId));
  const avatars = new Map(bots.map(({ id, avatar }) => [id, avatar]));
  return seasonsToShow.map((season) => {
    const champion = champions.get(season.id);
    const avatar = avatars.get(champion?.botId ?? "") ?? null;
    return toSeason(season, champion === undefined ? null : toChampion(champion, avatar));
  });
}

function toChampion(
  place: SeasonPlace,
  avatar: AvatarName | null,
): NonNullable<Season["champion"]> {
  const { name, label: version } = place;
  const { leaderboard_score } = toRatingStats(place);
  return { name, display_name: displayName(name), version, leaderboard_score, avatar };
}

function toSeason(
  { id, opensAt, closesAt, archivedAt, state }: KnownSeason,
  champion: Season["champion"],
): Season {
  return {
    id,
    name: seasonName(id),
    opens_at: opensAt,
    closes_at: closesAt,
    archived_at: archivedAt,
    state,
    champion,
  };
}

export type SeasonRow = { botId: BotId; row: LeaderboardRow };

/** Reads live and closing standings from the board, and archived standings from the store. */
export async function seasonRows(
  { store, arena, standings }: StandingDeps,
  season: string,
): Promise<SeasonRow[]> {
  const { live, closing } = arena.seasons();
  const isChanging = season === live || closing.includes(season);
  if (isChanging) return boardRows(await standings(DEFAULT_LADDER, season), arena.onlineIds());
  return (await store.seasons.standings(season)).map(finalRow);
}
