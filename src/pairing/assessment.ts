import { CELLS, expectedShare, meanOpenness, openness } from "#rating/forecast.ts";

import type { Field } from "./field.ts";
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

/**
 * Overwrites an assessment with that of two bots of a field, the first one's row being entered;
 * quality, which costs most, only for a rule that counts it.
 */
export function assess(
  assessment: Assessment,
  field: Field,
  one: number,
  other: number,
  countsQuality: boolean,
): void {
  const { rating, odds, waitSeconds, relation } = field;
  assessment.gap = Math.abs(rating[one] - rating[other]);
  assessment.shorterWaitSeconds = Math.min(waitSeconds[one], waitSeconds[other]);
  assessment.longerWaitSeconds = Math.max(waitSeconds[one], waitSeconds[other]);
  assessment.window = ratingWindow(assessment.shorterWaitSeconds, assessment.longerWaitSeconds);
  const promised = odds[one] / (odds[one] + odds[other]);
  const isFirst = field.number[one] < field.number[other];
  if (relation[other] < 0) assessStrangers(assessment, promised);
  else assessMatchup(assessment, field, relation[other], isFirst, promised, countsQuality);
}

function assessStrangers(assessment: Assessment, promised: number): void {
  assessment.games = 0;
  assessment.expected = promised;
  assessment.quality = openness(promised);
  assessment.contradicting = false;
}

function assessMatchup(
  assessment: Assessment,
  { matchups: { table }, maps }: Field,
  matchup: number,
  isFirst: boolean,
  promised: number,
  countsQuality: boolean,
): void {
  const share = isFirst ? promised : 1 - promised;
  const expected = expectedShare(table, matchup, share);
  const games = table.totals[CELLS * matchup];
  assessment.games = games;
  assessment.expected = isFirst ? expected : 1 - expected;
  assessment.quality = countsQuality ? meanOpenness(table, matchup, maps, expected) : 0;
  const points = table.totals[CELLS * matchup + 1] / 2;
  assessment.contradicting = contradicts(games, points, share);
}

/** Which pairs may play. */
export type Rule = {
  /** Why a pair may play; null for one that may not. */
  groundOf(assessment: Assessment): Ground | null;
  /** What it comes to for two that never met, as most have not: that both have waited so long, ... */
  leastWaitSeconds: number;
  /** ... and that they are within their window, or one has waited too long. */
  isWindowed: boolean;
  /** Whether an open fight weighs more. */
  countsQuality: boolean;
};

/** Without being discovery, or after too long a wait. */
export const COMPETITIVE: Rule = {
  groundOf: ({ gap, window, longerWaitSeconds, games, expected, quality }) => {
    if (gap <= window) return "window";
    const even = expected >= ESTABLISHED_SCORE && expected <= 1 - ESTABLISHED_SCORE;
    const open = even && quality >= ESTABLISHED_QUALITY;
    if (games >= ESTABLISHED_GAMES && open && gap <= WINDOW_CAP) return "established";
    return longerWaitSeconds >= PATIENCE_SECONDS ? "patience" : null;
  },
  leastWaitSeconds: 0,
  isWindowed: true,
  countsQuality: true,
};

/** For want of anything competitive: two that the matching left over. */
export const ADDED: Rule = {
  groundOf: ({ shorterWaitSeconds: shorter }) =>
    shorter >= ADDITION_WAIT_SECONDS ? "addition" : null,
  leastWaitSeconds: ADDITION_WAIT_SECONDS,
  isWindowed: false,
  countsQuality: true,
};

/** With a reserved start: the version pair is under-tested. */
export const RESERVED: Rule = {
  groundOf: ({ games, contradicting }) =>
    games < TESTED_GAMES || contradicting ? "reserved" : null,
  leastWaitSeconds: 0,
  isWindowed: false,
  countsQuality: false,
};

/** Whether two that never met may play, by their gap and waits. */
export function letsStrangers(
  { leastWaitSeconds, isWindowed }: Rule,
  gap: number,
  wait: number,
  otherWait: number,
): boolean {
  const shorter = Math.min(wait, otherWait);
  const longer = Math.max(wait, otherWait);
  if (shorter < leastWaitSeconds) return false;
  return !isWindowed || longer >= PATIENCE_SECONDS || gap <= ratingWindow(shorter, longer);
}

function contradicts(games: number, points: number, share: number): boolean {
  if (games === 0 || games >= EARLY_GAMES) return false;
  const error = Math.sqrt(games * share * (1 - share));
  return Math.abs(points - games * share) >= CONTRADICTION * error;
}
