// Analytics for operators at a terminal.

import type { Analytics } from "#core/operator/analytics.ts";
import { line, section, table } from "#tools/cli/admin-print.ts";

type Day = Analytics["daily"][number];

const COLUMNS = [
  "users",
  "bots",
  "versions",
  "games",
  "ranked",
  "other",
  "voided",
  "active_bots",
] as const satisfies (keyof Day)[];

const HEAD = ["USERS", "BOTS", "VERSIONS", "GAMES", "RANKED", "OTHER", "VOID", "ACTIVE BOTS"];

export function printAnalytics({
  current,
  summary,
  daily,
  top_bots,
  maps,
  ...span
}: Analytics): string[] {
  const cells = (figures: Omit<Day, "day">) => COLUMNS.map((name) => String(figures[name]));
  const days = daily.map((day) => [day.day, ...cells(day)]);
  const bots = top_bots.map(({ name, owner, games, ranked }) => {
    return [name, owner, String(games), String(ranked)];
  });
  return [
    line("span", `${span.from} to ${span.to}, ${span.timezone}`),
    line("users", `${current.users}, ${current.banned_users} of them banned`),
    line(
      "bots",
      `${current.bots}: ${current.active_bots} active, ${current.suspended_bots} suspended, ` +
        `${current.banned_bots} banned; and ${current.house_bots} of the house`,
    ),
    line("games", `${current.games} ever`),
    ...section(table(["DAY", ...HEAD], [...days, ["all", ...cells(summary)]])),
    ...section(table(["BOT", "OWNER", "GAMES", "RANKED"], bots)),
    ...section(
      table(
        ["MAP", "GAMES"],
        maps.map(({ map, games }) => [map, String(games)]),
      ),
    ),
  ];
}
