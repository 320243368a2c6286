import type { AnalyticsReport } from "#core/api/analytics.ts";

import { formatField, formatSection, formatTextTable } from "./admin-print.ts";

type DayMetrics = AnalyticsReport["daily"][number];

const COLUMNS = [
  "users",
  "bots",
  "versions",
  "games",
  "ranked",
  "other",
  "voided",
  "active_bots",
] as const satisfies (keyof DayMetrics)[];

const COLUMN_TITLES = [
  "USERS",
  "BOTS",
  "VERSIONS",
  "GAMES",
  "RANKED",
  "OTHER",
  "VOID",
  "ACTIVE BOTS",
];

export function printAnalytics({
  current,
  summary,
  daily,
  top_bots,
  maps,
  ...period
}: AnalyticsReport): string[] {
  const cells = (dayMetrics: Omit<DayMetrics, "day">) =>
    COLUMNS.map((name) => String(dayMetrics[name]));
  const days = daily.map((day) => [day.day, ...cells(day)]);
  const bots = top_bots.map(({ name, owner, games, ranked }) => {
    return [name, owner, String(games), String(ranked)];
  });
  return [
    formatField("span", `${period.from} to ${period.to}, ${period.timezone}`),
    formatField("users", `${current.users}, ${current.banned_users} banned`),
    formatField(
      "bots",
      `${current.bots}: ${current.active_bots} active, ${current.suspended_bots} suspended, ` +
        `${current.banned_bots} banned; ${current.house_bots} house bots`,
    ),
    formatField("games", `${current.games} ever`),
    ...formatSection(
      formatTextTable(["DAY", ...COLUMN_TITLES], [...days, ["all", ...cells(summary)]]),
    ),
    ...formatSection(formatTextTable(["BOT", "OWNER", "GAMES", "RANKED"], bots)),
    ...formatSection(
      formatTextTable(
        ["MAP", "GAMES"],
        maps.map(({ map, games }) => [map, String(games)]),
      ),
    ),
  ];
}
