import { sql } from "kysely";
import type { RawBuilder } from "kysely";

// A bot's record as its page shows it: by map, by opponent, and what its lost games have in common.
// Each read visits a bounded number of matches, however many there are.
import { hasSeasons } from "#core/ladder/ladder.ts";
import { addDamage, noDamage } from "#core/ladder/lost-games.ts";
import type { Competition } from "#core/ladder/season.ts";
import type { BotId, MatchId } from "#core/words/ids.ts";
import type {
  LossQuery,
  LostGames,
  ResultsOnMap,
  RecentOpponent,
  RecentQuery,
  RecordQuery,
} from "#data/store/figures.ts";

import type { Backend } from "./backend.ts";
import { endsOf, seasonColumn } from "./season.ts";
import type { Database } from "./tables.ts";

type Condition = RawBuilder<unknown>;

/** The most played map first. */
export async function mapRecord(database: Database, query: RecordQuery): Promise<ResultsOnMap[]> {
  const { ladderId, botId, season } = query;
  const isEver = season === undefined && hasSeasons(ladderId);
  const own = sql`ladder_id = ${ladderId} and bot_id = ${botId}`;
  const results = isEver
    ? sql`select map, wins, draws, losses from ever_maps where ${own}`
    : sql`select map, wins, draws, losses from bot_maps
      where ${own} and season = ${seasonColumn(season ?? null)}`;
  const { rows } = await sql<ResultsOnMap>`
    select map, cast(sum(wins) as integer) as wins, cast(sum(draws) as integer) as draws,
      cast(sum(losses) as integer) as losses
    from (${results}) as played
    group by map
    order by sum(wins + draws + losses) desc, map`.execute(database);
  return rows.map((row) => ({ ...row }));
}

/** The opponent met last first. */
export async function recentOpponents(
  database: Database,
  { ladderId, botId, season, matches, opponents }: RecentQuery,
): Promise<RecentOpponent[]> {
  const span = season === undefined ? sql`` : await spanOf(database, { ladderId, season });
  if (span === null) return [];
  const { rows } = await sql<RecentOpponent>`
    select o.bot_id as "opponentId", max(n.ended) as "lastPlayed",
      cast(sum(case when m.winner_seat = n.seat then 1 else 0 end) as integer) as wins,
      cast(sum(case when m.winner_seat is null then 1 else 0 end) as integer) as draws,
      cast(sum(case when m.winner_seat = o.seat then 1 else 0 end) as integer) as losses
    from (
        select match_id, seat, ended from seats
        where bot_id = ${botId} and ladder_id = ${ladderId} and mode = 'ranked' ${span}
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
 * Condition for the seats of a competition; null if it has no match. Its matches lie between two
 * ends, so that the index by bot finds them.
 */
async function spanOf(database: Database, of: Competition): Promise<Condition | null> {
  const ends = await endsOf(database, of);
  return (
    ends &&
    sql`and season = ${seasonColumn(of.season)} and ended >= ${ends.first} and ended <= ${ends.last}`
  );
}

type Game = {
  id: MatchId;
  ended: string;
  map: string;
  seat: number;
  opponentId: BotId;
  /** 1 if the opponent won. */
  lost: number;
};

/** Newest first. Only the documents of lost games are unpacked. */
export async function lostGames(backend: Backend, query: LossQuery): Promise<LostGames> {
  const all = await ratedGames(backend.database, query);
  const beyond = all.filter(({ lost }) => lost === 1)[query.losses];
  const games = beyond === undefined ? all : all.slice(0, all.indexOf(beyond));
  const lost = games.filter((game) => game.lost === 1);
  const documents = await documentsOf(backend, lost);
  const damage = noDamage();
  const counted = new Set(
    lost.filter(({ id, seat }) => addDamage(damage, documents.get(id) ?? "{}", seat)),
  );
  const last = games.at(-1);
  const isWhole = beyond === undefined && all.length < query.games;
  return {
    games: games.length,
    lost: counted.size,
    damage,
    opponents: [...Map.groupBy(counted, ({ opponentId }) => opponentId)].map(([botId, own]) => {
      return { botId, games: own.length };
    }),
    maps: [...Map.groupBy(games, ({ map }) => map)].map(([map, own]) => {
      return { map, games: own.length, lost: own.filter((game) => counted.has(game)).length };
    }),
    last: isWhole || last === undefined ? null : { ended: last.ended, id: last.id },
  };
}

async function ratedGames(database: Database, query: LossQuery): Promise<Game[]> {
  const { ladderId, botId, versionId, before, games } = query;
  const span = await spanOf(database, query);
  if (span === null) return [];
  const older =
    before === null ? sql`` : sql`and (ended, match_id) < (${before.ended}, ${before.id})`;
  const { rows } = await sql<Game>`
    select m.id, m.ended, m.map, n.seat, o.bot_id as "opponentId",
      case when m.winner_seat = o.seat then 1 else 0 end as lost
    from (
        select match_id, seat, ended from seats
        where bot_id = ${botId} and ladder_id = ${ladderId} and mode = 'ranked'
          and version_id = ${versionId} and rating_after is not null ${span} ${older}
        order by ended desc, match_id desc
        limit ${games}
      ) as n
      join matches as m on m.id = n.match_id
      join seats as o on o.match_id = n.match_id and o.seat = 1 - n.seat
    order by n.ended desc, n.match_id desc`.execute(database);
  return rows;
}

/** By match; one that is missing or damaged is left out. */
async function documentsOf(
  backend: Backend,
  games: readonly Game[],
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
      // One damaged document must not hide the others.
    }
  }
  return texts;
}
