import { ensureVersion, createCompetitionResults, gamesPlayed } from "./competition-results.ts";
import type { PairCounts, CompetitionResults } from "./types.ts";

/**
 * Returns a copy of the counts without a fit, with versions and pairs in the order of version ids.
 * The last digits of a fit depend on its starting point and on the order of sums; a fit of this
 * copy depends only on counts and anchors. Games can't be added to the copy.
 */
export function canonicalCopy(scope: CompetitionResults): CompetitionResults {
  const copy = createCompetitionResults();
  const newIndices = new Int32Array(scope.versions.length).fill(-1);
  const playedVersions = scope.versions.filter(
    (_, index) => gamesPlayed(scope.tallies[index]!) > 0,
  );
  for (const version of playedVersions.toSorted()) {
    const index = scope.indices.get(version)!;
    newIndices[index] = ensureVersion(copy, version);
    Object.assign(copy.tallies[newIndices[index]]!, scope.tallies[index]);
  }
  copy.pairs = sortPairs(scope, newIndices, playedVersions.length);
  copy.anchors = scope.anchors.toSorted();
  return copy;
}

function sortPairs(scope: CompetitionResults, newIndices: Int32Array, size: number): PairCounts {
  const { first, second, wins, losses, draws } = scope.pairs;
  const order = pairOrder(scope, newIndices, size);
  const sorted: PairCounts = {
    count: order.length,
    first: new Int32Array(order.length),
    second: new Int32Array(order.length),
    wins: new Int32Array(order.length),
    losses: new Int32Array(order.length),
    draws: new Int32Array(order.length),
  };
  for (const [position, pair] of order.entries()) {
    const isSwapped = newIndices[first[pair]!]! > newIndices[second[pair]!]!;
    sorted.first[position] = newIndices[isSwapped ? second[pair]! : first[pair]!]!;
    sorted.second[position] = newIndices[isSwapped ? first[pair]! : second[pair]!]!;
    sorted.wins[position] = isSwapped ? losses[pair]! : wins[pair]!;
    sorted.losses[position] = isSwapped ? wins[pair]! : losses[pair]!;
    sorted.draws[position] = draws[pair]!;
  }
  return sorted;
}

/**
 * Returns the sorted indices of the pairs that have games. Two version indices and a pair index fit
 * into 53 bits.
 */
function pairOrder(
  { pairs }: CompetitionResults,
  newIndices: Int32Array,
  size: number,
): Int32Array {
  const { first, second, wins, losses, draws, count } = pairs;
  const keys = new Float64Array(count);
  let pairCount = 0;
  for (let pair = 0; pair < count; pair += 1) {
    const gameCount = wins[pair]! + losses[pair]! + draws[pair]!;
    if (gameCount === 0) continue;
    const a = newIndices[first[pair]!]!;
    const b = newIndices[second[pair]!]!;
    keys[pairCount] = (Math.min(a, b) * size + Math.max(a, b)) * count + pair;
    pairCount += 1;
  }
  return Int32Array.from(keys.subarray(0, pairCount).sort(), (key) => key % count);
}
