// Reads the rated games from which event progress is computed. Each read uses the index of seats by
// bot.

import { sql } from "kysely";
import type { RawBuilder } from "kysely";

import { assertDefined } from "#base/util/assert-defined.ts";
import { accountIdOfOwner } from "#core/accounts/name-rules.ts";
import type { PriorGames, EventGame } from "#core/events/account-progress.ts";
import { HOUSE_BOTS } from "#core/ids/house-bots.ts";
import type { HouseKind } from "#core/ids/house-bots.ts";
import type { AccountId, BotId } from "#core/ids/ids.ts";
import { hasSeasons } from "#core/ladder/ladder.ts";
import type { Database } from "#data/queries/tables.ts";
import { hasCleanTurns } from "#data/queries/turn-stats.ts";
import type { EventGamesQuery, EventPlayer, GameWindow } from "#data/store/event-progress.ts";
import type { Repositories } from "#data/store/store.ts";

export const progressQueries = (database: Database): Repositories["progress"] => ({
  games: (query) => listGames(database, query),
  countByVersion: (botId, span) => countGames(database, botId, span),
  players: (span, after, limit) => listPlayers(database, span, after, limit),
  participants: (span) => countParticipants(database, span),
});

type GameRow = Pick<EventGame, "matchId" | "started" | "ended" | "map" | "ticks"> & {
  accountId: AccountId | null;
  versionId: string;
  season: string;
  seat: number;
  winnerSeat: number | null;
  exactScore: number | null;
  house: string | null;
  figures: string | null;
};

async function listGames(database: Database, query: EventGamesQuery): Promise<EventGame[]> {
  const { botId, ladderId, from: start, before: endsBefore, withTurns, limit } = query;
  const afterCondition =
    start.matchId === null
      ? sql`ended >= ${start.ended}`
      : sql`(ended, match_id) > (${start.ended}, ${start.matchId})`;
  const turnsJoin = withTurns
    ? sql`left join version_turns as t on t.version_id = n.version_id and t.ended = n.ended
        and t.match_id = n.match_id`
    : sql``;
  const { rows } = await sql<GameRow>`
    select n.match_id as "matchId", m.started, n.ended, m.map, m.final_tick as ticks, n.season,
      n.account_id as "accountId", n.version_id as "versionId", n.seat,
      m.winner_seat as "winnerSeat", n.score_after as "exactScore",
      case b.house when 1 then b.name end as house,
      ${withTurns ? sql`t.figures` : sql`null`} as figures
    from (
      select match_id, seat, ended, season, account_id, version_id, score_after from seats
      where bot_id = ${botId} and ladder_id = ${ladderId} and ${IS_RATED} and ${afterCondition}
        and ended < ${endsBefore}
      order by ended, match_id limit ${limit}
    ) as n
      join matches as m on m.id = n.match_id
      join seats as o on o.match_id = n.match_id and o.seat = 1 - n.seat
      join bots as b on b.id = o.bot_id
      ${turnsJoin}
    order by n.ended, n.match_id`.execute(database);
  return rows.map(toEventGame);
}

const IS_RATED = sql`mode = 'ranked' and rating_after is not null`;

function toEventGame({ seat, winnerSeat, house, figures, season, ...row }: GameRow): EventGame {
  return {
    ...row,
    season: season === "" ? null : season,
    result: winnerSeat === null ? "D" : winnerSeat === seat ? "W" : "L",
    opponent: houseKindOf(house),
    isClean: figures === null ? null : hasCleanTurns(figures),
  };
}

const houseKindOf = (house: string | null): HouseKind | null =>
  HOUSE_BOTS.find(({ name }) => name === house)?.short ?? null;

async function countGames(
  database: Database,
  botId: BotId,
  { ladderId, opensAt, closesAt }: GameWindow,
): Promise<PriorGames[]> {
  const { rows } = await sql<PriorGames & { season: string }>`
    select version_id as "versionId", season, cast(count(*) as integer) as games from seats
    where bot_id = ${botId} and ladder_id = ${ladderId} and ${IS_RATED}
      and ended >= ${opensAt} and ended < ${closesAt}
    group by version_id, season order by version_id, season`.execute(database);
  return rows.map((row) => ({ ...row, season: row.season === "" ? null : row.season }));
}

async function listPlayers(
  database: Database,
  span: GameWindow,
  after: BotId | null,
  limit: number,
): Promise<EventPlayer[]> {
  const { rows } = await sql<{ botId: BotId; ownerId: string }>`
    select b.id as "botId", b.owner_id as "ownerId" from bots as b
    where b.house = 0 and b.id > ${after ?? ""} and b.owner_id in (select id from accounts)
      and (select s.match_id from seats as s where ${ratedSeatCondition(span)} limit 1) is not null
    order by b.id limit ${limit}`.execute(database);
  return rows.flatMap(({ botId, ownerId }) => {
    const accountId = accountIdOfOwner(ownerId);
    return accountId === null ? [] : [{ botId, accountId }];
  });
}

const ratedSeatCondition = ({
  ladderId,
  opensAt,
  closesAt,
}: GameWindow): RawBuilder<unknown> => sql`
  s.bot_id = b.id and s.ladder_id = ${ladderId} and s.mode = 'ranked'
    and s.rating_after is not null and s.ended >= ${opensAt} and s.ended < ${closesAt}`;

/**
 * Joining by bot is safe, because a bot never has more than one existing account. See claims and
 * account deletion.
 */
async function countParticipants(database: Database, span: GameWindow): Promise<number> {
  const memberCondition = hasSeasons(span.ladderId)
    ? sql`exists (select 1 from accounts as a where a.id = s.account_id)`
    : sql`exists (select 1 from ladder_members as l where l.account_id = s.account_id
        and l.ladder_id = ${span.ladderId} and l.state = 'active' and l.since <= m.started
        and (l.until is null or l.until >= s.ended))`;
  const { rows } = await sql<{ accounts: number }>`
    select cast(count(distinct account_id) as integer) as accounts from (
      select (
        select s.account_id from seats as s join matches as m on m.id = s.match_id
        where ${ratedSeatCondition(span)} and m.started >= ${span.opensAt}
          and s.account_id is not null
          and ${memberCondition}
        limit 1
      ) as account_id
      from bots as b where b.house = 0
    ) as played`.execute(database);
  return assertDefined(rows[0], "row").accounts;
}
