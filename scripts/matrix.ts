// Prints how often each local bot beats the others, as a Markdown table with standard errors.
// Usage: node scripts/matrix.ts

import { parseArgs } from "node:util";
import { Worker, isMainThread, parentPort } from "node:worker_threads";

import { allGrids } from "#core/engine/maps.ts";
import { BUILT_IN_BOTS } from "#tools/local-match/built-in-bots.ts";
import type { ResultTally } from "#tools/local-match/engine-series.ts";
import {
  EMPTY_RESULT_TALLY,
  addTallies,
  playSeriesMatch,
  scorePercent,
} from "#tools/local-match/engine-series.ts";

/** Games between two bots, from game number `from` up to but excluding `to`. */
type Batch = { first: string; second: string; from: number; to: number; seed: number };
type Options = {
  names: string[];
  games: number;
  nonAdjacentGames: number;
  workers: number;
  seed: number;
};
type BatchResult = { batch: Batch; tally: ResultTally };

const DEFAULT_GAMES = 2000;
const DEFAULT_WORKERS = 2;
/** Two seats times nine maps, so that every batch is as fair as the whole series. */
const BATCH_GAMES = 18;
const DEFAULT_BOTS = ["random", "greedy", "kiter", "brawler", "ts-starter", "champion"];
const USAGE = `usage: node scripts/matrix.ts [flags]\n  --games N      games between neighbours in the list (${DEFAULT_GAMES})\n  --far-games N  games between all other pairs (same as --games)\n  --workers N    threads (${DEFAULT_WORKERS})\n  --seed N       seed of the first game (1)\n  --bots a,b,…   from weakest to strongest (${DEFAULT_BOTS.join(",")})\nbots: ${[...BUILT_IN_BOTS.keys()].join(", ")}`;

function playBatch({ first, second, from, to, seed }: Batch): ResultTally {
  const [firstBot, secondBot] = [BUILT_IN_BOTS.get(first), BUILT_IN_BOTS.get(second)];
  if (firstBot === undefined || secondBot === undefined)
    throw new Error(`unknown bots: ${first}, ${second}`);
  const grids = allGrids();
  let tally: ResultTally = EMPTY_RESULT_TALLY;
  for (let index = from; index < to; index += 1) {
    tally = addTallies(tally, playSeriesMatch(firstBot, secondBot, grids, index, seed));
  }
  return tally;
}

function pairsOf(names: readonly string[]): [string, string][] {
  return names.flatMap((first, index) =>
    names.slice(index + 1).map((second): [string, string] => [first, second]),
  );
}

function batchesOf({ names, games, nonAdjacentGames, seed }: Options): Batch[] {
  return pairsOf(names).flatMap(([first, second]) => {
    const areAdjacent = names.indexOf(second) === names.indexOf(first) + 1;
    const count = areAdjacent ? games : nonAdjacentGames;
    const batchStarts = Array.from(
      { length: Math.ceil(count / BATCH_GAMES) },
      (_, i) => i * BATCH_GAMES,
    );
    return batchStarts.map((from) => {
      const to = Math.min(from + BATCH_GAMES, count);
      return { first, second, from, to, seed };
    });
  });
}

async function playAll(
  batches: Batch[],
  workers: number,
  onBatchPlayed: (completedGames: BatchResult) => void,
) {
  const queue = batches.slice();
  const workerRuns = Array.from({ length: workers }, () => runWorker(queue, onBatchPlayed));
  await Promise.all(workerRuns);
}

function runWorker(
  queue: Batch[],
  onBatchPlayed: (completedGames: BatchResult) => void,
): Promise<void> {
  const worker = new Worker(new URL(import.meta.url));
  return new Promise((resolve, reject) => {
    const next = () => {
      const batch = queue.shift();
      if (batch !== undefined) worker.postMessage(batch, []);
      else void worker.terminate().then(() => resolve());
    };
    worker.on("error", reject);
    worker.on("message", (completedGames: BatchResult) => {
      onBatchPlayed(completedGames);
      next();
    });
    next();
  });
}

function markdown(names: readonly string[], tallies: ReadonlyMap<string, ResultTally>): string {
  const cellText = (row: string, column: string): string => {
    const tally = tallies.get(`${row} ${column}`);
    if (tally === undefined) return "–";
    const { percent, error } = scorePercent(tally);
    return `${percent.toFixed(1)} ± ${error.toFixed(1)}`;
  };
  const rows = names.map((row) => [row, ...names.map((column) => cellText(row, column))]);
  const lines = [["wins of row, %", ...names], names.concat("").map(() => "---"), ...rows];
  return lines.map((line) => `| ${line.join(" | ")} |`).join("\n");
}

function mirrorTally({ wins, draws, losses, ticks }: ResultTally): ResultTally {
  return { wins: losses, draws, losses: wins, ticks };
}

async function printMatrix(options: Options): Promise<void> {
  const batches = batchesOf(options);
  const total = batches.reduce((sum, { from, to }) => sum + to - from, 0);
  const tallies = new Map<string, ResultTally>();
  const addTally = (key: string, tally: ResultTally) =>
    tallies.set(key, addTallies(tallies.get(key) ?? EMPTY_RESULT_TALLY, tally));
  let completedGames = 0;
  await playAll(batches, options.workers, ({ batch, tally }) => {
    addTally(`${batch.first} ${batch.second}`, tally);
    addTally(`${batch.second} ${batch.first}`, mirrorTally(tally));
    completedGames += batch.to - batch.from;
    if (process.stderr.isTTY) process.stderr.write(`\r${completedGames} of ${total} games `);
  });
  if (process.stderr.isTTY) process.stderr.write("\n");
  console.log(markdown(options.names, tallies));
}

function readOptions(): Options | null {
  const text = { type: "string" } as const;
  const flags = { games: text, "far-games": text, workers: text, seed: text, bots: text };
  const { values } = parseArgs({ options: flags });
  const games = Number(values.games ?? DEFAULT_GAMES);
  const nonAdjacentGames = Number(values["far-games"] ?? games);
  const workers = Number(values.workers ?? DEFAULT_WORKERS);
  const seed = Number(values.seed ?? 1);
  const names = values.bots?.split(",") ?? DEFAULT_BOTS;
  const areCounts = [games, nonAdjacentGames, workers].every(
    (count) => Number.isInteger(count) && count > 0,
  );
  const isValid =
    areCounts && Number.isInteger(seed) && names.every((name) => BUILT_IN_BOTS.has(name));
  return isValid ? { names, games, nonAdjacentGames, workers, seed } : null;
}

const EXIT_USAGE = 2;

async function main(): Promise<void> {
  const options = readOptions();
  if (options !== null) return printMatrix(options);
  console.error(USAGE);
  process.exitCode = EXIT_USAGE;
}

function serveBatches(): void {
  parentPort?.on("message", (batch: Batch) => {
    parentPort?.postMessage({ batch, tally: playBatch(batch) } satisfies BatchResult, []);
  });
}

if (isMainThread) await main();
else serveBatches();
