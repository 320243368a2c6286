import { Type } from "typebox";
import type { Static } from "typebox";

import { dayNumber, dayFromNumber } from "#base/util/calendar-days.ts";
import { Nullable } from "#core/protocol/schema-fight.ts";

import { CountSchema, InstantSchema } from "./common-schemas.ts";

const DaySchema = Type.String({ description: "UTC day, YYYY-MM-DD." });

const countProperties = {
  users: Type.Integer({ minimum: 0, description: "New accounts." }),
  bots: Type.Integer({ minimum: 0, description: "New bots, excluding house bots." }),
  versions: Type.Integer({
    minimum: 0,
    description: "New versions, excluding those of house bots.",
  }),
  games: Type.Integer({ minimum: 0, description: "`ranked` and `other`" }),
  ranked: Type.Integer({ minimum: 0, description: "Ranked matches, excluding void ones." }),
  other: Type.Integer({ minimum: 0, description: "Practice matches and human matches." }),
  voided: Type.Integer({
    minimum: 0,
    description: "Void matches. No other count includes them.",
  }),
  active_bots: Type.Integer({
    minimum: 0,
    description: "Distinct bots with at least one match, including house bots.",
  }),
};

const SummarySchema = Type.Object(countProperties);
type Summary = Static<typeof SummarySchema>;

const CurrentSchema = Type.Object(
  {
    users: CountSchema,
    banned_users: CountSchema,
    bots: Type.Integer({ minimum: 0, description: "Bots in any state, excluding house bots." }),
    active_bots: Type.Integer({ minimum: 0, description: "Bots that aren't stopped or retired." }),
    suspended_bots: CountSchema,
    banned_bots: CountSchema,
    house_bots: CountSchema,
    games: Type.Integer({ minimum: 0, description: "ever" }),
  },
  { description: "now" },
);

export const AnalyticsSchema = Type.Object({
  from: DaySchema,
  to: DaySchema,
  timezone: Type.Literal("UTC"),
  generated: InstantSchema,
  signup_tracking_since: Nullable(
    Type.String({ description: "First day with a new account; null if there are no accounts." }),
  ),
  current: CurrentSchema,
  summary: SummarySchema,
  daily: Type.Array(Type.Object({ day: DaySchema, ...countProperties }), {
    description: "All days in the span, oldest first.",
  }),
  top_bots: Type.Array(
    Type.Object({
      name: Type.String(),
      owner: Type.String(),
      games: CountSchema,
      ranked: CountSchema,
    }),
    { description: "Player bots, most games first." },
  ),
  maps: Type.Array(Type.Object({ map: Type.String(), games: CountSchema }), {
    description: "Maps, most games first.",
  }),
});
export type AnalyticsReport = Static<typeof AnalyticsSchema>;

/** Inclusive at both ends. */
export type DaySpan = { from: string; to: string };

/** Returns the requested days, or why they're invalid. Defaults to the latest days. */
export function analyticsSpan(
  requestedSpan: Partial<DaySpan>,
  today: string,
  { defaultDays, maxDays }: { defaultDays: number; maxDays: number },
): DaySpan | { problem: string } {
  const to = dayNumber(requestedSpan.to ?? today);
  if (to === null) return { problem: "to must be a day such as 2026-01-05." };
  const from =
    requestedSpan.from === undefined ? to - defaultDays + 1 : dayNumber(requestedSpan.from);
  if (from === null) return { problem: "from must be a day such as 2026-01-05." };
  if (to > (dayNumber(today) ?? to)) return { problem: "to must not be in the future." };
  if (from > to) return { problem: "from must not be after to." };
  if (to - from >= maxDays) return { problem: `The span must not exceed ${maxDays} days.` };
  return { from: dayFromNumber(from), to: dayFromNumber(to) };
}

type DailyCounts = Omit<Summary, "games">;

const ZERO_COUNTS: DailyCounts = {
  users: 0,
  bots: 0,
  versions: 0,
  ranked: 0,
  other: 0,
  voided: 0,
  active_bots: 0,
};

const addGameTotal = ({
  users,
  bots,
  versions,
  ranked,
  other,
  voided,
  active_bots,
}: DailyCounts) => ({
  users,
  bots,
  versions,
  games: ranked + other,
  ranked,
  other,
  voided,
  active_bots,
});

/** Returns every day of a span, with zeros for days without activity. */
export function fillDays(
  { from, to }: DaySpan,
  activeDays: readonly (DailyCounts & { day: string })[],
): AnalyticsReport["daily"] {
  const byDay = new Map(activeDays.map((entry) => [entry.day, entry]));
  const [first, last] = [dayNumber(from) ?? 0, dayNumber(to) ?? 0];
  return Array.from({ length: last - first + 1 }, (_, offset) => {
    const day = dayFromNumber(first + offset);
    return { day, ...addGameTotal(byDay.get(day) ?? ZERO_COUNTS) };
  });
}

/** Returns the totals over all days. A bot that was active on several days counts once. */
export function summarize(daily: AnalyticsReport["daily"], activeBots: number): Summary {
  const sum = (name: Exclude<keyof DailyCounts, "active_bots">) =>
    daily.reduce((total, day) => total + day[name], 0);
  return addGameTotal({
    users: sum("users"),
    bots: sum("bots"),
    versions: sum("versions"),
    ranked: sum("ranked"),
    other: sum("other"),
    voided: sum("voided"),
    active_bots: activeBots,
  });
}
