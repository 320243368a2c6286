// How long the ratings take after each game, how long all standard errors take at once, and how
// exact they are. Each time is shown with its ratio to that of a ladder without a warm start, which
// fits everything from the counts by Newton's method.

import { createDraw, shuffled } from "#core/pairing/random.ts";
import type { Draw } from "#core/pairing/random.ts";
import {
  addGame,
  addResults,
  createCompetitionResults,
  setAnchors,
} from "#core/rating/competition-results.ts";
import { deviations, refreshDeviations, rememberedDeviation } from "#core/rating/deviation.ts";
import { exactRatings } from "#core/rating/exact.ts";
import { rating, refit } from "#core/rating/fit.ts";
import type { CompetitionResults, Score } from "#core/rating/types.ts";
import { refreshedAtOnce } from "#live/matchmaker/refresh.ts";

/** Versions, opponents of each, games of each pair that met, games and full passes measured. */
const LADDERS = [
  { versions: 100, opponents: 20, pairGames: 1000, games: 300, passes: 15 },
  { versions: 1000, opponents: 20, pairGames: 100, games: 300, passes: 5 },
  { versions: 1000, opponents: 6, pairGames: 1, games: 600, passes: 3 },
  { versions: 5000, opponents: 20, pairGames: 20, games: 90, passes: 1 },
];
const HOUSE_BOTS = 3;

/** The share of measured games between versions that have not met before. */
const NEW_PAIRS = 0.3;

/** Natural units between the strongest and the weakest version. */
const SPREAD = 6;

/** Games and fits from scratch are measured in turn; one fit per this many games is enough. */
const GAMES_PER_COLD_FIT = 15;

/** Games between two readings of a busy board. */
const GAMES_PER_READING = 10;
const WARM_UP_SHARE = 1 / 3;

type Ladder = (typeof LADDERS)[number];
type World = { scope: CompetitionResults; strengths: number[]; draw: Draw };
type Timed = Record<"refit" | "exact" | "both" | "reading" | "anew" | "full pass", number[]>;

/**
 * Prints means in milliseconds of processor time, and errors in points, for ladders of several
 * sizes.
 */
export async function run(): Promise<void> {
  console.log(
    "means in ms of processor time; ratios to a fit of all counts from nothing; errors in points",
  );
  for (const ladder of LADDERS) measure(ladder);
}

function measure(ladder: Ladder): void {
  const { versions, opponents, pairGames, games } = ladder;
  const world = worldOf(ladder);
  const timed: Timed = {
    refit: [],
    exact: [],
    both: [],
    reading: [],
    anew: [],
    "full pass": [],
  };
  const unread = new Set<string>();
  refit(world.scope);
  deviations(world.scope);
  const errors: number[] = [];
  for (let game = 0; game < games; game += 1) {
    const pair = playGame(world);
    timed.refit.push(timeOf(() => refit(world.scope)));
    timed.exact.push(timeOf(() => exactRatings(world.scope, pair)));
    timed.both.push(timed.refit.at(-1)! + timed.exact.at(-1)!);
    pair.forEach((name) => unread.add(name));
    if (game % GAMES_PER_READING === 0) timed.reading.push(timeOf(() => readBoard(world, unread)));
    if (game % GAMES_PER_COLD_FIT > 0) continue;
    const cold = coldCopy(world.scope);
    timed.anew.push(timeOf(() => refit(cold)));
    errors.push(furthest(world.scope, cold));
  }
  console.log(`${versions} versions, ${opponents} opponents of each, ${pairGames} games a pair`);
  passOver(world, ladder, timed);
  print(timed);
  console.log(`  ratings are off by ${Math.max(...errors).toExponential(1)} at the most`);
}

/** What reading the board does to deviations. */
function readBoard({ scope }: World, unread: Set<string>): void {
  refreshDeviations(scope, refreshedAtOnce(scope.versions.length), unread);
  unread.clear();
}

/**
 * Times full passes; the first one assesses what was remembered since the pass before the games.
 */
