import type { Assessment } from "./types.ts";
import { TERMS } from "./types.ts";
import type { PairingNumbers, Terms, WaitingBot } from "./types.ts";

// All terms are integers, in thousandths of an even fight, so that they sum to the weight exactly.

/** An even fight. */
const EVEN_FIGHT = 1000;

/** Per second that each bot has waited, up to the wait that gives priority. */
const PER_WAITED_SECOND = 10;

/** For a bot with priority: more than any pair without one can weigh. */
const PRIORITY = 10_000;

/** Per second beyond the priority wait, so that the oldest come first, ... */
const PER_PRIORITY_SECOND = 100;
/** ... up to this wait, which keeps weights bounded. */
const LONGEST_WAIT_SECONDS = 86_400;

/** For a pair of bots that have not played recently. */
const UNPLAYED_LATELY = 200;

/** Recent games that halve it. */
const HALVING_RECENT_GAMES = 20;

/** For a version without games against a settled one. */
const SETTLING = 200;

/** For a version pair that never met, and the pair games that halve it. */
const UNKNOWN_PAIR = 150;
const HALVING_PAIR_GAMES = 10;

/** For a version pair whose early results contradict the ratings. */
const CONTRADICTING_PAIR = 150;

/** What each bot adds to a pair, whoever the other is. */
type OwnTerms = Pick<Terms, "waiting" | "priority" | "fewerGames">;

function ownTerms({ priorityWaitSeconds }: PairingNumbers, bot: WaitingBot): OwnTerms {
  const { waitSeconds, recentGames } = bot;
  const beyond = Math.min(waitSeconds, LONGEST_WAIT_SECONDS) - priorityWaitSeconds;
  return {
    waiting: rounded(PER_WAITED_SECOND * Math.min(waitSeconds, priorityWaitSeconds)),
    priority: beyond < 0 ? 0 : PRIORITY + rounded(PER_PRIORITY_SECOND * beyond),
    fewerGames: halved(UNPLAYED_LATELY / 2, recentGames, HALVING_RECENT_GAMES),
  };
}

/** An openness that must not count is given as 0. */
const quality = (openness: number): number => rounded(EVEN_FIGHT * openness);

/** New versions learn most from settled ones. */
const settling = (settled: number, otherSettled: number): number =>
  rounded(SETTLING * (Math.max(settled, otherSettled) - settled * otherSettled));

const information = (games: number): number => halved(UNKNOWN_PAIR, games, HALVING_PAIR_GAMES);

const contradiction = (contradicting: boolean): number => (contradicting ? CONTRADICTING_PAIR : 0);

/** The reasons for a pair; quality may be left out. */
export function termsOf(
  numbers: PairingNumbers,
  countsQuality: boolean,
  { quality: openness, games, contradicting }: Assessment,
  one: WaitingBot,
  other: WaitingBot,
): Terms {
  const [own, others] = [ownTerms(numbers, one), ownTerms(numbers, other)];
  return {
    quality: quality(countsQuality ? openness : 0),
    settling: settling(settledShare(numbers, one), settledShare(numbers, other)),
    information: information(games),
    contradiction: contradiction(contradicting),
    waiting: own.waiting + others.waiting,
    priority: own.priority + others.priority,
    fewerGames: own.fewerGames + others.fewerGames,
  };
}

export function weightOf(terms: Terms): number {
  let sum = 0;
  for (const term of TERMS) sum += terms[term];
  return sum;
}

/** What a bot adds to the weight of each of its pairs. */
export function ownWeight(numbers: PairingNumbers, bot: WaitingBot): number {
  const { waiting, priority, fewerGames } = ownTerms(numbers, bot);
  return waiting + priority + fewerGames;
}

/** The weight that depends on both bots: the sum of those of their terms that do. */
export function sharedWeight(
  openness: number,
  settled: number,
  otherSettled: number,
  games: number,
  contradicting: boolean,
): number {
  const learning = settling(settled, otherSettled) + information(games);
  return quality(openness) + learning + contradiction(contradicting);
}

/** The same of two that never met, as most have not: without games or a contradiction. */
export function strangersWeight(openness: number, settled: number, otherSettled: number): number {
  return quality(openness) + settling(settled, otherSettled) + UNKNOWN_PAIR;
}

/** How settled a version is, 0 to 1. */
export function settledShare(
  { settledGames }: PairingNumbers,
  { games }: { games: number },
): number {
  return Math.min(1, games / settledGames);
}

function halved(whole: number, count: number, halvingCount: number): number {
  return rounded((whole * halvingCount) / (halvingCount + count));
}

/** Rounds a non-negative number. A wave does so millions of times, and this is the fastest way. */
function rounded(value: number): number {
  return Math.floor(value + 0.5);
}
