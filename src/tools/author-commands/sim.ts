import { access, constants, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { Worker } from "node:worker_threads";

import { assertDefined } from "#base/util/assert-defined.ts";
import { MAP_NAMES } from "#core/engine/maps.ts";
import { DEFAULT_LIMITS } from "#core/limits/limits.ts";
import { parseOneOf, parseSeconds, parseWhole } from "#server/configuration/flag-values.ts";
import {
  CommandFailure,
  EXIT_FAILED,
  EXIT_USAGE,
  printErrorLines,
  createCommand,
  runCommand,
  printLines,
  printJson,
} from "#tools/cli/command.ts";
import { BOT_HELP, findLocalBot } from "#tools/local-match/local-bot.ts";
import { isPackaged } from "#tools/local-match/packaged.ts";
import { killGroupsOnExit } from "#tools/local-match/process-groups.ts";
import type {
  FirstFailure,
  SimWorkerMessage,
  SimWorkerOrder,
  SimPlan,
} from "#tools/local-match/sim-worker.ts";
import { createSeriesReport } from "#tools/simulator/report.ts";
import type { GameResult } from "#tools/simulator/report.ts";

import { failureLine, formatSeriesReport, formatRemainingTime } from "./sim-print.ts";

const DEFAULT_GAMES = 180;
const MAX_GAMES = 1_000_000;
const MAX_SEED = 2 ** 32 - 1;
const MAX_JOBS = 64;
const BOT_COUNT = 2;
const DEFAULT_JOBS = 2;
/** With fewer matches, a second thread would start too late to help. */
const GAMES_FOR_THREADS = 18;
const NO_ANSWER_MESSAGE =
  "a bot stopped answering: its promise never settles, or it exited the process";
const WORKER_URL = isPackaged
  ? new URL("sim-worker.js", import.meta.url)
  : new URL("../local-match/sim-worker.ts", import.meta.url);

type Flags = {
  games: number;
  seed: number;
  map?: string;
  tickSeconds?: number;
  jobs?: number;
  save?: string;
  json?: true;
};

const NOTES = `${BOT_HELP}\n\nMaps rotate and seats alternate. The same command gives the same result: all seeds are derived\nfrom --seed. Only programs (cmd:) and bots on a port (socket:) have time limits, so their results\nmay differ between runs. A bot on a port plays one match at a time: start it with the printed\naddress and any token.\nExit codes: 0 all matches played, 1 a bot failed, 2 invalid arguments or a bot that can't be opened.`;

export async function runSim(args: readonly string[]): Promise<void> {
  const command = createCommand("sim", "Simulate matches between two bots.")
    .usage("A B [flags]")
    .argument("<A>", "bot whose win rate is measured")
    .argument("<B>", "opponent")
    .option("--games <N>", "number of matches", parseWhole(1, MAX_GAMES), DEFAULT_GAMES)
    .option("--seed <S>", "seed from which all match seeds are derived", parseWhole(0, MAX_SEED), 1)
    .option(
      "--map <NAME>",
      `play on one map only: ${MAP_NAMES.join(", ")} (default: all nine)`,
      parseOneOf(MAP_NAMES),
    )
    .option("--save <DIR>", "save a replay of each match in this folder (.jsonl.gz)")
    .option(
      "--tick-seconds <S>",
      `time limit per turn for a program (default: ${DEFAULT_LIMITS.tick_s})`,
      parseSeconds(0.01, 3600),
    )
    .option(
      "--jobs <N>",
      "number of concurrent matches (default: 2, or 1 with a program)",
      parseWhole(1, MAX_JOBS),
    )
    .option("--json", "print the whole result as JSON")
    .addHelpText("after", NOTES)
    .action(simulate);
  await runCommand(command, args);
}

async function simulate(a: string, b: string, flags: Flags): Promise<void> {
  const plan = createPlan(a, b, flags);
  if (plan.save !== null) await createFolder(plan.save);
  const { results, failures } = await playSeries(plan, chooseJobCount(plan, flags));
  const report = createSeriesReport(plan, results);
  for (const failure of findFirstFailures(failures))
    printErrorLines(failureLine(plan.bots, failure));
  if (flags.json === true) printJson(report, 2);
  else printLines(formatSeriesReport(report));
  if (plan.save === null || flags.json === true) return;
  const first = `${assertDefined(report.matches[0], "match").match_id}.jsonl.gz`;
  printLines([
    "",
    `Replays saved in ${plan.save}. To view one, run: bout replay ${join(plan.save, first)}`,
  ]);
}

async function createFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true });
    await access(path, constants.W_OK);
  } catch (error) {
    throw new CommandFailure(`--save: ${(error as Error).message}.`, EXIT_USAGE);
  }
}

