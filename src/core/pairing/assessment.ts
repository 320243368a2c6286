import { CELLS, expectedShare, meanOpenness, openness } from "#core/rating/forecast.ts";

import { ratingWindow } from "./field.ts";
import type { Field } from "./field.ts";
import {
  ADDITION_WAIT_SECONDS,
  ESTABLISHED_GAMES,
  ESTABLISHED_QUALITY,
  ESTABLISHED_SCORE,
  PATIENCE_SECONDS,
} from "./rules.ts";
import type { Assessment, Ground, PairingNumbers } from "./types.ts";

/** A version pair with fewer games is under-tested. */
const TESTED_GAMES = 5;

/** Results of a pair with fewer games count as early. */
const EARLY_GAMES = 20;

/** Results contradict the ratings from this many standard errors. */
const CONTRADICTION = 1.5;

export function createAssessment(): Assessment {
  return {
    gap: 0,
    games: 0,
    expected: 0,
    quality: 0,
    contradicting: false,
  };
}

/**
 * Overwrites an assessment with that of two bots of a field. The row of the first must be entered.
 * Quality is the costly part and only computed if the rule counts it.
 */
export function assess(
  assessment: Assessment,
  field: Field,
  one: number,
  other: number,
  countsQuality: boolean,
): void {
  const { rating, odds, relation } = field;
  assessment.gap = Math.abs(rating[one]! - rating[other]!);
  const promised = odds[one]! / (odds[one]! + odds[other]!);
  const isFirst = field.number[one]! < field.number[other]!;
  if (relation[other]! < 0) assessStrangers(assessment, promised);
  else assessMatchup(assessment, field, relation[other]!, isFirst, promised, countsQuality);
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
  const games = table.totals[CELLS * matchup]!;
  assessment.games = games;
  assessment.expected = isFirst ? expected : 1 - expected;
  assessment.quality = countsQuality ? meanOpenness(table, matchup, maps, expected) : 0;
  const points = table.totals[CELLS * matchup + 1]! / 2;
  assessment.contradicting = contradicts(games, points, share);
}

/** Which pairs may play. */
export type Rule = {
  /** Why two bots may play, judged by gap and waits, whatever their results; or null. */
  byGap(field: Field, gap: number, one: number, other: number): Ground | null;
  /** Why two bots may play whom gap and waits keep apart, judged by their results; or null. */
  byResults(numbers: PairingNumbers, assessment: Assessment): Ground | null;
  /** Whether an open fight weighs more. */
  countsQuality: boolean;
};

/** Pairs that are not discovery. */
export const COMPETITIVE: Rule = {
  byGap: (field, gap, one, other) => (gap <= ratingWindow(field, one, other) ? "window" : null),
  byResults: ({ windowCap }, { gap, games, expected, quality }) => {
    if (games < ESTABLISHED_GAMES || gap > windowCap) return null;
    const isEven = expected >= ESTABLISHED_SCORE && expected <= 1 - ESTABLISHED_SCORE;
    return isEven && quality >= ESTABLISHED_QUALITY ? "established" : null;
  },
  countsQuality: true,
};

/** Pairs that the matching left over, for lack of anything competitive. */
export const ADDED: Rule = {
  byGap: ({ numbers, waitSeconds }, gap, one, other) => {
    const shorter = Math.min(waitSeconds[one]!, waitSeconds[other]!);
    if (shorter >= ADDITION_WAIT_SECONDS && gap <= numbers.windowCap) return "addition";
    const longer = Math.max(waitSeconds[one]!, waitSeconds[other]!);
    return longer >= PATIENCE_SECONDS ? "patience" : null;
  },
  byResults: () => null,
  countsQuality: true,
};

/** Pairs for a reserved start: under-tested ones. */
export const RESERVED: Rule = {
  byGap: () => null,
  byResults: (_, { games, contradicting }) =>
    games < TESTED_GAMES || contradicting ? "reserved" : null,
  countsQuality: false,
};

/** Pairs that somebody asked for. */
export const REQUESTED: Rule = {
  byGap: () => "requested",
  byResults: () => null,
  countsQuality: true,
};

/** Why an assessed pair may play, or null if it may not. */
export function groundOf(
  rule: Rule,
  field: Field,
  one: number,
  other: number,
  assessment: Assessment,
): Ground | null {
  const ground = rule.byGap(field, assessment.gap, one, other);
  return ground ?? rule.byResults(field.numbers, assessment);
}

/** Whether a rule allows pairs that never met and that gap and waits keep apart. */
export function letsStrangers(rule: Rule, { numbers }: Field): boolean {
  return rule.byResults(numbers, createAssessment()) !== null;
}

function contradicts(games: number, points: number, share: number): boolean {
  if (games === 0 || games >= EARLY_GAMES) return false;
  const error = Math.sqrt(games * share * (1 - share));
  return Math.abs(points - games * share) >= CONTRADICTION * error;
}
