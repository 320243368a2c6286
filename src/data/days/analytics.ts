// Reads the sums of days: see `analytics` in data/store/figures.ts.
import { sql } from "kysely";

import type { Database } from "#data/queries/tables.ts";
import type { AnalyticsFigures, AnalyticsQuery, DayFigures } from "#data/store/figures.ts";

export async function analytics(
  database: Database,
  query: AnalyticsQuery,
): Promise<AnalyticsFigures> {
  const { signupsSince, games } = await ever(database);
  return {
    signupsSince,
    now: { ...(await usersNow(database)), ...(await botsNow(database)), games },
    activeBots: await activeIn(database, query),
    days: await daysIn(database, query),
    topBots: await topBots(database, query),
    maps: await mapsIn(database, query),
  };
}

async function ever(database: Database) {
  const first = database
    .selectFrom("daily_figures")
    .select("day")
    .where("users", ">", 0)
    .orderBy("day")
    .limit(1);
  const sums = database
    .selectFrom("daily_figures")
    .select(sql<number>`cast(coalesce(sum(ranked + other), 0) as bigint)`.as("games"));
  return {
    signupsSince: (await first.executeTakeFirst())?.day ?? null,
    games: (await sums.executeTakeFirst())?.games ?? 0,
  };
}

async function usersNow(database: Database) {
  const row = await database
    .selectFrom("accounts")
    .select((eb) => [
      eb.fn.countAll<number>().as("users"),
      eb.fn.count<number>("banned_at").as("banned"),
    ])
    .executeTakeFirstOrThrow();
  return { users: row.users, banned_users: row.banned };
}

async function botsNow(database: Database) {
  const rows = await database
    .selectFrom("bots")
    .select((eb) => ["house", "status", eb.fn.countAll<number>().as("bots")])
    .groupBy(["house", "status"])
    .execute();
  const sum = (isSuch: (row: (typeof rows)[number]) => boolean) =>
    rows.filter(isSuch).reduce((total, { bots }) => total + bots, 0);
  const inState = (state: string) => sum(({ house, status }) => house === 0 && status === state);
  return {
    bots: sum(({ house }) => house === 0),
    active_bots: inState("active"),
    suspended_bots: inState("suspended"),
    banned_bots: inState("banned"),
    house_bots: sum(({ house }) => house === 1),
  };
}

async function activeIn(database: Database, { from, to }: AnalyticsQuery): Promise<number> {
  const row = await database
    .selectFrom("daily_bots")
    .select((eb) => eb.fn.count<number>("bot_id").distinct().as("bots"))
    .where("day", ">=", from)
    .where("day", "<=", to)
    .executeTakeFirstOrThrow();
  return row.bots;
}

async function daysIn(database: Database, { from, to }: AnalyticsQuery): Promise<DayFigures[]> {
  const active = database
    .selectFrom("daily_bots")
    .select((eb) => ["day", eb.fn.countAll<number>().as("bots")])
    .where("day", ">=", from)
    .where("day", "<=", to)
    .groupBy("day");
  const bots = new Map((await active.execute()).map((row) => [row.day, row.bots]));
  const days = database
    .selectFrom("daily_figures")
    .selectAll()
    .where("day", ">=", from)
    .where("day", "<=", to)
    .orderBy("day");
  return (await days.execute()).map((row) => ({ ...row, active_bots: bots.get(row.day) ?? 0 }));
}

/** Summed before names are looked up, so that each bot's row is read once. */
function topBots(
  database: Database,
  { from, to, most }: AnalyticsQuery,
): Promise<AnalyticsFigures["topBots"]> {
  return database
    .selectFrom((eb) =>
      eb
        .selectFrom("daily_bots")
        .select([
          "bot_id",
          sql<number>`cast(sum(ranked + other) as bigint)`.as("games"),
          sql<number>`cast(sum(ranked) as bigint)`.as("ranked"),
        ])
        .where("day", ">=", from)
        .where("day", "<=", to)
        .groupBy("bot_id")
        .as("sums"),
    )
    .innerJoin("bots", "bots.id", "sums.bot_id")
    .select(["bots.name", "bots.owner", "sums.games", "sums.ranked"])
    .where("bots.house", "=", 0)
    .where("sums.games", ">", 0)
    .orderBy("sums.games", "desc")
    .orderBy("bots.name_key")
    .limit(most)
    .execute();
}

function mapsIn(
  database: Database,
  { from, to }: AnalyticsQuery,
): Promise<AnalyticsFigures["maps"]> {
  return database
    .selectFrom("daily_maps")
    .select(["map", sql<number>`cast(sum(games) as bigint)`.as("games")])
    .where("day", ">=", from)
    .where("day", "<=", to)
    .groupBy("map")
    .orderBy("games", "desc")
    .orderBy("map")
    .execute();
}
