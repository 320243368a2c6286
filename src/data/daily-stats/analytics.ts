import { sql } from "kysely";

import type { Database } from "#data/queries/tables.ts";
import type { AnalyticsSummary, AnalyticsQuery, DayStats } from "#data/store/stats.ts";

export async function readAnalytics(
  database: Database,
  query: AnalyticsQuery,
): Promise<AnalyticsSummary> {
  const { signupsSince, games } = await allTimeStats(database);
  return {
    signupsSince,
    now: { ...(await currentUserStats(database)), ...(await currentBotStats(database)), games },
    activeBots: await countActiveBots(database, query),
    days: await dailyStats(database, query),
    topBots: await topBots(database, query),
    maps: await mapStats(database, query),
  };
}

async function allTimeStats(database: Database) {
  const firstSignup = database
    .selectFrom("daily_figures")
    .select("day")
    .where("users", ">", 0)
    .orderBy("day")
    .limit(1);
  const sums = database
    .selectFrom("daily_figures")
    .select(sql<number>`cast(coalesce(sum(ranked + other), 0) as bigint)`.as("games"));
  return {
    signupsSince: (await firstSignup.executeTakeFirst())?.day ?? null,
    games: (await sums.executeTakeFirst())?.games ?? 0,
  };
}

async function currentUserStats(database: Database) {
  const row = await database
    .selectFrom("accounts")
    .select((eb) => [
      eb.fn.countAll<number>().as("users"),
      eb.fn.count<number>("banned_at").as("banned"),
    ])
    .executeTakeFirstOrThrow();
  return { users: row.users, banned_users: row.banned };
}

async function currentBotStats(database: Database) {
  const rows = await database
    .selectFrom("bots")
    .select((eb) => ["house", "status", eb.fn.countAll<number>().as("bots")])
    .groupBy(["house", "status"])
    .execute();
  const countBots = (predicate: (row: (typeof rows)[number]) => boolean) =>
    rows.filter(predicate).reduce((total, { bots }) => total + bots, 0);
  const countInStatus = (botStatus: string) =>
    countBots(({ house, status }) => house === 0 && status === botStatus);
  return {
    bots: countBots(({ house }) => house === 0),
    active_bots: countInStatus("active"),
    suspended_bots: countInStatus("suspended"),
    banned_bots: countInStatus("banned"),
    house_bots: countBots(({ house }) => house === 1),
  };
}

async function countActiveBots(database: Database, { from, to }: AnalyticsQuery): Promise<number> {
  const row = await database
    .selectFrom("daily_bots")
    .select((eb) => eb.fn.count<number>("bot_id").distinct().as("bots"))
    .where("day", ">=", from)
    .where("day", "<=", to)
    .executeTakeFirstOrThrow();
  return row.bots;
}

async function dailyStats(database: Database, { from, to }: AnalyticsQuery): Promise<DayStats[]> {
  const activeByDay = database
    .selectFrom("daily_bots")
    .select((eb) => ["day", eb.fn.countAll<number>().as("bots")])
    .where("day", ">=", from)
    .where("day", "<=", to)
    .groupBy("day");
  const bots = new Map((await activeByDay.execute()).map((row) => [row.day, row.bots]));
  const days = database
    .selectFrom("daily_figures")
    .selectAll()
    .where("day", ">=", from)
    .where("day", "<=", to)
    .orderBy("day");
  return (await days.execute()).map((row) => ({ ...row, active_bots: bots.get(row.day) ?? 0 }));
}

/** Sums before joining names, so that each bot is read only once. */
function topBots(
  database: Database,
  { from, to, limit }: AnalyticsQuery,
): Promise<AnalyticsSummary["topBots"]> {
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
    .limit(limit)
    .execute();
}

function mapStats(
  database: Database,
  { from, to }: AnalyticsQuery,
): Promise<AnalyticsSummary["maps"]> {
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
