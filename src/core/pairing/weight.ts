import type { PairAssessment } from "./types.ts";
import { WEIGHT_TERMS } from "./types.ts";
import type { PairingParameters, WeightTerms, WaitingBot } from "./types.ts";

// All terms are integers, in thousandths of an even match, so they add up to the weight exactly.

const EVEN_MATCH_WEIGHT = 1000;

/** Per second that each bot has waited, up to the priority wait. */
const PER_WAITED_SECOND = 10;

/** For a bot with priority. Greater than the weight of any pair without priority. */
const PRIORITY_WEIGHT = 10_000;

/** Per second beyond the priority wait, so that the longest wait comes first. */
const PER_PRIORITY_SECOND = 100;
/** Longer waits count as this one, which keeps weights bounded. */
const LONGEST_WAIT_SECONDS = 86_400;

const RECENTLY_IDLE_WEIGHT = 200;

/** Number of recent games that halves `RECENTLY_IDLE_WEIGHT`. */
const HALVING_RECENT_GAMES = 20;

const SETTLING_WEIGHT = 200;

/**
 * Weight for a version pair that has never met, and the number of games that halves this weight.
 */
const UNKNOWN_PAIR_WEIGHT = 150;
const HALVING_PAIR_GAMES = 10;

const CONTRADICTION_WEIGHT = 150;

type BotTerms = Pick<WeightTerms, "waiting" | "priority" | "fewerGames">;

function botTerms({ priorityWaitSeconds }: PairingParameters, bot: WaitingBot): BotTerms {
  const { waitSeconds, recentGames } = bot;
  const secondsBeyondPriority = Math.min(waitSeconds, LONGEST_WAIT_SECONDS) - priorityWaitSeconds;
  return {
    waiting: round(PER_WAITED_SECOND * Math.min(waitSeconds, priorityWaitSeconds)),
    priority:
      secondsBeyondPriority < 0
        ? 0
        : PRIORITY_WEIGHT + round(PER_PRIORITY_SECOND * secondsBeyondPriority),
    fewerGames: halve(RECENTLY_IDLE_WEIGHT / 2, recentGames, HALVING_RECENT_GAMES),
  };
}

const quality = (openness: number): number => round(EVEN_MATCH_WEIGHT * openness);

/** New versions learn most from settled ones. */
const settling = (settled: number, otherSettled: number): number =>
  round(SETTLING_WEIGHT * (Math.max(settled, otherSettled) - settled * otherSettled));

const information = (games: number): number =>
  halve(UNKNOWN_PAIR_WEIGHT, games, HALVING_PAIR_GAMES);

const contradiction = (contradicting: boolean): number =>
  contradicting ? CONTRADICTION_WEIGHT : 0;

/** Returns the terms of a pair. The quality term is 0 unless `countsQuality`. */
export function termsOf(
  numbers: PairingParameters,
  countsQuality: boolean,
  { quality: openness, games, contradicting }: PairAssessment,
  a: WaitingBot,
  b: WaitingBot,
): WeightTerms {
  const [termsA, termsB] = [botTerms(numbers, a), botTerms(numbers, b)];
  return {
    quality: quality(countsQuality ? openness : 0),
    settling: settling(settledShare(numbers, a), settledShare(numbers, b)),
    information: information(games),
    contradiction: contradiction(contradicting),
    waiting: termsA.waiting + termsB.waiting,
    priority: termsA.priority + termsB.priority,
    fewerGames: termsA.fewerGames + termsB.fewerGames,
  };
}

export function weightOf(terms: WeightTerms): number {
  let sum = 0;
  for (const term of WEIGHT_TERMS) sum += terms[term];
  return sum;
}

export function botWeight(numbers: PairingParameters, bot: WaitingBot): number {
  const { waiting, priority, fewerGames } = botTerms(numbers, bot);
  return waiting + priority + fewerGames;
}

export function pairWeight(
  openness: number,
  settled: number,
  otherSettled: number,
  games: number,
  contradicting: boolean,
): number {
  const informationWeight = settling(settled, otherSettled) + information(games);
  return quality(openness) + informationWeight + contradiction(contradicting);
}

/**
 * Returns the same as `pairWeight` for two bots that have never met, which is the most common case.
 */
export function unmetPairWeight(openness: number, settled: number, otherSettled: number): number {
  return quality(openness) + settling(settled, otherSettled) + UNKNOWN_PAIR_WEIGHT;
}

export function settledShare(
  { settledGames }: PairingParameters,
  { games }: { games: number },
): number {
  return Math.min(1, games / settledGames);
}

function halve(fullWeight: number, count: number, halvingCount: number): number {
  return round((fullWeight * halvingCount) / (halvingCount + count));
}

/**
 * Rounds a non-negative number. A wave calls this millions of times, and this is the fastest way.
 */
function round(value: number): number {
  return Math.floor(value + 0.5);
}