function createPlan(a: string, b: string, { games, seed, map, save, tickSeconds }: Flags): SimPlan {
  for (const spec of [a, b]) {
    const contestant = findLocalBot(spec);
    if ("error" in contestant) throw new CommandFailure(`${contestant.error}.`, EXIT_USAGE);
  }
  const maps = map === undefined ? MAP_NAMES : [map];
  const tickMs = (tickSeconds ?? DEFAULT_LIMITS.tick_s) * 1000;
  return { bots: [a, b], games, seed, maps, tickMs, save: save ?? null };
}

/**
 * Programs play one match at a time by default, because concurrent matches would slow each other
 * down.
 */
function chooseJobCount({ bots, games }: SimPlan, { jobs }: Flags): number {
  const runsInProcess = bots.every((spec) => !/^(?:cmd|socket):/.test(spec));
  const defaultJobs = runsInProcess && games >= GAMES_FOR_THREADS ? DEFAULT_JOBS : 1;
  return Math.min(games, jobs ?? defaultJobs);
}

type SeriesOutcome = { results: GameResult[]; failures: FirstFailure[] };

async function playSeries(plan: SimPlan, workerCount: number): Promise<SeriesOutcome> {
  const results: GameResult[] = [];
  const failures: FirstFailure[] = [];
  const progress = await startProgress(plan.games);
  const workers: Worker[] = [];
  const processGroups = createProcessGroups(workerCount);
  try {
    const runs = Array.from({ length: workerCount }, (_, workerIndex) => {
      return runWorker({ plan, workerIndex, workerCount, processGroups }, workers, (message) => {
        if (message.type === "failed") failures.push(message.failure);
        else results.push(message.result);
        progress.update(results.length);
      });
    });
    await Promise.all(runs);
  } finally {
    progress.stop();
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
  return { results, failures };
}

/**
 * Shared with the worker threads, so that programs can be stopped even if their thread has ended.
 */
function createProcessGroups(workerCount: number): Int32Array {
  const bytes = Int32Array.BYTES_PER_ELEMENT * BOT_COUNT * workerCount;
  const processGroups = new Int32Array(new SharedArrayBuffer(bytes));
  killGroupsOnExit(processGroups);
  return processGroups;
}

function findFirstFailures(failures: readonly FirstFailure[]): FirstFailure[] {
  const sortedFailures = failures.toSorted((a, b) => a.game.number - b.game.number);
  const firstFailures = [0, 1].map((bot) => sortedFailures.find((failure) => failure.bot === bot));
  return firstFailures.filter((failure) => failure !== undefined);
}

/** Bots print to stderr, so that stdout contains only the result. */
function runWorker(
  workerOrder: SimWorkerOrder,
  workers: Worker[],
  onResult: (message: Extract<SimWorkerMessage, { type: "game" | "failed" }>) => void,
): Promise<void> {
  const worker = new Worker(WORKER_URL, { workerData: workerOrder, stdout: true });
  workers.push(worker);
  worker.stdout.pipe(process.stderr, { end: false });
  return new Promise((resolve, reject) => {
    worker.on("message", (message: SimWorkerMessage) => {
      if (message.type === "done") resolve();
      else if (message.type === "trouble")
        reject(new CommandFailure(message.message, message.isUnusable ? EXIT_USAGE : EXIT_FAILED));
      else if (message.type === "waiting") printErrorLines(`bout sim: ${message.message}`);
      else onResult(message);
    });
    worker.on("error", reject);
    worker.on("exit", () => reject(new CommandFailure(NO_ANSWER_MESSAGE, EXIT_FAILED)));
  });
}

type Progress = { update(finishedGames: number): void; stop(): void };

async function startProgress(games: number): Promise<Progress> {
  if (!process.stderr.isTTY) return { update: () => {}, stop: () => {} };
  const { default: cliProgress } = await import("cli-progress");
  const format = "{bar} {value} of {total} games{rest}";
  const options = { format, clearOnComplete: true, stream: process.stderr };
  const bar = new cliProgress.SingleBar(options, cliProgress.Presets.shades_classic);
  const startedMs = performance.now();
  bar.start(games, 0, { rest: "" });
  return {
    update: (finishedGames) =>
      bar.update(finishedGames, {
        rest: formatRemainingTime(finishedGames, games, performance.now() - startedMs),
      }),
    stop: () => bar.stop(),
  };
}
