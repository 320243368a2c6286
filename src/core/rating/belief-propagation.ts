import type { Beliefs, Information } from "./types.ts";

// Belief propagation: passes messages along the pairs to estimate how much information the games
// give about each version's strength. Exact if the pairs form a tree, and close otherwise (Weiss
// and Freeman, Neural Computation 13, 2001). Updates after a game cost almost nothing, so the
// estimates bridge the time between exact computations.

/** A message has settled if it changes by less than this share of a version's information. */
const SETTLED_CHANGE = 1e-4;

/** Messages settle in a few sweeps. After this many, the remaining error is negligible. */
const MAX_SWEEPS = 40;

export const createBeliefs = (): Beliefs => ({
  toFirst: new Float64Array(0),
  toSecond: new Float64Array(0),
});

/**
 * Updates the messages and returns the estimated variance of each version, in squared natural
 * units.
 */
export function estimateVariances(beliefs: Beliefs, information: Information): Float64Array {
  ensureCapacity(beliefs, information.pairs.first.length);
  const totals = totalInformation(beliefs, information);
  for (let sweepsLeft = MAX_SWEEPS; sweepsLeft > 0; sweepsLeft -= 2) {
    const isForwardSettled = sweep(beliefs, information, totals, 1);
    const isBackwardSettled = sweep(beliefs, information, totals, -1);
    if (isForwardSettled && isBackwardSettled) break;
  }
  return totals.map((total) => 1 / total);
}

function ensureCapacity(beliefs: Beliefs, capacity: number): void {
  for (const direction of ["toFirst", "toSecond"] as const) {
    if (beliefs[direction].length >= capacity) continue;
    const larger = new Float64Array(capacity);
    larger.set(beliefs[direction]);
    beliefs[direction] = larger;
  }
}

function totalInformation(
  { toFirst, toSecond }: Beliefs,
  { pairs, prior }: Information,
): Float64Array {
  const { first, second, count } = pairs;
  const totals = prior.slice();
  for (let pair = 0; pair < count; pair += 1) {
    totals[first[pair]!]! += toFirst[pair]!;
    totals[second[pair]!]! += toSecond[pair]!;
  }
  return totals;
}

/**
 * Updates every message, in pair order or in reverse. Returns whether all messages had settled. A
 * message is the information that one version has from elsewhere, passed through the pair's own
 * weight like two resistors in series.
 */
function sweep(
  { toFirst, toSecond }: Beliefs,
  { pairs, weight, prior }: Information,
  totals: Float64Array,
  direction: 1 | -1,
): boolean {
  const { first, second, count } = pairs;
  let isSettled = true;
  for (let pair = direction === 1 ? 0 : count - 1; pair >= 0 && pair < count; pair += direction) {
    const a = first[pair]!;
    const b = second[pair]!;
    const pairWeight = weight[pair]!;
    const elsewhereA = Math.max(prior[a]!, totals[a]! - toFirst[pair]!);
    const elsewhereB = Math.max(prior[b]!, totals[b]! - toSecond[pair]!);
    const changeA = (pairWeight * elsewhereB) / (pairWeight + elsewhereB) - toFirst[pair]!;
    const changeB = (pairWeight * elsewhereA) / (pairWeight + elsewhereA) - toSecond[pair]!;
    toFirst[pair]! += changeA;
    toSecond[pair]! += changeB;
    totals[a]! += changeA;
    totals[b]! += changeB;
    if (Math.abs(changeA) > SETTLED_CHANGE * totals[a]!) isSettled = false;
    if (Math.abs(changeB) > SETTLED_CHANGE * totals[b]!) isSettled = false;
  }
  return isSettled;
}
