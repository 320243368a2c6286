import { sql } from "kysely";
import type { RawBuilder, Selectable } from "kysely";

import { sure } from "#base/units/sure.ts";
// Sums of whole days: see `analytics` in data/store/figures.ts. Counted as things arrive.
import { dayOf } from "#base/units/time.ts";
import type { BotId } from "#core/words/ids.ts";
import { insertion } from "#data/queries/statement.ts";
import type {
  Database,
  DailyBotTable,
  DailyMapTable,
  DailyTable,
  OpenTransaction,
} from "#data/queries/tables.ts";
import type { MatchRecord } from "#data/store/match.ts";

const MADE = ["users", "bots", "versions"] as const;
const PLAYED = ["ranked", "other", "voided"] as const;

/** Counts an account, a bot or a version on the day it was made. */
export async function countMade(
  open: OpenTransaction,
  what: (typeof MADE)[number],
  created: string,
): Promise<void> {
  const none = { users: 0, bots: 0, versions: 0, ranked: 0, other: 0, voided: 0 };
  await addDays(open, [{ day: dayOf(created), ...none, [what]: 1 }]);
}

/** Counts a version, if it is not the house's. */
export async function countVersion(
  open: OpenTransaction,
  { botId, created }: { botId: BotId; created: string },
): Promise<void> {
  const bot = open.selectFrom("bots").select("house").where("id", "=", botId);
  if ((await bot.executeTakeFirst())?.house === 0) await countMade(open, "versions", created);
}

/** Counts a match of any mode on the day of its end, for its map, and for each of its bots. */
export async function countDay(open: OpenTransaction, match: MatchRecord): Promise<void> {
  const day = dayOf(match.ended);
  const isRanked = match.mode === "ranked";
  const played = {
    ranked: Number(isRanked && !match.voided),
    other: Number(!isRanked && !match.voided),
    voided: Number(match.voided),
  };
  await addDays(open, [{ day, users: 0, bots: 0, versions: 0, ...played }]);
  if (!match.voided) await addMaps(open, [{ day, map: match.map, games: 1 }]);
  const bots = new Set(match.seats.flatMap(({ botId }) => botId ?? []));
  const rows = [...bots].map((bot_id) => ({ day, bot_id, ...played }));
  if (rows.length > 0) await addBots(open, rows);
}

const addDays = insertion((open, rows: readonly Selectable<DailyTable>[]) =>
  open
    .insertInto("daily_figures")
    .values(rows)
    .onConflict((conflict) =>
      conflict.column("day").doUpdateSet(added("daily_figures", [...MADE, ...PLAYED])),
    ),
);

const addBots = insertion((open, rows: readonly Selectable<DailyBotTable>[]) =>
  open
    .insertInto("daily_bots")
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(["day", "bot_id"]).doUpdateSet(added("daily_bots", PLAYED)),
    ),
);

const addMaps = insertion((open, rows: readonly Selectable<DailyMapTable>[]) =>
  open
    .insertInto("daily_maps")
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(["day", "map"]).doUpdateSet(added("daily_maps", ["games"])),
    ),
);

/** For the `set` of an upsert: each column grows by the excluded row's value. */
function added<C extends string>(table: string, columns: readonly C[]) {
  const sum = (column: C) =>
    sql<number>`${sql.ref(`${table}.${column}`)} + ${sql.ref(`excluded.${column}`)}`;
  return Object.fromEntries(columns.map((column) => [column, sum(column)])) as Record<
    C,
    RawBuilder<number>
  >;
}

/**
 * Numbers of days, of bots' days and of maps' days whose sums differ from a recount of the stored
 * matches. What was played in other modes may be gone with its bot, and so may only be more.
 */
export async function wrongDays(database: Database): Promise<number> {
  const ranked = sql.raw("sum(case when mode = 'ranked' and voided = 0 then 1 else 0 end)");
  const other = sql.raw("sum(case when mode <> 'ranked' and voided = 0 then 1 else 0 end)");
  const { rows } = await sql<{ wrong: number }>`select
    (select count(*) from
      (select substr(ended, 1, 10) as day, ${ranked} as ranked, ${other} as other,
        sum(voided) as voided from matches group by substr(ended, 1, 10)) as m
      left join daily_figures as d on d.day = m.day
      where d.day is null or d.ranked <> m.ranked or d.other < m.other or d.voided < m.voided)
    + (select case when coalesce(sum(ranked), 0) = (select count(*) from matches
        where mode = 'ranked' and voided = 0) then 0 else 1 end from daily_figures)
    + (select count(*) from
      (select distinct substr(ended, 1, 10) as day, bot_id from seats where bot_id is not null) as s
      left join daily_bots as d on d.day = s.day and d.bot_id = s.bot_id
      where d.day is null)
    + (select count(*) from
      (select substr(ended, 1, 10) as day, map, count(*) as games from matches where voided = 0
        group by substr(ended, 1, 10), map) as m
      left join daily_maps as d on d.day = m.day and d.map = m.map
      where d.day is null or d.games < m.games)
    as wrong`.execute(database);
  return sure(rows[0], "row").wrong;
}
