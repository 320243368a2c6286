import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "#base/util/time.ts";
import type { AchievementView, EventView } from "#core/api/event.ts";
import type { Ladder } from "#core/api/ladder-results.ts";
import { HOUSE_BOTS } from "#core/ids/house-bots.ts";

import type { RegistrationMode } from "./data.ts";

type AchievementCondition = AchievementView["condition"];

export function describeAchievementCondition(condition: AchievementCondition): string {
  switch (condition.kind) {
    case "games":
      return `Play ${formatCount(condition.count, "rated game")}`;
    case "wins":
      return `Win ${formatCount(condition.count, "rated game")}${mapsSuffix(condition.maps)}`;
    case "defeat":
      return `Beat ${houseBotName(condition.opponent)} ${formatTimes(condition.wins)}${mapsSuffix(condition.maps)}`;
    case "streak":
      return `Win ${condition.wins} rated games in a row`;
    case "clean":
      return `Play ${condition.games} rated games in a row without a rejected or missed turn`;
    case "score":
      return `Reach a score of ${condition.least}`;
  }
}

const mapsSuffix = (maps: number | undefined): string =>
  maps === undefined || maps < 2 ? "" : `, on ${maps} different maps`;

function formatTimes(count: number): string {
  if (count > 2) return `${count} times`;
  return count === 2 ? "twice" : "once";
}

export const houseBotName = (shortName: string): string =>
  HOUSE_BOTS.find((bot) => bot.short === shortName)?.display ?? shortName;

const CONDITION_UNITS: Record<AchievementCondition["kind"], readonly [one: string, many: string]> =
  {
    games: ["game", "games"],
    wins: ["win", "wins"],
    defeat: ["win", "wins"],
    streak: ["win in a row", "wins in a row"],
    clean: ["clean game", "clean games"],
    score: ["point", "points"],
  };

export function describeAchievementProgress({
  condition,
  progress,
}: Pick<AchievementView, "condition" | "progress">) {
  const [singular, plural] = CONDITION_UNITS[condition.kind];
  return `${progress.current} of ${progress.target} ${progress.target === 1 ? singular : plural}`;
}

export const formatCount = (count: number, singular: string): string =>
  count === 1 ? `1 ${singular}` : `${count} ${singular}s`;

export const describeEarnedCount = (earnedCount: number): string =>
  earnedCount === 0 ? "Not earned yet" : `Earned by ${earnedCount}`;

/** Formats the remaining time. Rounds down, so the text never shows more time than remains. */
export function formatRemaining(ms: number, showSeconds: boolean): string {
  if (ms <= 0) return "any moment";
  const [days, hours, minutes, seconds] = [
    Math.floor(ms / DAY_MS),
    Math.floor(ms / HOUR_MS),
    Math.floor(ms / MINUTE_MS),
    Math.floor(ms / SECOND_MS),
  ];
  if (days >= 2)
    return `${days} days${days < DAYS_WITHOUT_HOURS ? smallerUnit(hours % 24, "h") : ""}`;
  if (hours > 0) return `${hours} h${smallerUnit(minutes % 60, "min")}`;
  if (!showSeconds) return minutes === 0 ? "less than a minute" : `${minutes} min`;
  // Keeps "0 s" in the text, so a running countdown doesn't jump.
  return minutes === 0 ? `${seconds} s` : `${minutes} min ${seconds % 60} s`;
}

/** Hours are omitted for more days. */
const DAYS_WITHOUT_HOURS = 14;

const smallerUnit = (count: number, unit: string): string =>
  count === 0 ? "" : ` ${count} ${unit}`;

type TimeWindow = Pick<EventView, "phase"> & { opens_at: string | null; closes_at: string | null };

/**
 * Returns the next opening or closing time of a time window. Returns null if the window won't
 * change again.
 */
export function nextWindowBoundary(
  timeWindow: TimeWindow,
): { verb: "Opens" | "Closes"; instant: string } | null {
  const { phase, opens_at: opens, closes_at: closes } = timeWindow;
  if (phase === "upcoming" && opens !== null) return { verb: "Opens", instant: opens };
  if (phase === "open" && closes !== null) return { verb: "Closes", instant: closes };
  return null;
}

const ACCESS_TEXTS: Record<Exclude<Ladder["access"], "open">, string> = {
  approval: "Request to join; the operator approves it.",
  invite: "Join with an invitation from the operator.",
  password: "Join with the ladder’s password.",
};

const OPEN_ACCESS_TEXTS: Record<RegistrationMode, string> = {
  open: "Every bot can play. Anyone can register one, without an account.",
  key: "Every registered bot can play. To register, you need a key from the operator.",
  account: "Every registered bot can play. To register, you need an account.",
  closed: "Every registered bot can play. Registration is closed.",
};

export function describeAccess(
  { id, access }: Pick<Ladder, "id" | "access">,
  registration: RegistrationMode,
): string {
  if (access !== "open") return ACCESS_TEXTS[access];
  if (id === "public" || registration === "open" || registration === "key")
    return OPEN_ACCESS_TEXTS[registration];
  return "Every account can join, and then all of its bots can play.";
}

export const achievementsPath = (event: string): string =>
  `/achievements?${new URLSearchParams({ event }).toString()}`;

export const enterLadderPath = (ladder: string): string =>
  `/ladders?${new URLSearchParams({ ladder }).toString()}#ladder-${ladder}`;
