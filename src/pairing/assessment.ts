import { forecast } from "#rating/forecast.ts";
import type { Results } from "#rating/forecast.ts";
import { expectedScore } from "#rating/score.ts";

import { matchupOf } from "./matchups.ts";
import {
  ADDITION_WAIT_SECONDS,
  ESTABLISHED_GAMES,
  ESTABLISHED_QUALITY,
  ESTABLISHED_SCORE,
  PATIENCE_SECONDS,
  ratingWindow,
  WINDOW_CAP,
} from "./rules.ts";
import type { Ground, Snapshot, WaitingBot } from "./types.ts";

/** Rated games after which a version is settled: those of a ranked one. */
export const SETTLED_GAMES = 30;

/** Pair games below which a version pair is under-tested. */
const TESTED_GAMES = 5;

/** Pair games from which contradicting results are no longer early. */
const EARLY_GAMES = 20;

/** Standard errors between results and ratings from which they contradict each other. */
const CONTRADICTION = 1.5;

/** What is known of a pair before it is weighed; `expected` is the share of the first. */
export type Assessment = {
  gap: number;
  window: number;
  games: number;
  expected: number;
  quality: number;
  contradicting: boolean;
};

export function assess(snapshot: Snapshot, one: WaitingBot, other: WaitingBot): Assessment {
  const rating = estimatedRating(one);
  const opponentRating = estimatedRating(other);
  const promised = expectedScore(rating, opponentRating);
  const gap = Math.abs(rating - opponentRating);
  const known = { gap, window: ratingWindow(one, other) };
  const matchup = matchupOf(snapshot.matchups, one.version, other.version);
  if (matchup === undefined) {
    const { score, quality } = forecast(promised, NOTHING_PLAYED, NO_MAPS, snapshot.maps);
    return { ...known, games: 0, expected: score, quality, contradicting: false };
  }
  const first = one.version < other.version;
  const share = first ? promised : 1 - promised;
  const { score, quality } = forecast(share, matchup.results, matchup.byMap, snapshot.maps);
  return {
    ...known,
    games: matchup.results.games,
    expected: first ? score : 1 - score,
    quality,
    contradicting: contradicts(matchup.results, share),
  };
}

/** A new version starts where the one before it stands and moves to its own rating by its games. */
function estimatedRating({ rating, games, formerRating }: WaitingBot): number {
  if (formerRating === null) return rating;
  const own = Math.min(1, games / SETTLED_GAMES);
  return own * rating + (1 - own) * formerRating;
}

/** Why a pair may play without being discovery, or after too long a wait; null for neither. */
export function competitiveGround(
  { gap, window, games, expected, quality }: Assessment,
  one: WaitingBot,
  other: WaitingBot,
): Ground | null {
  if (gap <= window) return "window";
  const even = expected >= ESTABLISHED_SCORE && expected <= 1 - ESTABLISHED_SCORE;
  const open = even && quality >= ESTABLISHED_QUALITY;
  if (games >= ESTABLISHED_GAMES && open && gap <= WINDOW_CAP) return "established";
  return Math.max(one.waitSeconds, other.waitSeconds) >= PATIENCE_SECONDS ? "patience" : null;
}

/** Whether a pair that the wave left over may play for want of anything competitive. */
export function mayBeAdded(one: WaitingBot, other: WaitingBot): boolean {
  return Math.min(one.waitSeconds, other.waitSeconds) >= ADDITION_WAIT_SECONDS;
}

/** Whether a version pair is worth a reserved start. */
export function underTested({ games, contradicting }: Assessment): boolean {
  return games < TESTED_GAMES || contradicting;
}

const NOTHING_PLAYED: Results = { games: 0, points: 0 };
const NO_MAPS: ReadonlyMap<string, Results> = new Map();

function contradicts({ games, points }: Results, share: number): boolean {
  if (games === 0 || games >= EARLY_GAMES) return false;
  const error = Math.sqrt(games * share * (1 - share));
  return Math.abs(points - games * share) >= CONTRADICTION * error;
}
