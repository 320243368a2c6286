// What conditions, windows and ways in are called.

import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "#base/units/time.ts";
import type { Card, EventView } from "#core/resources/event.ts";
import type { Ladder } from "#core/resources/ladder-results.ts";
import { HOUSE_BOTS } from "#core/words/house.ts";

import type { Registration } from "./data.ts";

type Condition = Card["condition"];

/** What earns an achievement, in one phrase. */
export function conditionWords(condition: Condition): string {
  switch (condition.kind) {
    case "games":
      return `Play ${counted(condition.count, "rated game")}`;
    case "wins":
      return `Win ${counted(condition.count, "rated game")}${mapsWords(condition.maps)}`;
    case "defeat":
      return `Beat ${opponentName(condition.opponent)} ${times(condition.wins)}${mapsWords(condition.maps)}`;
    case "streak":
      return `Win ${condition.wins} rated games in a row`;
    case "clean":
      return `Play ${condition.games} rated games in a row without a refused or idle turn`;
    case "score":
      return `Reach a score of ${condition.least}`;
  }
}

const mapsWords = (maps: number | undefined): string =>
  maps === undefined || maps < 2 ? "" : `, on ${maps} different maps`;

function times(count: number): string {
  if (count > 2) return `${count} times`;
  return count === 2 ? "twice" : "once";
}

/** The name of a house bot, by its short one. */
export const opponentName = (short: string): string =>
  HOUSE_BOTS.find((bot) => bot.short === short)?.display ?? short;

const UNITS: Record<Condition["kind"], readonly [one: string, many: string]> = {
  games: ["game", "games"],
  wins: ["win", "wins"],
  defeat: ["win", "wins"],
  streak: ["win in a row", "wins in a row"],
  clean: ["clean game", "clean games"],
  score: ["point", "points"],
};

/** How far somebody is: "2 of 3 wins". */
export function progressWords({ condition, progress }: Pick<Card, "condition" | "progress">) {
  const [one, many] = UNITS[condition.kind];
  return `${progress.current} of ${progress.target} ${progress.target === 1 ? one : many}`;
}

export const counted = (count: number, one: string): string =>
  count === 1 ? `1 ${one}` : `${count} ${one}s`;

/** How many have earned an achievement. */
export const tallyWords = (earned: number): string =>
  earned === 0 ? "Nobody has earned it yet" : `Earned by ${earned}`;

/** How long it is until then. It is rounded down, so that nobody comes late. */
export function leftWords(ms: number, hasSeconds: boolean): string {
  if (ms <= 0) return "any moment";
  const [days, hours, minutes, seconds] = [
    Math.floor(ms / DAY_MS),
    Math.floor(ms / HOUR_MS),
    Math.floor(ms / MINUTE_MS),
    Math.floor(ms / SECOND_MS),
  ];
  if (days >= 2) return `${days} days${days < FAR_DAYS ? andMore(hours % 24, "h") : ""}`;
  if (hours > 0) return `${hours} h${andMore(minutes % 60, "min")}`;
  if (!hasSeconds) return minutes === 0 ? "less than a minute" : `${minutes} min`;
  // The seconds of a whole minute stay, so that a moving clock does not jump.
  return minutes === 0 ? `${seconds} s` : `${minutes} min ${seconds % 60} s`;
}

/** From then on nobody counts hours. */
const FAR_DAYS = 14;

const andMore = (count: number, unit: string): string => (count === 0 ? "" : ` ${count} ${unit}`);

type Window = Pick<EventView, "phase"> & { opens_at: string | null; closes_at: string | null };

/** What comes next for a window, and when; null if nothing does. */
export function nextEdge(window: Window): { verb: "Opens" | "Closes"; at: string } | null {
  const { phase, opens_at: opens, closes_at: closes } = window;
  if (phase === "upcoming" && opens !== null) return { verb: "Opens", at: opens };
  if (phase === "open" && closes !== null) return { verb: "Closes", at: closes };
  return null;
}

const ACCESS_WORDS: Record<Exclude<Ladder["access"], "open">, string> = {
  approval: "An account asks to enter, and the operator lets it in.",
  invite: "An account enters with an invitation of the operator’s.",
  password: "An account enters with the ladder’s password.",
};

const OPEN_WORDS: Record<Registration, string> = {
  open: "Every bot may play. Anybody may register one, without an account.",
  key: "Every registered bot may play. Registering takes the key that the operator gives out.",
  account: "Every registered bot may play. Registering takes an account.",
  closed: "Every registered bot may play. No new ones are registered at present.",
};

/** How a bot gets in. */
export function accessWords(
  { id, access }: Pick<Ladder, "id" | "access">,
  registration: Registration,
): string {
  if (access !== "open") return ACCESS_WORDS[access];
  if (id === "public" || registration === "open" || registration === "key")
    return OPEN_WORDS[registration];
  return "Every account may enter, and then all of its bots may play.";
}

export const achievementsPath = (event: string): string =>
  `/achievements?${new URLSearchParams({ event }).toString()}`;

/** Where somebody enters a ladder. */
export const enterPath = (ladder: string): string =>
  `/ladders?${new URLSearchParams({ ladder }).toString()}#ladder-${ladder}`;
