import type { Assessment } from "./assessment.ts";
import { PRIORITY_WAIT_SECONDS } from "./rules.ts";
import { TERMS } from "./types.ts";
import type { Terms, WaitingBot } from "./types.ts";

// All terms are whole thousandths of an even fight, so that they sum to the weight exactly.

/** An even fight. */
const EVEN_FIGHT = 1000;

/** For each second that each bot has waited, up to the wait that gives priority. */
const PER_WAITED_SECOND = 10;

/** For a bot with priority: more than all that a pair without one can weigh. */
const PRIORITY = 10_000;

/** For each second beyond the priority wait, so that the oldest come first, ... */
const PER_PRIORITY_SECOND = 100;
/** ... up to this wait: what keeps weights small. */
const LONGEST_WAIT_SECONDS = 86_400;

/** For a pair of bots that have not played lately. */
const UNPLAYED_LATELY = 200;

/** Recent games that halve it. */
const HALVING_RECENT_GAMES = 20;

/** For a version without games against a settled one. */
const SETTLING = 200;

/** Rated games after which a version is settled: those of a ranked one. */
const SETTLED_GAMES = 30;

/** For a version pair that never met, and the pair games that halve it. */
const UNKNOWN_PAIR = 150;
const HALVING_PAIR_GAMES = 10;

/** For a version pair whose early results contradict the ratings. */
const CONTRADICTING_PAIR = 150;

/** The reasons for a pair; quality may be left out. */
export function termsOf(
  countsQuality: boolean,
  assessment: Assessment,
  one: WaitingBot,
  other: WaitingBot,
): Terms {
  return {
    quality: countsQuality ? quality(assessment.quality) : 0,
    waiting: waiting(one) + waiting(other),
    priority: priority(one) + priority(other),
    fewerGames: fewerGames(one) + fewerGames(other),
    settling: settling(settledShare(one), settledShare(other)),
    information: information(assessment),
    contradiction: contradiction(assessment),
  };
}

export function weightOf(terms: Terms): number {
  let sum = 0;
  for (const term of TERMS) sum += terms[term];
  return sum;
}

/** The sum of the terms that depend on one bot of a pair alone. */
export function ownWeight(bot: WaitingBot): number {
  return waiting(bot) + priority(bot) + fewerGames(bot);
}

/** How settled a version is, 0 to 1. */
export function settledShare({ games }: { games: number }): number {
  return Math.min(1, games / SETTLED_GAMES);
}

/** The sum of all other terms, from how settled both versions are. */
export function sharedWeight(
  countsQuality: boolean,
  assessment: Assessment,
  settled: number,
  otherSettled: number,
): number {
  const fight = countsQuality ? quality(assessment.quality) : 0;
  const learning = settling(settled, otherSettled) + information(assessment);
  return fight + learning + contradiction(assessment);
}

/** The same for two that never met; an openness that is not to count is 0. */
export function strangersWeight(openness: number, settled: number, otherSettled: number): number {
  return quality(openness) + settling(settled, otherSettled) + UNKNOWN_PAIR;
}

function quality(openness: number): number {
  return rounded(EVEN_FIGHT * openness);
}

function waiting({ waitSeconds }: WaitingBot): number {
  return rounded(PER_WAITED_SECOND * Math.min(waitSeconds, PRIORITY_WAIT_SECONDS));
}

function priority({ waitSeconds }: WaitingBot): number {
  if (waitSeconds < PRIORITY_WAIT_SECONDS) return 0;
  const beyond = Math.min(waitSeconds, LONGEST_WAIT_SECONDS) - PRIORITY_WAIT_SECONDS;
  return PRIORITY + rounded(PER_PRIORITY_SECOND * beyond);
}

function fewerGames({ recentGames }: WaitingBot): number {
  return halved(UNPLAYED_LATELY / 2, recentGames, HALVING_RECENT_GAMES);
}

/** New versions learn most from versions whose place is known. */
function settling(settled: number, other: number): number {
  return rounded(SETTLING * (Math.max(settled, other) - settled * other));
}

function information({ games }: Assessment): number {
  return halved(UNKNOWN_PAIR, games, HALVING_PAIR_GAMES);
}

function contradiction({ contradicting }: Assessment): number {
  return contradicting ? CONTRADICTING_PAIR : 0;
}

function halved(whole: number, count: number, halvingCount: number): number {
  return rounded((whole * halvingCount) / (halvingCount + count));
}

/** Rounds what is not negative; a wave does so millions of times, and this is the fastest way. */
function rounded(value: number): number {
  return Math.floor(value + 0.5);
}