function passOver({ scope, ...world }: World, { passes, games }: Ladder, timed: Timed): void {
  const remembered = scope.versions.map((version) => rememberedDeviation(scope, version));
  for (let pass = 0; pass < passes; pass += 1) {
    if (pass > 0) playGame({ scope, ...world });
    refit(scope);
    let exact = new Map<string, number>();
    timed["full pass"].push(timeOf(() => (exact = deviations(scope))));
    if (pass > 0) continue;
    const off = scope.versions.map((version, at) =>
      Math.abs(remembered[at]! - exact.get(version)!),
    );
    off.sort((one, other) => one - other);
    const figures = [off[off.length >> 1], off[Math.floor(0.99 * off.length)], off.at(-1)!];
    const [median, most, all] = figures.map((error) => error!.toFixed(4));
    console.log(`  deviations ${games} games after a pass: half within ${median},`);
    console.log(`    99 % within ${most}, all within ${all}`);
  }
}

function print(timed: Timed): void {
  const reference = meanOf(timed.anew);
  for (const [name, times] of Object.entries(timed)) {
    const mean = meanOf(times);
    const ratio = (mean / reference).toFixed(2);
    console.log(`  ${name.padEnd(9)} ${mean.toFixed(2).padStart(9)}  ${ratio} of anew`);
  }
}

const nameOf = (index: number): string => `version${index}`;

function furthest(scope: CompetitionResults, other: CompetitionResults): number {
  const differences = scope.versions.map((name) =>
    Math.abs(rating(scope, name) - rating(other, name)),
  );
  return Math.max(...differences);
}

/** Pairs have met in no particular order. */
function worldOf({ versions, opponents, pairGames }: Ladder): World {
  const draw = createDraw(versions);
  const world = {
    scope: createCompetitionResults(),
    strengths: Array.from({ length: versions }, () => (SPREAD / 2) * (draw() + draw() - 1)),
    draw,
  };
  const meetings = Array.from({ length: (versions * opponents) / 2 }, (_, at) => at % versions);
  for (const index of shuffled(meetings, draw)) {
    const other = anotherThan(world, index);
    let wins = 0;
    for (let game = 0; game < pairGames; game += 1) wins += scoreOf(world, index, other);
    const results = { wins, losses: pairGames - wins, draws: 0 };
    addResults(world.scope, nameOf(index), nameOf(other), results);
  }
  const house = Array.from({ length: HOUSE_BOTS }, (_, index) => nameOf(index));
  setAnchors(world.scope, house);
  return world;
}

/** Adds a game and returns its two versions. */
function playGame(world: World): string[] {
  const { scope, strengths, draw } = world;
  const index = Math.floor(strengths.length * draw());
  const known = [...scope.opponents[scope.indices.get(nameOf(index))!]!.keys()];
  const met = scope.indices.get(nameOf(anotherThan(world, index)))!;
  const other = draw() < NEW_PAIRS ? met : known[Math.floor(known.length * draw())]!;
  const opponent = scope.versions[other]!;
  addGame(scope, nameOf(index), opponent, draw() < 0.5 ? 1 : 0);
  return [nameOf(index), opponent];
}

function anotherThan({ strengths, draw }: World, index: number): number {
  return (index + 1 + Math.floor((strengths.length - 1) * draw())) % strengths.length;
}

function scoreOf({ strengths, draw }: World, index: number, other: number): Score {
  return draw() < 1 / (1 + Math.exp(strengths[other]! - strengths[index]!)) ? 1 : 0;
}

/** The same counts without a fit to start from. */
function coldCopy(scope: CompetitionResults): CompetitionResults {
  const nothing = { strengths: new Float64Array(0), anchorResponse: new Float64Array(0) };
  return { ...scope, ...nothing, information: null, fit: null };
}

/** Milliseconds of this thread's own processor time: other load on the machine does not count. */
function timeOf(work: () => void): number {
  const start = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1000;
}

/** Processor time is kept in coarse steps, so only sums of it are meaningful. */
function meanOf(times: readonly number[]): number {
  const warm = times.slice(Math.floor(times.length * WARM_UP_SHARE));
  return warm.reduce((sum, time) => sum + time, 0) / warm.length;
}
