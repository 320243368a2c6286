import { sql } from "kysely";
import type { RawBuilder, Selectable } from "kysely";

import { assertDefined } from "#base/util/assert-defined.ts";
// Updates the daily totals with each write. See `analytics` in data/store/stats.ts.
import { utcDayOf } from "#base/util/time.ts";
import type { BotId } from "#core/ids/ids.ts";
import { compiledInsert } from "#data/queries/statement.ts";
import type {
  Database,
  DailyBotTable,
  DailyMapTable,
  DailyCountTable,
  OpenTransaction,
} from "#data/queries/tables.ts";
import type { MatchRecord } from "#data/store/match.ts";

const CREATION_COUNTS = ["users", "bots", "versions"] as const;
const MATCH_COUNTS = ["ranked", "other", "voided"] as const;

export async function countDailyCreation(
  tx: OpenTransaction,
  kind: (typeof CREATION_COUNTS)[number],
  created: string,
): Promise<void> {
  const zeroCounts = { users: 0, bots: 0, versions: 0, ranked: 0, other: 0, voided: 0 };
  await incrementDays(tx, [{ day: utcDayOf(created), ...zeroCounts, [kind]: 1 }]);
}

export async function countDailyVersion(
  tx: OpenTransaction,
  { botId, created }: { botId: BotId; created: string },
): Promise<void> {
  const bot = tx.selectFrom("bots").select("house").where("id", "=", botId);
  if ((await bot.executeTakeFirst())?.house === 0)
    await countDailyCreation(tx, "versions", created);
}

/** Counts a match of any mode on the day it ended, for its map and for each of its bots. */
export async function countDailyMatch(tx: OpenTransaction, match: MatchRecord): Promise<void> {
  const day = utcDayOf(match.ended);
  const isRanked = match.mode === "ranked";
  const matchCounts = {
    ranked: Number(isRanked && !match.voided),
    other: Number(!isRanked && !match.voided),
    voided: Number(match.voided),
  };
  await incrementDays(tx, [{ day, users: 0, bots: 0, versions: 0, ...matchCounts }]);
  if (!match.voided) await incrementDailyMaps(tx, [{ day, map: match.map, games: 1 }]);
  const bots = new Set(match.seats.flatMap(({ botId }) => botId ?? []));
  const rows = [...bots].map((bot_id) => ({ day, bot_id, ...matchCounts }));
  if (rows.length > 0) await incrementDailyBots(tx, rows);
}

const incrementDays = compiledInsert((tx, rows: readonly Selectable<DailyCountTable>[]) =>
  tx
    .insertInto("daily_figures")
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .column("day")
        .doUpdateSet(incrementedColumns("daily_figures", [...CREATION_COUNTS, ...MATCH_COUNTS])),
    ),
);

const incrementDailyBots = compiledInsert((tx, rows: readonly Selectable<DailyBotTable>[]) =>
  tx
    .insertInto("daily_bots")
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(["day", "bot_id"])
        .doUpdateSet(incrementedColumns("daily_bots", MATCH_COUNTS)),
    ),
);

const incrementDailyMaps = compiledInsert((tx, rows: readonly Selectable<DailyMapTable>[]) =>
  tx
    .insertInto("daily_maps")
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(["day", "map"]).doUpdateSet(incrementedColumns("daily_maps", ["games"])),
    ),
);

/** Builds the `set` of an upsert that adds the excluded row's values. */
function incrementedColumns<C extends string>(table: string, columns: readonly C[]) {
  const incremented = (column: C) =>
    sql<number>`${sql.ref(`${table}.${column}`)} + ${sql.ref(`excluded.${column}`)}`;
  return Object.fromEntries(columns.map((column) => [column, incremented(column)])) as Record<
    C,
    RawBuilder<number>
  >;
}

/**
 * Returns how many daily, bot and map totals differ from a recount of the stored matches. Totals of
 * unranked matches may be higher than the recount, because those matches are deleted with their
 * bot.
 */
export async function countInconsistentDays(database: Database): Promise<number> {
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
  return assertDefined(rows[0], "row").wrong;
}
