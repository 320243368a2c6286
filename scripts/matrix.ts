// `node scripts/matrix.ts`: the win matrix of the local bots as Markdown, with standard errors.

import { parseArgs } from "node:util";
import { Worker, isMainThread, parentPort } from "node:worker_threads";

import { allGrids } from "#core/engine/maps.ts";
import { CONTENDERS } from "#tools/local/contender.ts";
import type { Tally } from "#tools/local/series.ts";
import { EMPTY_TALLY, addTallies, playGame, scoreOf } from "#tools/local/series.ts";

/** Games `from` up to, but not including, `to` of a pair of contenders. */
type Batch = { first: string; second: string; from: number; to: number; seed: number };
type Options = {
  names: string[];
  games: number;
  farGames: number;
  workers: number;
  seed: number;
};
type Played = { batch: Batch; tally: Tally };

const GAMES = 2000;
const WORKERS = 2;
/** Divisible by two seats and nine maps, so that every batch is as fair as the whole. */
const BATCH_GAMES = 18;
const NAMES = ["random", "greedy", "kiter", "brawler", "ts-starter", "champion"];
const USAGE = `usage: node scripts/matrix.ts [flags]
  --games N      games of a bot against the next one of the list (${GAMES})
  --far-games N  games of all other pairs (as --games)
  --workers N    threads (${WORKERS})
  --seed N       seed of the first game (1)
  --bots a,b,…   from the weakest to the strongest (${NAMES.join(",")})
bots: ${[...CONTENDERS.keys()].join(", ")}`;

function playBatch({ first, second, from, to, seed }: Batch): Tally {
  const [one, other] = [CONTENDERS.get(first), CONTENDERS.get(second)];
  if (one === undefined || other === undefined) throw new Error(`no bots ${first}, ${second}`);
  const grids = allGrids();
  let tally: Tally = EMPTY_TALLY;
  for (let index = from; index < to; index += 1) {
    tally = addTallies(tally, playGame(one, other, grids, index, seed));
  }
  return tally;
}

function pairsOf(names: readonly string[]): [string, string][] {
  return names.flatMap((first, index) =>
    names.slice(index + 1).map((second): [string, string] => [first, second]),
  );
}

/** The games of all pairs, in parts. */
function batchesOf({ names, games, farGames, seed }: Options): Batch[] {
  return pairsOf(names).flatMap(([first, second]) => {
    const areNeighbours = names.indexOf(second) === names.indexOf(first) + 1;
    const count = areNeighbours ? games : farGames;
    const parts = Array.from({ length: Math.ceil(count / BATCH_GAMES) }, (_, i) => i * BATCH_GAMES);
    return parts.map((from) => {
      const to = Math.min(from + BATCH_GAMES, count);
      return { first, second, from, to, seed };
    });
  });
}

/** Hands the batches to the workers one by one, and calls back for each one played. */
async function playAll(batches: Batch[], workers: number, done: (played: Played) => void) {
  const queue = batches.slice();
  const runs = Array.from({ length: workers }, () => runWorker(queue, done));
  await Promise.all(runs);
}

function runWorker(queue: Batch[], done: (played: Played) => void): Promise<void> {
  const worker = new Worker(new URL(import.meta.url));
  return new Promise((resolve, reject) => {
    const next = () => {
      const batch = queue.shift();
      if (batch !== undefined) worker.postMessage(batch, []);
      else void worker.terminate().then(() => resolve());
    };
    worker.on("error", reject);
    worker.on("message", (played: Played) => {
      done(played);
      next();
    });
    next();
  });
}

function markdown(names: readonly string[], tallies: ReadonlyMap<string, Tally>): string {
  const cell = (row: string, column: string): string => {
    const tally = tallies.get(`${row} ${column}`);
    if (tally === undefined) return "–";
    const { percent, error } = scoreOf(tally);
    return `${percent.toFixed(1)} ± ${error.toFixed(1)}`;
  };
  const rows = names.map((row) => [row, ...names.map((column) => cell(row, column))]);
  const lines = [["wins of row, %", ...names], names.concat("").map(() => "---"), ...rows];
  return lines.map((line) => `| ${line.join(" | ")} |`).join("\n");
}

function mirrored({ wins, draws, losses, ticks }: Tally): Tally {
  return { wins: losses, draws, losses: wins, ticks };
}

async function printMatrix(options: Options): Promise<void> {
  const batches = batchesOf(options);
  const total = batches.reduce((sum, { from, to }) => sum + to - from, 0);
  const tallies = new Map<string, Tally>();
  const add = (key: string, tally: Tally) =>
    tallies.set(key, addTallies(tallies.get(key) ?? EMPTY_TALLY, tally));
  let played = 0;
  await playAll(batches, options.workers, ({ batch, tally }) => {
    add(`${batch.first} ${batch.second}`, tally);
    add(`${batch.second} ${batch.first}`, mirrored(tally));
    played += batch.to - batch.from;
    if (process.stderr.isTTY) process.stderr.write(`\r${played} of ${total} games `);
  });
  if (process.stderr.isTTY) process.stderr.write("\n");
  console.log(markdown(options.names, tallies));
}

/** The options, or null if they are invalid. */
function readOptions(): Options | null {
  const text = { type: "string" } as const;
  const flags = { games: text, "far-games": text, workers: text, seed: text, bots: text };
  const { values } = parseArgs({ options: flags });
  const games = Number(values.games ?? GAMES);
  const farGames = Number(values["far-games"] ?? games);
  const workers = Number(values.workers ?? WORKERS);
  const seed = Number(values.seed ?? 1);
  const names = values.bots?.split(",") ?? NAMES;
  const areCounts = [games, farGames, workers].every(
    (count) => Number.isInteger(count) && count > 0,
  );
  const isFine = areCounts && Number.isInteger(seed) && names.every((name) => CONTENDERS.has(name));
  return isFine ? { names, games, farGames, workers, seed } : null;
}

const EXIT_USAGE = 2;

async function run(): Promise<void> {
  const options = readOptions();
  if (options !== null) return printMatrix(options);
  console.error(USAGE);
  process.exitCode = EXIT_USAGE;
}

function serve(): void {
  parentPort?.on("message", (batch: Batch) => {
    parentPort?.postMessage({ batch, tally: playBatch(batch) } satisfies Played, []);
  });
}

if (isMainThread) await run();
else serve();
