import { forecast, openness } from "#rating/forecast.ts";
import type { Results } from "#rating/forecast.ts";

import type { Field } from "./field.ts";
import type { Matchup } from "./matchups.ts";
import {
  ADDITION_WAIT_SECONDS,
  ESTABLISHED_GAMES,
  ESTABLISHED_QUALITY,
  ESTABLISHED_SCORE,
  PATIENCE_SECONDS,
  ratingWindow,
  WINDOW_CAP,
} from "./rules.ts";
import type { Ground } from "./types.ts";

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
  shorterWaitSeconds: number;
  longerWaitSeconds: number;
  games: number;
  expected: number;
  quality: number;
  contradicting: boolean;
};

export function createAssessment(): Assessment {
  return {
    gap: 0,
    window: 0,
    shorterWaitSeconds: 0,
    longerWaitSeconds: 0,
    games: 0,
    expected: 0,
    quality: 0,
    contradicting: false,
  };
}

/** Overwrites an assessment with that of two bots of a field, the first one's row being entered. */
export function assess(assessment: Assessment, field: Field, one: number, other: number): void {
  const { rating, odds, waitSeconds } = field;
  const promised = odds[one] / (odds[one] + odds[other]);
  assessment.gap = Math.abs(rating[one] - rating[other]);
  assessment.shorterWaitSeconds = Math.min(waitSeconds[one], waitSeconds[other]);
  assessment.longerWaitSeconds = Math.max(waitSeconds[one], waitSeconds[other]);
  assessment.window = ratingWindow(assessment.shorterWaitSeconds, assessment.longerWaitSeconds);
  const matchup = field.row.matchup[other];
  if (matchup === null) assessUnplayed(assessment, promised);
  else assessMatchup(assessment, field, field.rank[one] < field.rank[other], promised, matchup);
}

function assessUnplayed(assessment: Assessment, promised: number): void {
  assessment.games = 0;
  assessment.expected = promised;
  assessment.quality = openness(promised);
  assessment.contradicting = false;
}

function assessMatchup(
  assessment: Assessment,
  { maps }: Field,
  first: boolean,
  promised: number,
  { results, byMap }: Matchup,
): void {
  const share = first ? promised : 1 - promised;
  const { score, quality } = forecast(share, results, byMap, maps);
  assessment.games = results.games;
  assessment.expected = first ? score : 1 - score;
  assessment.quality = quality;
  assessment.contradicting = contradicts(results, share);
}

/** Why a pair may play without being discovery, or after too long a wait; null for neither. */
export function competitiveGround({
  gap,
  window,
  longerWaitSeconds,
  games,
  expected,
  quality,
}: Assessment): Ground | null {
  if (gap <= window) return "window";
  const even = expected >= ESTABLISHED_SCORE && expected <= 1 - ESTABLISHED_SCORE;
  const open = even && quality >= ESTABLISHED_QUALITY;
  if (games >= ESTABLISHED_GAMES && open && gap <= WINDOW_CAP) return "established";
  return longerWaitSeconds >= PATIENCE_SECONDS ? "patience" : null;
}

/** Why a pair that the wave left over may play for want of anything competitive. */
export function addedGround({ shorterWaitSeconds }: Assessment): Ground | null {
  return shorterWaitSeconds >= ADDITION_WAIT_SECONDS ? "addition" : null;
}

/** Why a pair may have a reserved start: the version pair is under-tested. */
export function reservedGround({ games, contradicting }: Assessment): Ground | null {
  return games < TESTED_GAMES || contradicting ? "reserved" : null;
}

function contradicts({ games, points }: Results, share: number): boolean {
  if (games === 0 || games >= EARLY_GAMES) return false;
  const error = Math.sqrt(games * share * (1 - share));
  return Math.abs(points - games * share) >= CONTRADICTION * error;
}
