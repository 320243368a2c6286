// A bot's rated games as points of a curve, sampled by the database itself.
import { sql } from "kysely";

import type { RatingPoint, RatingQuery } from "./store.ts";
import type { Database } from "./tables.ts";

type Row = Omit<RatingPoint, "result"> & { won: number; drawn: number };

/**
 * Oldest first. Where there are more games than `points`, those stay that are the first or last of
 * their version, and as many evenly spaced ones as there is room for besides.
 */
export async function ratingHistory(
  database: Database,
  query: RatingQuery,
): Promise<{ games: number; points: RatingPoint[] }> {
  const { games, versions } = await countOf(database, query);
  if (games === 0) return { games, points: [] };
  const room = games <= query.points ? games : Math.max(1, query.points - 2 * versions);
  const { rows } = await sql<Row>`
    with numbered as (
      select match_id, version_id, rating_before, rating_after, ended,
        row_number() over (order by ended, match_id) as place,
        row_number() over (partition by version_id order by ended, match_id) as own_place,
        row_number() over (partition by version_id order by ended desc, match_id desc) as from_last
      from seats where ${condition(query)}
    )
    select n.match_id as "matchId", n.ended, m.map, v.label as version,
      n.rating_before as "ratingBefore", n.rating_after as "ratingAfter",
      case when m.winner_bot_id = ${query.botId} then 1 else 0 end as won,
      case when m.winner_bot_id is null then 1 else 0 end as drawn,
      b.name as opponent, w.label as "opponentVersion"
    from numbered as n
      join matches as m on m.id = n.match_id
      join versions as v on v.id = n.version_id
      join seats as o on o.match_id = n.match_id and o.bot_id <> ${query.botId}
      join bots as b on b.id = o.bot_id
      join versions as w on w.id = o.version_id
    where n.own_place = 1 or n.from_last = 1
      or (n.place * ${whole(room)}) / ${whole(games)}
        > ((n.place - 1) * ${whole(room)}) / ${whole(games)}
    order by n.ended, n.match_id`.execute(database);
  return { games, points: rows.map(toPoint) };
}

/** SQLite takes a bound number for a fraction, and then divides without rounding down. */
const whole = (value: number) => sql`cast(${value} as integer)`;

async function countOf(
  database: Database,
  query: RatingQuery,
): Promise<{ games: number; versions: number }> {
  const { rows } = await sql<{ games: number; versions: number }>`
    select count(*) as games, count(distinct version_id) as versions
    from seats where ${condition(query)}`.execute(database);
  return rows[0] ?? { games: 0, versions: 0 };
}

function condition({ botId, ladderId, season, since }: RatingQuery) {
  const ofBot = sql`bot_id = ${botId} and ladder_id = ${ladderId} and rating_after is not null`;
  const ofSeason = season === undefined ? ofBot : sql`${ofBot} and season = ${season}`;
  return since === undefined ? ofSeason : sql`${ofSeason} and ended >= ${since}`;
}

function toPoint({ won, drawn, ...row }: Row): RatingPoint {
  return { ...row, result: won === 1 ? "W" : drawn === 1 ? "D" : "L" };
}
