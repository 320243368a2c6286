import { addVersion, createCompetitionResults, games } from "./competition-results.ts";
import type { PairCounts, CompetitionResults } from "./types.ts";

/**
 * A copy of the counts with versions and pairs in the order of version ids, and nothing fitted yet.
 * The last digits of a fit depend on where it starts and on the order of its sums; a fit of this
 * copy depends on the counts and anchors alone. Read-only: games cannot be added to it.
 */
export function canonicalCopy(scope: CompetitionResults): CompetitionResults {
  const copy = createCompetitionResults();
  const places = new Int32Array(scope.versions.length).fill(-1);
  const played = scope.versions.filter((_, index) => games(scope.tallies[index]!) > 0);
  for (const version of played.toSorted()) {
    const index = scope.indices.get(version)!;
    places[index] = addVersion(copy, version);
    Object.assign(copy.tallies[places[index]]!, scope.tallies[index]);
  }
  copy.pairs = sortedPairs(scope, places, played.length);
  copy.anchors = scope.anchors.toSorted();
  return copy;
}

/** Each pair as seen from its lesser place, ordered by both places. */
function sortedPairs(scope: CompetitionResults, places: Int32Array, size: number): PairCounts {
  const { first, second, wins, losses, draws } = scope.pairs;
  const order = orderOfPairs(scope, places, size);
  const sorted: PairCounts = {
    count: order.length,
    first: new Int32Array(order.length),
    second: new Int32Array(order.length),
    wins: new Int32Array(order.length),
    losses: new Int32Array(order.length),
    draws: new Int32Array(order.length),
  };
  for (const [at, pair] of order.entries()) {
    const isTurned = places[first[pair]!]! > places[second[pair]!]!;
    sorted.first[at] = places[isTurned ? second[pair]! : first[pair]!]!;
    sorted.second[at] = places[isTurned ? first[pair]! : second[pair]!]!;
    sorted.wins[at] = isTurned ? losses[pair]! : wins[pair]!;
    sorted.losses[at] = isTurned ? wins[pair]! : losses[pair]!;
    sorted.draws[at] = draws[pair]!;
  }
  return sorted;
}

/** Indices of the pairs that have games. Two places and an index fit into 53 bits. */
function orderOfPairs({ pairs }: CompetitionResults, places: Int32Array, size: number): Int32Array {
  const { first, second, wins, losses, draws, count } = pairs;
  const keys = new Float64Array(count);
  let kept = 0;
  for (let pair = 0; pair < count; pair += 1) {
    const played = wins[pair]! + losses[pair]! + draws[pair]!;
    if (played === 0) continue;
    const one = places[first[pair]!]!;
    const other = places[second[pair]!]!;
    keys[kept] = (Math.min(one, other) * size + Math.max(one, other)) * count + pair;
    kept += 1;
  }
  return Int32Array.from(keys.subarray(0, kept).sort(), (key) => key % count);
}
