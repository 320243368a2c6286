// Members, standings and awards, to read and to export: rows for the commands.

import { Type } from "typebox";

import { AwardRowSchema, EventStandingsSchema, MemberRowSchema } from "#core/operator/report.ts";
import type { EventStandings } from "#core/operator/report.ts";
import { LeaderboardRowSchema } from "#core/resources/ladder.ts";
import { text } from "#server/configuration/flag-values.ts";
import { action, FORMAT, part, pathWith } from "#tools/cli/admin-action.ts";
import type { AdminAction, Given, Parameter } from "#tools/cli/admin-action.ts";
import { NOTHING, table, when } from "#tools/cli/admin-print.ts";

const LADDER: Parameter = {
  name: "ladder",
  form: "<LADDER>",
  about: "the ladder's id",
  read: text,
};
const EVENT: Parameter = { name: "event", form: "<EVENT>", about: "the event's id", read: text };

const get = (path: string, { format }: Given) =>
  ({ method: "GET", path: pathWith(path, { format }) }) as const;

export const REPORT_ACTIONS: readonly AdminAction[] = [
  action({
    group: "ladders",
    name: "members",
    about: "Members of a ladder, pending and revoked ones too.",
    takes: [LADDER],
    flags: [FORMAT],
    request: (given) => get(`ladders/${part(given.ladder)}/members`, given),
    answer: Type.Array(MemberRowSchema),
    print: (rows) =>
      rows.length === 0
        ? ["The ladder has no members yet."]
        : table(
            ["ACCOUNT", "MEMBERSHIP", "SINCE (UTC)", "REASON"],
            rows.map((row) => [
              row.handle ?? row.account_id,
              row.membership,
              when(row.since),
              row.reason ?? NOTHING,
            ]),
          ),
  }),
  action({
    group: "ladders",
    name: "standings",
    about: "Standings of a ladder, best first.",
    takes: [LADDER],
    flags: [FORMAT],
    request: (given) => get(`ladders/${part(given.ladder)}/standings`, given),
    answer: Type.Array(LeaderboardRowSchema),
    print: (rows) =>
      rows.length === 0
        ? ["No bot is ranked yet."]
        : table(
            ["RANK", "BOT", "OWNER", "VERSION", "SCORE", "GAMES"],
            rows.map((row) => [
              String(row.rank),
              row.name,
              row.owner,
              row.version,
              String(Math.round(row.leaderboard_score)),
              String(row.wins + row.draws + row.losses),
            ]),
          ),
  }),
  action({
    group: "events",
    name: "standings",
    about: "Accounts of an event, and when they earned each achievement.",
    takes: [EVENT],
    flags: [FORMAT],
    request: (given) => get(`events/${part(given.event)}/standings`, given),
    answer: EventStandingsSchema,
    print: printStandings,
  }),
  action({
    group: "events",
    name: "awards",
    about: "All awards of an event, oldest first.",
    takes: [EVENT],
    flags: [FORMAT],
    request: (given) => get(`events/${part(given.event)}/awards`, given),
    answer: Type.Array(AwardRowSchema),
    print: (rows) =>
      rows.length === 0
        ? ["No achievement has been earned yet."]
        : table(
            ["EARNED (UTC)", "ACCOUNT", "ACHIEVEMENT", "BOT", "REVOKED (UTC)", "REASON"],
            rows.map((row) => [
              when(row.earned_at),
              row.handle ?? row.account_id,
              row.achievement ?? row.achievement_id,
              row.bot ?? row.bot_id,
              when(row.revoked_at),
              row.reason ?? NOTHING,
            ]),
          ),
  }),
];

function printStandings({ achievements, accounts }: EventStandings): string[] {
  if (accounts.length === 0) return ["The event has no accounts yet."];
  const titles = achievements.map(({ id }) => id.toUpperCase());
  const rows = accounts.map((row) => [
    String(row.rank),
    row.handle ?? row.account_id,
    String(row.earned),
    ...row.achievements.map(({ earned_at, revoked_at }) =>
      revoked_at === null ? when(earned_at) : "revoked",
    ),
  ]);
  return table(["RANK", "ACCOUNT", "EARNED", ...titles], rows);
}
