// Measures the rating update after each match, the computation of all standard errors, and the
// accuracy of both. Shows the ratio of each time to a cold start, which fits all ratings from the
// counts by Newton's method.

import { createRandomDraw, shuffle } from "#core/pairing/random.ts";
import type { RandomDraw } from "#core/pairing/random.ts";
import {
  addRatedGame,
  addPairResults,
  createCompetitionResults,
  setAnchors,
} from "#core/rating/competition-results.ts";
import { exactDeviations, refreshDeviations, cachedDeviation } from "#core/rating/deviation.ts";
import { exactRatings } from "#core/rating/exact-ratings.ts";
import { ratingOf, refit } from "#core/rating/fit.ts";
import type { CompetitionResults, Score } from "#core/rating/types.ts";
import { deviationsPerRead } from "#live/matchmaker/board-refresh.ts";

/**
 * `opponents` is the number of opponents per version, `pairGames` the number of games per pair that
 * has met. `games` and `passes` are how many games and full passes are measured.
 */
const LADDERS = [
  { versions: 100, opponents: 20, pairGames: 1000, games: 300, passes: 15 },
  { versions: 1000, opponents: 20, pairGames: 100, games: 300, passes: 5 },
  { versions: 1000, opponents: 6, pairGames: 1, games: 600, passes: 3 },
  { versions: 5000, opponents: 20, pairGames: 20, games: 90, passes: 1 },
];
const HOUSE_BOTS = 3;

/** Share of measured games between versions that haven't met before. */
const NEW_PAIRS = 0.3;

/** Rating difference between the strongest and the weakest version, in natural units. */
const SPREAD = 6;

/** Number of measured games per cold fit. The two alternate. */
const GAMES_PER_COLD_FIT = 15;

/** Games between two reads of a busy leaderboard. */
const GAMES_PER_READING = 10;
const WARM_UP_SHARE = 1 / 3;

type Ladder = (typeof LADDERS)[number];
type RatingWorld = { scope: CompetitionResults; strengths: number[]; draw: RandomDraw };
type RatingTimes = Record<"refit" | "exact" | "both" | "reading" | "anew" | "full pass", number[]>;

export async function run(): Promise<void> {
  console.log(
    "means in ms of CPU time; ratios to a fit of all counts from scratch; errors in points",
  );
  for (const ladder of LADDERS) measure(ladder);
}

function measure(ladder: Ladder): void {
  const { versions, opponents, pairGames, games } = ladder;
  const world = createWorld(ladder);
  const timings: RatingTimes = {
    refit: [],
    exact: [],
    both: [],
    reading: [],
    anew: [],
    "full pass": [],
  };
  const unread = new Set<string>();
  refit(world.scope);
  exactDeviations(world.scope);
  const errors: number[] = [];
  for (let game = 0; game < games; game += 1) {
    const pair = playGame(world);
    timings.refit.push(timeOf(() => refit(world.scope)));
    timings.exact.push(timeOf(() => exactRatings(world.scope, pair)));
    timings.both.push(timings.refit.at(-1)! + timings.exact.at(-1)!);
    pair.forEach((name) => unread.add(name));
    if (game % GAMES_PER_READING === 0)
      timings.reading.push(timeOf(() => refreshBoard(world, unread)));
    if (game % GAMES_PER_COLD_FIT > 0) continue;
    const coldResults = coldCopy(world.scope);
    timings.anew.push(timeOf(() => refit(coldResults)));
    errors.push(maxDifference(world.scope, coldResults));
  }
  console.log(`${versions} versions, ${opponents} opponents of each, ${pairGames} games a pair`);
  timeFullPasses(world, ladder, timings);
  print(timings);
  console.log(`  max rating error ${Math.max(...errors).toExponential(1)}`);
}

function refreshBoard({ scope }: RatingWorld, unread: Set<string>): void {
  refreshDeviations(scope, deviationsPerRead(scope.versions.length), unread);
  unread.clear();
}

