import { sql } from "kysely";
import type { RawBuilder } from "kysely";

import type { BotId, MatchId } from "#core/ids/ids.ts";
// A bot's record, for its page: results by map and by opponent, and damage in lost games. Each read
// visits a limited number of matches.
import { hasSeasons } from "#core/ladder/ladder.ts";
import { addMatchDamage, zeroDamage } from "#core/ladder/loss-damage.ts";
import type { Competition } from "#core/ladder/season.ts";
import type {
  LossQuery,
  LostGames,
  ResultsOnMap,
  RecentOpponent,
  RecentOpponentQuery,
  BotRecordQuery,
} from "#data/store/stats.ts";

import type { Backend } from "./database-backend.ts";
import { competitionEnds, seasonColumn } from "./season.ts";
import type { Database } from "./tables.ts";

type Condition = RawBuilder<unknown>;

export async function mapRecord(
  database: Database,
  query: BotRecordQuery,
): Promise<ResultsOnMap[]> {
  const { ladderId, botId, season } = query;
  const isAllTime = season === undefined && hasSeasons(ladderId);
  const botCondition = sql`ladder_id = ${ladderId} and bot_id = ${botId}`;
  const resultsQuery = isAllTime
    ? sql`select map, wins, draws, losses from ever_maps where ${botCondition}`
    : sql`select map, wins, draws, losses from bot_maps
      where ${botCondition} and season = ${seasonColumn(season ?? null)}`;
  const { rows } = await sql<ResultsOnMap>`
    select map, cast(sum(wins) as integer) as wins, cast(sum(draws) as integer) as draws,
      cast(sum(losses) as integer) as losses
    from (${resultsQuery}) as played
    group by map
    order by sum(wins + draws + losses) desc, map`.execute(database);
  return rows.map((row) => ({ ...row }));
}

export async function recentOpponents(
  database: Database,
  { ladderId, botId, season, matches, opponents }: RecentOpponentQuery,
): Promise<RecentOpponent[]> {
  const seasonCondition =
    season === undefined ? sql`` : await competitionCondition(database, { ladderId, season });
  if (seasonCondition === null) return [];
  const { rows } = await sql<RecentOpponent>`
    select o.bot_id as "opponentId", max(n.ended) as "lastPlayed",
      cast(sum(case when m.winner_seat = n.seat then 1 else 0 end) as integer) as wins,
      cast(sum(case when m.winner_seat is null then 1 else 0 end) as integer) as draws,
      cast(sum(case when m.winner_seat = o.seat then 1 else 0 end) as integer) as losses
    from (
        select match_id, seat, ended from seats
        where bot_id = ${botId} and ladder_id = ${ladderId} and mode = 'ranked' ${seasonCondition}
        order by ended desc, match_id desc
        limit ${matches}
      ) as n
      join matches as m on m.id = n.match_id and m.rated = 1 and m.voided = 0
      join seats as o on o.match_id = n.match_id and o.seat = 1 - n.seat
    group by o.bot_id
    order by max(n.ended) desc, o.bot_id
    limit ${opponents}`.execute(database);
  return rows.map((row) => ({ ...row }));
}

/**
 * Returns the condition for seats in a competition, or null if the competition has no match. Limits
 * the end times, so that the index by bot applies.
 */
async function competitionCondition(
  database: Database,
  competition: Competition,
): Promise<Condition | null> {
  const ends = await competitionEnds(database, competition);
  return (
    ends &&
    sql`and season = ${seasonColumn(competition.season)} and ended >= ${ends.first} and ended <= ${ends.last}`
  );
}

type RatedGame = {
  id: MatchId;
  ended: string;
  map: string;
  seat: number;
  opponentId: BotId;
  /** 1 if the opponent won. */
  lost: number;
};

/** Unpacks only the documents of lost games. */
export async function lostGames(backend: Backend, query: LossQuery): Promise<LostGames> {
  const ratedGameList = await ratedGames(backend.database, query);
  const firstExcessLoss = ratedGameList.filter(({ lost }) => lost === 1)[query.losses];
  const games =
    firstExcessLoss === undefined
      ? ratedGameList
      : ratedGameList.slice(0, ratedGameList.indexOf(firstExcessLoss));
  const lost = games.filter((game) => game.lost === 1);
  const documents = await readDocuments(backend, lost);
  const damage = zeroDamage();
  const countedGames = new Set(
    lost.filter(({ id, seat }) => addMatchDamage(damage, documents.get(id) ?? "{}", seat)),
  );
  const lastGame = games.at(-1);
  const isComplete = firstExcessLoss === undefined && ratedGameList.length < query.games;
  return {
    games: games.length,
    lost: countedGames.size,
    damage,
    opponents: [...Map.groupBy(countedGames, ({ opponentId }) => opponentId)].map(
      ([botId, opponentGames]) => {
        return { botId, games: opponentGames.length };
      },
    ),
    maps: [...Map.groupBy(games, ({ map }) => map)].map(([map, opponentGames]) => {
      return {
        map,
        games: opponentGames.length,
        lost: opponentGames.filter((game) => countedGames.has(game)).length,
      };
    }),
    nextCursor:
      isComplete || lastGame === undefined ? null : { ended: lastGame.ended, id: lastGame.id },
  };
}

async function ratedGames(database: Database, query: LossQuery): Promise<RatedGame[]> {
  const { ladderId, botId, versionId, before, games } = query;
  const seasonCondition = await competitionCondition(database, query);
  if (seasonCondition === null) return [];
  const beforeCondition =
    before === null ? sql`` : sql`and (ended, match_id) < (${before.ended}, ${before.id})`;
  const { rows } = await sql<RatedGame>`
    select m.id, m.ended, m.map, n.seat, o.bot_id as "opponentId",
      case when m.winner_seat = o.seat then 1 else 0 end as lost
    from (
        select match_id, seat, ended from seats
        where bot_id = ${botId} and ladder_id = ${ladderId} and mode = 'ranked'
          and version_id = ${versionId} and rating_after is not null
          ${seasonCondition} ${beforeCondition}
        order by ended desc, match_id desc
        limit ${games}
      ) as n
      join matches as m on m.id = n.match_id
      join seats as o on o.match_id = n.match_id and o.seat = 1 - n.seat
    order by n.ended desc, n.match_id desc`.execute(database);
  return rows;
}

/** Returns documents by match ID. Omits missing and damaged documents. */
async function readDocuments(
  backend: Backend,
  games: readonly RatedGame[],
): Promise<ReadonlyMap<MatchId, string>> {
  const texts = new Map<MatchId, string>();
  if (games.length === 0) return texts;
  const rows = await backend.database
    .selectFrom("match_documents")
    .select(["match_id", "stats"])
    .where(
      "match_id",
      "in",
      games.map(({ id }) => id),
    )
    .execute();
  for (const { match_id, stats } of rows) {
    try {
      if (stats !== null) texts.set(match_id, await backend.unpack(stats));
    } catch {
      // One damaged document must not fail the whole read.
    }
  }
  return texts;
}
