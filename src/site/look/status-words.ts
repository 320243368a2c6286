// What pages say about bots and matches that are out of the ordinary.

import type { Match } from "#core/resources/match.ts";

/** A bot that does not play: in one word next to its name, and why in a sentence. */
type Standing = { badge: string; sentence: string };

export const STATUS_WORDS: Readonly<Record<"retired" | "suspended" | "banned", Standing>> = {
  retired: {
    badge: "retired",
    sentence: "This bot has retired. It plays no more; its matches and its record stay.",
  },
  suspended: {
    badge: "suspended",
    sentence: "The operator has suspended this bot. It cannot connect until that is lifted.",
  },
  banned: {
    badge: "banned",
    sentence: "The operator has banned this bot. It cannot connect; its matches stay.",
  },
};

/** Of a version whose author has withdrawn it. */
export const RETIRED_VERSION = "Retired: it is out of the standings and cannot queue.";

/** Why a version has no rank: too few games so far, or it is out of the standings. */
export function unrankedWords(games: number, needed: number): string {
  return games < needed ? `${games} of ${needed} placement matches` : "not in the standings";
}

/** Why a match that was void counts for nobody. */
export function voidWords(reason: Match["reason"]): string {
  return reason === "server_fault"
    ? "Void: the server failed this bout. It counts for nobody."
    : "Void: neither bot was ready in time. It counts for nobody.";
}
