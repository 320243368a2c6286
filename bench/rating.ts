// How long the ratings take after each game, and all standard errors at once. Each figure stands
// beside its ratio to what a ladder without a warm start would do: fit everything anew from the
// counts by Newton's method.

import { createDraw } from "#pairing/random.ts";
import type { Draw } from "#pairing/random.ts";
import { deviation, deviations } from "#rating/deviation.ts";
import { refit } from "#rating/fit.ts";
import { addGame, addResults, createScope, setAnchors } from "#rating/scope.ts";
import type { Scope, Score } from "#rating/scope.ts";

/** Versions, games of each pair that met, games measured, full passes measured. */
const LADDERS = [
  { versions: 100, pairGames: 1000, games: 300, passes: 15 },
  { versions: 1000, pairGames: 100, games: 150, passes: 5 },
  { versions: 5000, pairGames: 20, games: 60, passes: 1 },
];
const OPPONENTS = 20;
const HOUSE_BOTS = 3;

/** The share of measured games between versions that have not met before. */
const NEW_PAIRS = 0.3;

/** Natural units between the strongest and the weakest version. */
const SPREAD = 6;

/** Games are measured in turn with fits from nothing, of which one in so many is enough. */
const GAMES_PER_COLD_FIT = 10;
const WARM_UP_SHARE = 1 / 3;

type World = { scope: Scope; strengths: number[]; draw: Draw };

/** Prints medians in milliseconds for ladders of several sizes. */
export async function run(): Promise<void> {
  console.log("medians in ms; ratios to a fit of all counts from nothing");
  for (const ladder of LADDERS) measure(ladder);
}

function measure({ versions, pairGames, games, passes }: (typeof LADDERS)[number]): void {
  const world = worldOf(versions, pairGames);
  const timed = { refit: [] as number[], players: [] as number[], anew: [] as number[] };
  refit(world.scope);
  deviations(world.scope);
  for (let game = 0; game < games; game += 1) {
    const pair = playGame(world);
    timed.refit.push(timeOf(() => refit(world.scope)));
    timed.players.push(timeOf(() => pair.forEach((name) => deviation(world.scope, name))));
    if (game % GAMES_PER_COLD_FIT === 0)
      timed.anew.push(timeOf(() => refit(coldCopy(world.scope))));
  }
  const pass = Array.from({ length: passes }, () => {
    playGame(world);
    refit(world.scope);
    return timeOf(() => deviations(world.scope));
  });
  print(versions, { ...timed, "full pass": pass });
}

function print(versions: number, timed: Record<string, number[]> & { anew: number[] }): void {
  console.log(`${versions} versions, ${OPPONENTS} opponents each`);
  const reference = medianOf(timed.anew);
  for (const [name, times] of Object.entries(timed)) {
    const median = medianOf(times);
    const ratio = (median / reference).toFixed(2);
    console.log(`  ${name.padEnd(9)} ${median.toFixed(2).padStart(9)}  ${ratio} of anew`);
  }
}

const nameOf = (index: number): string => `version${index}`;

function worldOf(versions: number, pairGames: number): World {
  const draw = createDraw(versions);
  const world = {
    scope: createScope(),
    strengths: Array.from({ length: versions }, () => (SPREAD / 2) * (draw() + draw() - 1)),
    draw,
  };
  for (let index = 0; index < versions; index += 1) {
    for (let pair = 0; pair < OPPONENTS / 2; pair += 1) {
      const other = anotherThan(world, index);
      let wins = 0;
      for (let game = 0; game < pairGames; game += 1) wins += scoreOf(world, index, other);
      const results = { wins, losses: pairGames - wins, draws: 0 };
      addResults(world.scope, nameOf(index), nameOf(other), results);
    }
  }
  setAnchors(
    world.scope,
    Array.from({ length: HOUSE_BOTS }, (_, index) => nameOf(index)),
  );
  return world;
}

/** Adds a game and returns its two versions. */
function playGame(world: World): string[] {
  const { scope, strengths, draw } = world;
  const index = Math.floor(strengths.length * draw());
  const known = [...scope.opponents[scope.indices.get(nameOf(index))!].keys()];
  const met = scope.indices.get(nameOf(anotherThan(world, index)))!;
  const other = draw() < NEW_PAIRS ? met : known[Math.floor(known.length * draw())];
  const opponent = scope.versions[other];
  addGame(scope, nameOf(index), opponent, draw() < 0.5 ? 1 : 0);
  return [nameOf(index), opponent];
}

function anotherThan({ strengths, draw }: World, index: number): number {
  return (index + 1 + Math.floor((strengths.length - 1) * draw())) % strengths.length;
}

function scoreOf({ strengths, draw }: World, index: number, other: number): Score {
  return draw() < 1 / (1 + Math.exp(strengths[other] - strengths[index])) ? 1 : 0;
}

/** The same counts without a fit to start from. */
function coldCopy(scope: Scope): Scope {
  const nothing = { strengths: new Float64Array(0), anchorResponse: new Float64Array(0) };
  return { ...scope, ...nothing, information: null, fit: null };
}

function timeOf(work: () => void): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

function medianOf(times: readonly number[]): number {
  const warm = times.slice(Math.floor(times.length * WARM_UP_SHARE));
  return warm.toSorted((a, b) => a - b)[Math.floor(warm.length / 2)];
}
