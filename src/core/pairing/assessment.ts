import {
  CELLS_PER_MAP,
  expectedShare,
  meanMatchQuality,
  matchQuality,
} from "#core/rating/forecast.ts";

import { ratingWindow } from "./pairing-field.ts";
import type { PairingField } from "./pairing-field.ts";
import {
  ADDITION_WAIT_SECONDS,
  ESTABLISHED_GAMES,
  ESTABLISHED_QUALITY,
  ESTABLISHED_SCORE,
  PATIENCE_SECONDS,
} from "./rules.ts";
import type { PairAssessment, PairingGround, PairingParameters } from "./types.ts";

const WELL_TESTED_GAMES = 5;

/** Results can contradict the ratings only if a pair has fewer games than this. */
const EARLY_GAMES = 20;

/** Results contradict the ratings if they differ by this many standard errors. */
const CONTRADICTION_ERRORS = 1.5;

export function createAssessment(): PairAssessment {
  return {
    gap: 0,
    games: 0,
    expected: 0,
    quality: 0,
    contradicting: false,
  };
}

/**
 * Writes the assessment of two bots into `assessment`. Call `enterRow` for `a` first. Computes
 * quality only if `countsQuality`, because it is expensive.
 */
export function assess(
  assessment: PairAssessment,
  field: PairingField,
  a: number,
  b: number,
  countsQuality: boolean,
): void {
  const { rating, odds, relation } = field;
  assessment.gap = Math.abs(rating[a]! - rating[b]!);
  const predictedShare = odds[a]! / (odds[a]! + odds[b]!);
  const isFirst = field.number[a]! < field.number[b]!;
  if (relation[b]! < 0) assessStrangers(assessment, predictedShare);
  else assessMatchup(assessment, field, relation[b]!, isFirst, predictedShare, countsQuality);
}

function assessStrangers(assessment: PairAssessment, predictedShare: number): void {
  assessment.games = 0;
  assessment.expected = predictedShare;
  assessment.quality = matchQuality(predictedShare);
  assessment.contradicting = false;
}

function assessMatchup(
  assessment: PairAssessment,
  { matchups: { table }, maps }: PairingField,
  matchup: number,
  isFirst: boolean,
  predictedShare: number,
  countsQuality: boolean,
): void {
  const share = isFirst ? predictedShare : 1 - predictedShare;
  const expected = expectedShare(table, matchup, share);
  const games = table.totals[CELLS_PER_MAP * matchup]!;
  assessment.games = games;
  assessment.expected = isFirst ? expected : 1 - expected;
  assessment.quality = countsQuality ? meanMatchQuality(table, matchup, maps, expected) : 0;
  const points = table.totals[CELLS_PER_MAP * matchup + 1]! / 2;
  assessment.contradicting = contradictsRatings(games, points, share);
}

export type PairingRule = {
  /** Returns why the rating gap and waits of two bots allow them to play, or null if they don't. */
  byGap(field: PairingField, gap: number, a: number, b: number): PairingGround | null;
  /**
   * Returns why the results of two bots allow them to play even if gap and waits don't, or null if
   * they don't.
   */
  byResults(numbers: PairingParameters, assessment: PairAssessment): PairingGround | null;
  countsQuality: boolean;
};

/** Allows competitive pairs: inside the window, or an established matchup. */
export const COMPETITIVE_RULE: PairingRule = {
  byGap: (field, gap, a, b) => (gap <= ratingWindow(field, a, b) ? "window" : null),
  byResults: ({ windowCap }, { gap, games, expected, quality }) => {
    if (games < ESTABLISHED_GAMES || gap > windowCap) return null;
    const isCompetitive = expected >= ESTABLISHED_SCORE && expected <= 1 - ESTABLISHED_SCORE;
    return isCompetitive && quality >= ESTABLISHED_QUALITY ? "established" : null;
  },
  countsQuality: true,
};

/** Allows pairs of bots for which the matching found no competitive opponent. */
export const ADDITION_RULE: PairingRule = {
  byGap: ({ numbers, waitSeconds }, gap, a, b) => {
    const shorterWait = Math.min(waitSeconds[a]!, waitSeconds[b]!);
    if (shorterWait >= ADDITION_WAIT_SECONDS && gap <= numbers.windowCap) return "addition";
    const longerWait = Math.max(waitSeconds[a]!, waitSeconds[b]!);
    return longerWait >= PATIENCE_SECONDS ? "patience" : null;
  },
  byResults: () => null,
  countsQuality: true,
};

export const RESERVED_RULE: PairingRule = {
  byGap: () => null,
  byResults: (_, { games, contradicting }) =>
    games < WELL_TESTED_GAMES || contradicting ? "reserved" : null,
  countsQuality: false,
};

export const REQUESTED_RULE: PairingRule = {
  byGap: () => "requested",
  byResults: () => null,
  countsQuality: true,
};

export function groundOf(
  rule: PairingRule,
  field: PairingField,
  a: number,
  b: number,
  assessment: PairAssessment,
): PairingGround | null {
  const ground = rule.byGap(field, assessment.gap, a, b);
  return ground ?? rule.byResults(field.numbers, assessment);
}

/** Returns whether a rule allows two bots that have never met even if their gap and waits don't. */
export function allowsStrangers(rule: PairingRule, { numbers }: PairingField): boolean {
  return rule.byResults(numbers, createAssessment()) !== null;
}

function contradictsRatings(games: number, points: number, share: number): boolean {
  if (games === 0 || games >= EARLY_GAMES) return false;
  const standardError = Math.sqrt(games * share * (1 - share));
  return Math.abs(points - games * share) >= CONTRADICTION_ERRORS * standardError;
}
