import { sql } from "kysely";
import type { RawBuilder } from "kysely";

// Rated games of bots, as the progress in an event is computed from them. Each read goes through the
// index of a bot's seats.
import { sure } from "#base/units/sure.ts";
import { accountOf } from "#core/accounts/name.ts";
import type { FormerGames, EventGame } from "#core/events/account-progress.ts";
import { hasSeasons } from "#core/ladder/ladder.ts";
import { HOUSE_BOTS } from "#core/words/house.ts";
import type { HouseKind } from "#core/words/house.ts";
import type { AccountId, BotId } from "#core/words/ids.ts";
import type { Database } from "#data/queries/tables.ts";
import { hasCleanTurns } from "#data/queries/turn-figures.ts";
import type { GamesQuery, EventPlayer, GameSpan } from "#data/store/progress.ts";
import type { Nouns } from "#data/store/store.ts";

export const progressQueries = (database: Database): Nouns["progress"] => ({
  games: (query) => games(database, query),
  former: (botId, span) => former(database, botId, span),
  players: (span, after, most) => players(database, span, after, most),
  participants: (span) => participants(database, span),
});

type Row = Pick<EventGame, "matchId" | "started" | "ended" | "map" | "ticks"> & {
  accountId: AccountId | null;
  versionId: string;
  season: string;
  seat: number;
  winnerSeat: number | null;
  exactScore: number | null;
  /** Name of a house bot that was met. */
  house: string | null;
  figures: string | null;
};

async function games(database: Database, query: GamesQuery): Promise<EventGame[]> {
  const { botId, ladderId, from, before, withTurns, most } = query;
  const after =
    from.matchId === null
      ? sql`ended >= ${from.ended}`
      : sql`(ended, match_id) > (${from.ended}, ${from.matchId})`;
  const turns = withTurns
    ? sql`left join version_turns as t on t.version_id = n.version_id and t.ended = n.ended
        and t.match_id = n.match_id`
    : sql``;
  const { rows } = await sql<Row>`
    select n.match_id as "matchId", m.started, n.ended, m.map, m.final_tick as ticks, n.season,
      n.account_id as "accountId", n.version_id as "versionId", n.seat,
      m.winner_seat as "winnerSeat", n.score_after as "exactScore",
      case b.house when 1 then b.name end as house,
      ${withTurns ? sql`t.figures` : sql`null`} as figures
    from (
      select match_id, seat, ended, season, account_id, version_id, score_after from seats
      where bot_id = ${botId} and ladder_id = ${ladderId} and ${RATED} and ${after}
        and ended < ${before}
      order by ended, match_id limit ${most}
    ) as n
      join matches as m on m.id = n.match_id
      join seats as o on o.match_id = n.match_id and o.seat = 1 - n.seat
      join bots as b on b.id = o.bot_id
      ${turns}
    order by n.ended, n.match_id`.execute(database);
  return rows.map(toGame);
}

const RATED = sql`mode = 'ranked' and rating_after is not null`;

function toGame({ seat, winnerSeat, house, figures, season, ...row }: Row): EventGame {
  return {
    ...row,
    season: season === "" ? null : season,
    result: winnerSeat === null ? "D" : winnerSeat === seat ? "W" : "L",
    opponent: kindOf(house),
    isClean: figures === null ? null : hasCleanTurns(figures),
  };
}

const kindOf = (house: string | null): HouseKind | null =>
  HOUSE_BOTS.find(({ name }) => name === house)?.short ?? null;

async function former(
  database: Database,
  botId: BotId,
  { ladderId, opensAt, closesAt }: GameSpan,
): Promise<FormerGames[]> {
  const { rows } = await sql<FormerGames & { season: string }>`
    select version_id as "versionId", season, cast(count(*) as integer) as games from seats
    where bot_id = ${botId} and ladder_id = ${ladderId} and ${RATED}
      and ended >= ${opensAt} and ended < ${closesAt}
    group by version_id, season order by version_id, season`.execute(database);
  return rows.map((row) => ({ ...row, season: row.season === "" ? null : row.season }));
}

async function players(
  database: Database,
  span: GameSpan,
  after: BotId | null,
  most: number,
): Promise<EventPlayer[]> {
  const { rows } = await sql<{ botId: BotId; ownerId: string }>`
    select b.id as "botId", b.owner_id as "ownerId" from bots as b
    where b.house = 0 and b.id > ${after ?? ""} and b.owner_id in (select id from accounts)
      and (select s.match_id from seats as s where ${isRatedIn(span)} limit 1) is not null
    order by b.id limit ${most}`.execute(database);
  return rows.flatMap(({ botId, ownerId }) => {
    const accountId = accountOf(ownerId);
    return accountId === null ? [] : [{ botId, accountId }];
  });
}

/** A seat `s` of the bot `b`, in a rated match that ended in a span. */
const isRatedIn = ({ ladderId, opensAt, closesAt }: GameSpan): RawBuilder<unknown> => sql`
  s.bot_id = b.id and s.ladder_id = ${ladderId} and s.mode = 'ranked'
    and s.rating_after is not null and s.ended >= ${opensAt} and s.ended < ${closesAt}`;

/** A bot has one account at most that is still there: see claims, and people who leave. */
async function participants(database: Database, span: GameSpan): Promise<number> {
  const isMember = hasSeasons(span.ladderId)
    ? sql`exists (select 1 from accounts as a where a.id = s.account_id)`
    : sql`exists (select 1 from ladder_members as l where l.account_id = s.account_id
        and l.ladder_id = ${span.ladderId} and l.state = 'active' and l.since <= m.started
        and (l.until is null or l.until >= s.ended))`;
  const { rows } = await sql<{ accounts: number }>`
    select cast(count(distinct account_id) as integer) as accounts from (
      select (
        select s.account_id from seats as s join matches as m on m.id = s.match_id
        where ${isRatedIn(span)} and m.started >= ${span.opensAt} and s.account_id is not null
          and ${isMember}
        limit 1
      ) as account_id
      from bots as b where b.house = 0
    ) as played`.execute(database);
  return sure(rows[0], "row").accounts;
}
