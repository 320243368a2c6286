import type { FastifyReply } from "fastify";
import { Type } from "typebox";

import { DEFAULT_LADDER, hasSeasons } from "#core/ladder/ladder.ts";
import { isSeasonId, newestFirst, seasonName, seasonState } from "#core/ladder/season.ts";
import type { SeasonState } from "#core/ladder/season.ts";
import { ratingFigures } from "#core/ladder/version-record.ts";
import type { ErrorBody } from "#core/resources/common.ts";
import type { LeaderboardRow } from "#core/resources/ladder.ts";
import { SeasonSchema } from "#core/resources/season.ts";
import type { Season } from "#core/resources/season.ts";
import type { AvatarName } from "#core/words/avatars.ts";
import { displayName } from "#core/words/house.ts";
import type { BotId, LadderId } from "#core/words/ids.ts";
import type { SeasonPlace, SeasonRecord } from "#data/store/season.ts";
import { keepAnswers } from "#web/http/cached-answer.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { missing, refuseWith } from "#web/http/errors.ts";
import { answers } from "#web/http/query.ts";

import { boardRows, finalRow } from "./leaderboard-rows.ts";
import type { Standings } from "./leaderboard-rows.ts";

type SeasonDeps = Pick<ApiDeps, "store" | "arena">;
type StandingDeps = SeasonDeps & { standings: Standings };

export type KnownSeason = SeasonRecord & { state: SeasonState };

/** The name by which requests may call the live season. */
const CURRENT = "current";

export function seasonRoutes(app: App, deps: ApiDeps): void {
  const kept = keepAnswers(deps, "season list", null);
  const schema = {
    response: answers(Type.Unsafe<Season[] | Buffer>(Type.Array(SeasonSchema))),
  };
  const about = "All seasons of public, newest first";
  const config = { endpoint: "seasons", about, public: true };
  app.get("/api/seasons", { schema, config }, async (_request, reply) =>
    kept(reply, "", async () => withChampions(deps, await seasons(deps))),
  );
}

/**
 * Newest first, preseason last. A new month is stored before it goes live, so a season newer than
 * the live one is not open yet.
 */
async function seasons({ store, arena }: SeasonDeps): Promise<KnownSeason[]> {
  for (;;) {
    const { live } = arena.seasons();
    const records = await store.seasons.list();
    if (arena.seasons().live !== live) continue;
    return records
      .filter(({ id }) => newestFirst(id, live) >= 0)
      .map((record) => ({ ...record, state: seasonState(record, live) }));
  }
}

/** The season with an id, or `current`; null when there is none. */
export async function findSeason(deps: SeasonDeps, id: string): Promise<KnownSeason | null> {
  const sought = id === CURRENT ? deps.arena.seasons().live : id;
  if (!isSeasonId(sought)) return null;
  return (await seasons(deps)).find((season) => season.id === sought) ?? null;
}

/** The season that a request about a ladder names, undefined if it names none; or an error. */
export async function seasonOf(
  deps: SeasonDeps,
  reply: FastifyReply,
  ladderId: LadderId,
  id: string | undefined,
): Promise<KnownSeason | ErrorBody | undefined> {
  if (id === undefined) return undefined;
  if (!hasSeasons(ladderId))
    return refuseWith(reply, 400, `The ladder ${ladderId} has no seasons.`);
  return (await findSeason(deps, id)) ?? missing(reply, "season");
}

/** Each season as the API shows it, with its champion. */
export async function withChampions(
  { store }: Pick<ApiDeps, "store">,
  shown: readonly KnownSeason[],
): Promise<Season[]> {
  const champions = new Map((await store.seasons.champions()).map((one) => [one.season, one]));
  const bots = await store.bots.byIds([...champions.values()].map(({ botId }) => botId));
  const avatars = new Map(bots.map(({ id, avatar }) => [id, avatar]));
  return shown.map((season) => {
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
  const { leaderboard_score } = ratingFigures(place);
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

/** A place in a season's standings, with the bot that holds it. */
export type SeasonRow = { botId: BotId; row: LeaderboardRow };

/** Standings that still change come from the board, archived ones from the store. */
export async function seasonRows(
  { store, arena, standings }: StandingDeps,
  season: string,
): Promise<SeasonRow[]> {
  const { live, closing } = arena.seasons();
  const isMoving = season === live || closing.includes(season);
  if (isMoving) return boardRows(await standings(DEFAULT_LADDER, season), arena.onlineIds());
  return (await store.seasons.standings(season)).map(finalRow);
}
