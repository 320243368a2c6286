import type { Results } from "#core/ids/results.ts";

import { createBeliefs } from "./belief-propagation.ts";
import type { CompetitionResults, PairCounts, Score } from "./types.ts";

/** Initial capacity in pairs. Doubles when full. */
const INITIAL_PAIR_CAPACITY = 64;

export function createCompetitionResults(): CompetitionResults {
  return {
    versions: [],
    indices: new Map(),
    tallies: [],
    pairs: createPairs(INITIAL_PAIR_CAPACITY),
    opponents: [],
    anchors: [],
    strengths: new Float64Array(0),
    information: null,
    fit: null,
    anchorResponse: new Float64Array(0),
    variances: [],
    varianceRatios: [],
    beliefs: createBeliefs(),
    lastRefreshed: 0,
  };
}

export function ensureVersion(scope: CompetitionResults, version: string): number {
  const existing = scope.indices.get(version);
  if (existing !== undefined) return existing;
  const index = scope.versions.push(version) - 1;
  scope.indices.set(version, index);
  scope.tallies.push({ wins: 0, losses: 0, draws: 0 });
  scope.opponents.push(new Map());
  scope.variances.push(NaN);
  scope.varianceRatios.push(1);
  scope.information = null;
  scope.fit = null;
  return index;
}

/** Adds a game and any unknown version. `score` is from the perspective of `version`. */
export function addRatedGame(
  scope: CompetitionResults,
  version: string,
  opponent: string,
  score: Score,
): void {
  addPairResults(scope, version, opponent, resultsOf(score, 1));
}

/**
 * Removes a game.
 * @throws RangeError if no such game was counted.
 */
export function removeRatedGame(
  scope: CompetitionResults,
  version: string,
  opponent: string,
  score: Score,
): void {
  addPairResults(scope, version, opponent, resultsOf(score, -1));
}

/**
 * Adds a pair's results, aggregated by the store. Results are from the perspective of `version`.
 * @throws RangeError for a version against itself, or if a count would become negative.
 */
export function addPairResults(
  scope: CompetitionResults,
  version: string,
  opponent: string,
  results: Results,
): void {
  if (version === opponent) throw new RangeError(`${version} cannot play itself`);
  const index = ensureVersion(scope, version);
  const opponentIndex = ensureVersion(scope, opponent);
  countPair(scope, index, opponentIndex, results);
  addToResults(scope.tallies[index]!, results);
  addToResults(scope.tallies[opponentIndex]!, mirrorResults(results));
  scope.fit = null;
}

/**
 * Sets the versions whose mean rating is `CENTRE`: the current versions of the house bots except
 * the champion. A version counts only once it has played.
 */
export function setAnchors(scope: CompetitionResults, versions: readonly string[]): void {
  scope.anchors = [...new Set(versions)];
  scope.fit = null;
}

/** Returns the wins, losses and draws of a version. All are 0 for an unknown version. */
export function versionResults(scope: CompetitionResults, version: string): Results {
  const index = scope.indices.get(version);
  return index === undefined ? { wins: 0, losses: 0, draws: 0 } : { ...scope.tallies[index]! };
}

export function gamesPlayed({ wins, losses, draws }: Results): number {
  return wins + losses + draws;
}

function resultsOf(score: Score, count: number): Results {
  return {
    wins: score === 1 ? count : 0,
    losses: score === 0 ? count : 0,
    draws: score === 0.5 ? count : 0,
  };
}

function mirrorResults({ wins, losses, draws }: Results): Results {
  return { wins: losses, losses: wins, draws };
}

function addToResults(sum: Results, added: Results): void {
  sum.wins += added.wins;
  sum.losses += added.losses;
  sum.draws += added.draws;
}

function countPair(
  scope: CompetitionResults,
  index: number,
  opponentIndex: number,
  results: Results,
): void {
  const pairIndex =
    scope.opponents[index]!.get(opponentIndex) ?? addPair(scope, index, opponentIndex);
  const { pairs } = scope;
  const { wins, losses, draws } =
    pairs.first[pairIndex] === index ? results : mirrorResults(results);
  const lowestCount = Math.min(
    pairs.wins[pairIndex]! + wins,
    pairs.losses[pairIndex]! + losses,
    pairs.draws[pairIndex]! + draws,
  );
  if (lowestCount < 0) throw new RangeError("a game that was never counted cannot be removed");
  pairs.wins[pairIndex]! += wins;
  pairs.losses[pairIndex]! += losses;
  pairs.draws[pairIndex]! += draws;
}

function addPair(scope: CompetitionResults, index: number, opponentIndex: number): number {
  if (scope.pairs.count === scope.pairs.first.length) growPairs(scope);
  const { pairs } = scope;
  const pairIndex = pairs.count;
  pairs.count += 1;
  pairs.first[pairIndex] = index;
  pairs.second[pairIndex] = opponentIndex;
  scope.opponents[index]!.set(opponentIndex, pairIndex);
  scope.opponents[opponentIndex]!.set(index, pairIndex);
  return pairIndex;
}

function createPairs(capacity: number): PairCounts {
  return {
    count: 0,
    first: new Int32Array(capacity),
    second: new Int32Array(capacity),
    wins: new Int32Array(capacity),
    losses: new Int32Array(capacity),
    draws: new Int32Array(capacity),
  };
}

function growPairs(scope: CompetitionResults): void {
  scope.pairs = copyWithCapacity(scope.pairs);
  scope.information = null;
}

function copyWithCapacity(pairs: PairCounts): PairCounts {
  const larger = createPairs(2 * pairs.count);
  larger.count = pairs.count;
  larger.first.set(pairs.first);
  larger.second.set(pairs.second);
  larger.wins.set(pairs.wins);
  larger.losses.set(pairs.losses);
  larger.draws.set(pairs.draws);
  return larger;
}
