import type { Results } from "#core/words/results.ts";

import { noBeliefs } from "./beliefs.ts";
import type { CompetitionResults, PairCounts, Score } from "./types.ts";

/** Pairs that a new scope has room for. It doubles when full. */
const FIRST_PAIRS = 64;

export function createCompetitionResults(): CompetitionResults {
  return {
    versions: [],
    indices: new Map(),
    tallies: [],
    pairs: createPairs(FIRST_PAIRS),
    opponents: [],
    anchors: [],
    strengths: new Float64Array(0),
    information: null,
    fit: null,
    anchorResponse: new Float64Array(0),
    variances: [],
    varianceRatios: [],
    beliefs: noBeliefs(),
    lastRefreshed: 0,
  };
}

/** Adds a version and returns its index; a known version keeps its own. */
export function addVersion(scope: CompetitionResults, version: string): number {
  const known = scope.indices.get(version);
  if (known !== undefined) return known;
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

/** Counts one game, adding unknown versions. `score` is that of `version`. */
export function addGame(
  scope: CompetitionResults,
  version: string,
  opponent: string,
  score: Score,
): void {
  addResults(scope, version, opponent, tallyOf(score, 1));
}

/**
 * Uncounts one game.
 * @throws RangeError if no such game is counted.
 */
export function removeGame(
  scope: CompetitionResults,
  version: string,
  opponent: string,
  score: Score,
): void {
  addResults(scope, version, opponent, tallyOf(score, -1));
}

/**
 * Counts many games of a pair at once, as aggregated by the store; results are those of `version`.
 * @throws RangeError for a version against itself, or if a count would become negative.
 */
export function addResults(
  scope: CompetitionResults,
  version: string,
  opponent: string,
  results: Results,
): void {
  if (version === opponent) throw new RangeError(`${version} cannot meet itself`);
  const index = addVersion(scope, version);
  const other = addVersion(scope, opponent);
  countPair(scope, index, other, results);
  addTally(scope.tallies[index]!, results);
  addTally(scope.tallies[other]!, mirrored(results));
  scope.fit = null;
}

/**
 * Sets the versions whose mean is the centre of the scale: the current versions of the house bots
 * except the champion. One without a game in the scope does not count until it has played.
 */
export function setAnchors(scope: CompetitionResults, versions: readonly string[]): void {
  scope.anchors = [...new Set(versions)];
  scope.fit = null;
}

/** Wins, losses and draws of a version in the scope; all zero for an unknown one. */
export function tally(scope: CompetitionResults, version: string): Results {
  const index = scope.indices.get(version);
  return index === undefined ? { wins: 0, losses: 0, draws: 0 } : { ...scope.tallies[index]! };
}

export function games({ wins, losses, draws }: Results): number {
  return wins + losses + draws;
}

function tallyOf(score: Score, count: number): Results {
  return {
    wins: score === 1 ? count : 0,
    losses: score === 0 ? count : 0,
    draws: score === 0.5 ? count : 0,
  };
}

function mirrored({ wins, losses, draws }: Results): Results {
  return { wins: losses, losses: wins, draws };
}

function addTally(sum: Results, more: Results): void {
  sum.wins += more.wins;
  sum.losses += more.losses;
  sum.draws += more.draws;
}

function countPair(
  scope: CompetitionResults,
  index: number,
  other: number,
  results: Results,
): void {
  const place = scope.opponents[index]!.get(other) ?? addPair(scope, index, other);
  const { pairs } = scope;
  const { wins, losses, draws } = pairs.first[place] === index ? results : mirrored(results);
  const lowest = Math.min(
    pairs.wins[place]! + wins,
    pairs.losses[place]! + losses,
    pairs.draws[place]! + draws,
  );
  if (lowest < 0) throw new RangeError("a game that was never counted cannot be removed");
  pairs.wins[place]! += wins;
  pairs.losses[place]! += losses;
  pairs.draws[place]! += draws;
}

function addPair(scope: CompetitionResults, index: number, other: number): number {
  if (scope.pairs.count === scope.pairs.first.length) makeRoom(scope);
  const { pairs } = scope;
  const place = pairs.count;
  pairs.count += 1;
  pairs.first[place] = index;
  pairs.second[place] = other;
  scope.opponents[index]!.set(other, place);
  scope.opponents[other]!.set(index, place);
  return place;
}

function createPairs(room: number): PairCounts {
  return {
    count: 0,
    first: new Int32Array(room),
    second: new Int32Array(room),
    wins: new Int32Array(room),
    losses: new Int32Array(room),
    draws: new Int32Array(room),
  };
}

function makeRoom(scope: CompetitionResults): void {
  scope.pairs = withMoreRoom(scope.pairs);
  scope.information = null;
}

function withMoreRoom(pairs: PairCounts): PairCounts {
  const larger = createPairs(2 * pairs.count);
  larger.count = pairs.count;
  larger.first.set(pairs.first);
  larger.second.set(pairs.second);
  larger.wins.set(pairs.wins);
  larger.losses.set(pairs.losses);
  larger.draws.set(pairs.draws);
  return larger;
}
