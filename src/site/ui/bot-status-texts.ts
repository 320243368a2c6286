import type { Match } from "#core/api/match.ts";

type StatusText = { badge: string; sentence: string };

export const BOT_STATUS_TEXTS: Readonly<Record<"retired" | "suspended" | "banned", StatusText>> = {
  retired: {
    badge: "retired",
    sentence: "This bot has retired. It no longer plays; its matches and record stay.",
  },
  suspended: {
    badge: "suspended",
    sentence: "The operator suspended this bot. It can't connect until the suspension is lifted.",
  },
  banned: {
    badge: "banned",
    sentence: "The operator banned this bot. It can't connect; its matches stay.",
  },
};

export const RETIRED_VERSION_TEXT = "Retired: not on the leaderboard, and can't queue.";

/** Says why a version has no rank: too few games, or not in the standings. */
export function describeUnranked(games: number, requiredGames: number): string {
  return games < requiredGames ? `${games} of ${requiredGames} placement matches` : "not ranked";
}

export function describeVoidMatch(reason: Match["reason"]): string {
  return reason === "server_fault"
    ? "Void because of a server error. The match doesn't count."
    : "Void because neither bot was ready in time. The match doesn't count.";
}
