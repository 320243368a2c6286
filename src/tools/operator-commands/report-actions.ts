import { Type } from "typebox";

import { AwardRowSchema, EventStandingsSchema, MemberRowSchema } from "#core/api/admin-reports.ts";
import type { EventStandings } from "#core/api/admin-reports.ts";
import { LeaderboardRowSchema } from "#core/api/ladder.ts";
import { parseText } from "#server/configuration/flag-values.ts";

import { defineAction, FORMAT, encodePathPart, pathWithQuery } from "./admin-action.ts";
import type { AdminAction, CommandInput, Parameter } from "./admin-action.ts";
import { EMPTY_CELL, formatTextTable, formatInstant } from "./admin-print.ts";

const LADDER: Parameter = {
  name: "ladder",
  form: "<LADDER>",
  about: "ladder id",
  parse: parseText,
};
const EVENT: Parameter = {
  name: "event",
  form: "<EVENT>",
  about: "event id",
  parse: parseText,
};

const createReportCall = (path: string, { format }: CommandInput) =>
  ({ method: "GET", path: pathWithQuery(path, { format }) }) as const;

export const REPORT_ACTIONS: readonly AdminAction[] = [
  defineAction({
    group: "ladders",
    name: "members",
    about: "List a ladder's members, including pending and revoked ones.",
    takes: [LADDER],
    flags: [FORMAT],
    request: (input) => createReportCall(`ladders/${encodePathPart(input.ladder)}/members`, input),
    answer: Type.Array(MemberRowSchema),
    print: (rows) =>
      rows.length === 0
        ? ["The ladder has no members yet."]
        : formatTextTable(
            ["ACCOUNT", "MEMBERSHIP", "SINCE (UTC)", "REASON"],
            rows.map((row) => [
              row.handle ?? row.account_id,
              row.membership,
              formatInstant(row.since),
              row.reason ?? EMPTY_CELL,
            ]),
          ),
  }),
  defineAction({
    group: "ladders",
    name: "standings",
    about: "List a ladder's standings, best first.",
    takes: [LADDER],
    flags: [FORMAT],
    request: (input) =>
      createReportCall(`ladders/${encodePathPart(input.ladder)}/standings`, input),
    answer: Type.Array(LeaderboardRowSchema),
    print: (rows) =>
      rows.length === 0
        ? ["No bot is ranked yet."]
        : formatTextTable(
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
  defineAction({
    group: "events",
    name: "standings",
    about: "List the accounts in an event, with the time of each achievement.",
    takes: [EVENT],
    flags: [FORMAT],
    request: (input) => createReportCall(`events/${encodePathPart(input.event)}/standings`, input),
    answer: EventStandingsSchema,
    print: printStandings,
  }),
  defineAction({
    group: "events",
    name: "awards",
    about: "List all of an event's awards, oldest first.",
    takes: [EVENT],
    flags: [FORMAT],
    request: (input) => createReportCall(`events/${encodePathPart(input.event)}/awards`, input),
    answer: Type.Array(AwardRowSchema),
    print: (rows) =>
      rows.length === 0
        ? ["No achievement has been earned yet."]
        : formatTextTable(
            ["EARNED (UTC)", "ACCOUNT", "ACHIEVEMENT", "BOT", "REVOKED (UTC)", "REASON"],
            rows.map((row) => [
              formatInstant(row.earned_at),
              row.handle ?? row.account_id,
              row.achievement ?? row.achievement_id,
              row.bot ?? row.bot_id,
              formatInstant(row.revoked_at),
              row.reason ?? EMPTY_CELL,
            ]),
          ),
  }),
];

function printStandings({ achievements, accounts }: EventStandings): string[] {
  if (accounts.length === 0) return ["No account is taking part in the event yet."];
  const titles = achievements.map(({ id }) => id.toUpperCase());
  const rows = accounts.map((row) => [
    String(row.rank),
    row.handle ?? row.account_id,
    String(row.earned),
    ...row.achievements.map(({ earned_at, revoked_at }) =>
      revoked_at === null ? formatInstant(earned_at) : "revoked",
    ),
  ]);
  return formatTextTable(["RANK", "ACCOUNT", "EARNED", ...titles], rows);
}
