// What has been going on day by day, as operators are shown it.

import { Type } from "typebox";
import type { Static } from "typebox";

import { dayNumber, dayText } from "#base/units/days.ts";
import { Nullable } from "#core/protocol/schema-fight.ts";
import { Count, Instant } from "#core/resources/common.ts";

const Day = Type.String({ description: "YYYY-MM-DD, in UTC" });

const counts = {
  users: Type.Integer({ minimum: 0, description: "accounts that were made" }),
  bots: Type.Integer({ minimum: 0, description: "bots that were registered, house bots aside" }),
  versions: Type.Integer({ minimum: 0, description: "new versions of these" }),
  games: Type.Integer({ minimum: 0, description: "`ranked` and `other`" }),
  ranked: Type.Integer({ minimum: 0, description: "ranked matches that are not void" }),
  other: Type.Integer({ minimum: 0, description: "practice games and fights of people" }),
  voided: Type.Integer({ minimum: 0, description: "void matches, in no other number" }),
  active_bots: Type.Integer({
    minimum: 0,
    description: "bots with a match, of the house too, each once",
  }),
};

const SummarySchema = Type.Object(counts);
type Summary = Static<typeof SummarySchema>;

const CurrentSchema = Type.Object(
  {
    users: Count,
    banned_users: Count,
    bots: Type.Integer({ minimum: 0, description: "in any state, house bots aside" }),
    active_bots: Type.Integer({ minimum: 0, description: "those that are not stopped or retired" }),
    suspended_bots: Count,
    banned_bots: Count,
    house_bots: Count,
    games: Type.Integer({ minimum: 0, description: "ever" }),
  },
  { description: "now" },
);

export const AnalyticsSchema = Type.Object({
  from: Day,
  to: Day,
  timezone: Type.Literal("UTC"),
  generated: Instant,
  signup_tracking_since: Nullable(
    Type.String({ description: "the first day with a new account; null before" }),
  ),
  current: CurrentSchema,
  summary: SummarySchema,
  daily: Type.Array(Type.Object({ day: Day, ...counts }), {
    description: "every day of the span, oldest first",
  }),
  top_bots: Type.Array(
    Type.Object({ name: Type.String(), owner: Type.String(), games: Count, ranked: Count }),
    { description: "of players, most games first" },
  ),
  maps: Type.Array(Type.Object({ map: Type.String(), games: Count }), {
    description: "most games first",
  }),
});
export type Analytics = Static<typeof AnalyticsSchema>;

/** Both days are within it. */
export type DaySpan = { from: string; to: string };

/** The days that are asked for, by default the latest; or what is wrong with them. */
export function spanOf(
  asked: Partial<DaySpan>,
  today: string,
  { usual, most }: { usual: number; most: number },
): DaySpan | { problem: string } {
  const to = dayNumber(asked.to ?? today);
  if (to === null) return { problem: "to must be a day such as 2026-01-05." };
  const from = asked.from === undefined ? to - usual + 1 : dayNumber(asked.from);
  if (from === null) return { problem: "from must be a day such as 2026-01-05." };
  if (to > (dayNumber(today) ?? to)) return { problem: "to must not lie in the future." };
  if (from > to) return { problem: "from must not be after to." };
  if (to - from >= most) return { problem: `There must be at most ${most} days.` };
  return { from: dayText(from), to: dayText(to) };
}

type Counted = Omit<Summary, "games">;

const NONE: Counted = {
  users: 0,
  bots: 0,
  versions: 0,
  ranked: 0,
  other: 0,
  voided: 0,
  active_bots: 0,
};

const withGames = ({ users, bots, versions, ranked, other, voided, active_bots }: Counted) => ({
  users,
  bots,
  versions,
  games: ranked + other,
  ranked,
  other,
  voided,
  active_bots,
});

/** Every day of a span, from those on which there was something. */
export function dailyOf(
  { from, to }: DaySpan,
  known: readonly (Counted & { day: string })[],
): Analytics["daily"] {
  const byDay = new Map(known.map((one) => [one.day, one]));
  const [first, last] = [dayNumber(from) ?? 0, dayNumber(to) ?? 0];
  return Array.from({ length: last - first + 1 }, (_, place) => {
    const day = dayText(first + place);
    return { day, ...withGames(byDay.get(day) ?? NONE) };
  });
}

/** The sum over all days; a bot that was active on several of them is one. */
export function summaryOf(daily: Analytics["daily"], activeBots: number): Summary {
  const sum = (name: Exclude<keyof Counted, "active_bots">) =>
    daily.reduce((total, day) => total + day[name], 0);
  return withGames({
    users: sum("users"),
    bots: sum("bots"),
    versions: sum("versions"),
    ranked: sum("ranked"),
    other: sum("other"),
    voided: sum("voided"),
    active_bots: activeBots,
  });
}