/** Times full passes. The first pass also processes the changes made by the measured games. */
function timeFullPasses(
  { scope, ...world }: RatingWorld,
  { passes, games }: Ladder,
  timings: RatingTimes,
): void {
  const rememberedDeviations = scope.versions.map((version) => cachedDeviation(scope, version));
  for (let pass = 0; pass < passes; pass += 1) {
    if (pass > 0) playGame({ scope, ...world });
    refit(scope);
    let exact = new Map<string, number>();
    timings["full pass"].push(timeOf(() => (exact = exactDeviations(scope))));
    if (pass > 0) continue;
    const deviationErrors = scope.versions.map((version, index) =>
      Math.abs(rememberedDeviations[index]! - exact.get(version)!),
    );
    deviationErrors.sort((a, b) => a - b);
    const figures = [
      deviationErrors[deviationErrors.length >> 1],
      deviationErrors[Math.floor(0.99 * deviationErrors.length)],
      deviationErrors.at(-1)!,
    ];
    const [medianError, p99Error, maxError] = figures.map((error) => error!.toFixed(4));
    console.log(`  deviations ${games} games after a pass: half within ${medianError},`);
    console.log(`    99 % within ${p99Error}, all within ${maxError}`);
  }
}

function print(timings: RatingTimes): void {
  const reference = meanOf(timings.anew);
  for (const [name, times] of Object.entries(timings)) {
    const mean = meanOf(times);
    const ratio = (mean / reference).toFixed(2);
    console.log(`  ${name.padEnd(9)} ${mean.toFixed(2).padStart(9)}  ${ratio} of scratch`);
  }
}

const nameOf = (index: number): string => `version${index}`;

function maxDifference(scope: CompetitionResults, otherScope: CompetitionResults): number {
  const differences = scope.versions.map((name) =>
    Math.abs(ratingOf(scope, name) - ratingOf(otherScope, name)),
  );
  return Math.max(...differences);
}

function createWorld({ versions, opponents, pairGames }: Ladder): RatingWorld {
  const draw = createRandomDraw(versions);
  const world = {
    scope: createCompetitionResults(),
    strengths: Array.from({ length: versions }, () => (SPREAD / 2) * (draw() + draw() - 1)),
    draw,
  };
  const meetings = Array.from(
    { length: (versions * opponents) / 2 },
    (_, index) => index % versions,
  );
  for (const index of shuffle(meetings, draw)) {
    const opponentIndex = randomOpponent(world, index);
    let wins = 0;
    for (let game = 0; game < pairGames; game += 1) wins += scoreOf(world, index, opponentIndex);
    const results = { wins, losses: pairGames - wins, draws: 0 };
    addPairResults(world.scope, nameOf(index), nameOf(opponentIndex), results);
  }
  const house = Array.from({ length: HOUSE_BOTS }, (_, index) => nameOf(index));
  setAnchors(world.scope, house);
  return world;
}

function playGame(world: RatingWorld): string[] {
  const { scope, strengths, draw } = world;
  const index = Math.floor(strengths.length * draw());
  const metOpponents = [...scope.opponents[scope.indices.get(nameOf(index))!]!.keys()];
  const newOpponent = scope.indices.get(nameOf(randomOpponent(world, index)))!;
  const opponentIndex =
    draw() < NEW_PAIRS ? newOpponent : metOpponents[Math.floor(metOpponents.length * draw())]!;
  const opponent = scope.versions[opponentIndex]!;
  addRatedGame(scope, nameOf(index), opponent, draw() < 0.5 ? 1 : 0);
  return [nameOf(index), opponent];
}

function randomOpponent({ strengths, draw }: RatingWorld, index: number): number {
  return (index + 1 + Math.floor((strengths.length - 1) * draw())) % strengths.length;
}

function scoreOf({ strengths, draw }: RatingWorld, index: number, opponentIndex: number): Score {
  return draw() < 1 / (1 + Math.exp(strengths[opponentIndex]! - strengths[index]!)) ? 1 : 0;
}

function coldCopy(scope: CompetitionResults): CompetitionResults {
  const emptyState = { strengths: new Float64Array(0), anchorResponse: new Float64Array(0) };
  return { ...scope, ...emptyState, information: null, fit: null };
}

/** Returns this thread's CPU time in ms, so other load on the machine doesn't count. */
function timeOf(task: () => void): number {
  const start = process.threadCpuUsage();
  task();
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1000;
}

/** The CPU clock has a coarse resolution, so only sums of many samples are meaningful. */
function meanOf(times: readonly number[]): number {
  const measured = times.slice(Math.floor(times.length * WARM_UP_SHARE));
  return measured.reduce((sum, time) => sum + time, 0) / measured.length;
}
