// `bout sim`: two bots, many games, one answer with its error bars.

import { access, constants, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { Worker } from "node:worker_threads";

import { sure } from "#base/units/sure.ts";
import { MAP_NAMES } from "#core/engine/maps.ts";
import { LIMITS } from "#core/words/limits.ts";
import { oneOf, seconds, whole } from "#server/configuration/flag-values.ts";
import { BOT_HELP, findContestant } from "#tools/local/contestant.ts";
import { isPackaged } from "#tools/local/packaged.ts";
import { endWithProcess } from "#tools/local/programs.ts";
import type { FirstFailure, LaneNews, LaneOrder, SimPlan } from "#tools/local/sim-worker.ts";
import { reportOn } from "#tools/simulator/report.ts";
import type { GameResult } from "#tools/simulator/report.ts";

import {
  CommandFailure,
  EXIT_FAILED,
  EXIT_USAGE,
  complain,
  newCommand,
  runCommand,
  say,
  sayJson,
} from "./command.ts";
import { failureLine, printReport, restWords } from "./sim-print.ts";

const DEFAULT_GAMES = 180;
const MOST_GAMES = 1_000_000;
const MOST_SEED = 2 ** 32 - 1;
const MOST_JOBS = 64;
const BOTS = 2;
const DEFAULT_JOBS = 2;
/** Fewer games than this are over before a second thread has started. */
const GAMES_FOR_THREADS = 18;
const SILENCE = "a bot stopped answering: its promise never settles, or it ended the process";
const WORKER = isPackaged
  ? new URL("sim-worker.js", import.meta.url)
  : new URL("../local/sim-worker.ts", import.meta.url);

type Flags = {
  games: number;
  seed: number;
  map?: string;
  tickSeconds?: number;
  jobs?: number;
  save?: string;
  json?: true;
};

const NOTES = `${BOT_HELP}

Maps take turns and seats alternate. The same call gives the same result: every seed follows
from --seed. Only programs (cmd:) and bots on a port (socket:) have time limits, and may therefore
differ from run to run. A bot on a port plays one game at a time: start it with the address
that is printed, and any token.
Exit codes: 0 all games played, 1 a bot broke, 2 the call is wrong or a bot cannot be opened.`;

export async function runSim(args: readonly string[]): Promise<void> {
  const command = newCommand("sim", "Let two bots fight many games on this machine.")
    .usage("A B [flags]")
    .argument("<A>", "the bot whose win rate is measured")
    .argument("<B>", "its opponent")
    .option("--games <N>", "how many games", whole(1, MOST_GAMES), DEFAULT_GAMES)
    .option("--seed <S>", "where all seeds come from", whole(0, MOST_SEED), 1)
    .option(
      "--map <NAME>",
      `one of the maps: ${MAP_NAMES.join(", ")} (default: all nine)`,
      oneOf(MAP_NAMES),
    )
    .option("--save <DIR>", "keep a replay of every game in this folder (.jsonl.gz)")
    .option(
      "--tick-seconds <S>",
      `time a program has for a turn (default: ${LIMITS.tick_s})`,
      seconds(0.01, 3600),
    )
    .option(
      "--jobs <N>",
      "concurrent matches (default: 2, or 1 with a program)",
      whole(1, MOST_JOBS),
    )
    .option("--json", "the whole result as JSON")
    .addHelpText("after", NOTES)
    .action(simulate);
  await runCommand(command, args);
}

async function simulate(a: string, b: string, flags: Flags): Promise<void> {
  const plan = planOf(a, b, flags);
  if (plan.save !== null) await makeFolder(plan.save);
  const { results, failures } = await playAll(plan, jobsOf(plan, flags));
  const report = reportOn(plan, results);
  for (const failure of firstOfEach(failures)) complain(failureLine(plan.bots, failure));
  if (flags.json === true) sayJson(report, 2);
  else say(printReport(report));
  if (plan.save === null || flags.json === true) return;
  const first = `${sure(report.matches[0], "match").match_id}.jsonl.gz`;
  say(["", `The replays are in ${plan.save}: bout replay ${join(plan.save, first)}`]);
}

async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true });
    await access(path, constants.W_OK);
  } catch (error) {
    throw new CommandFailure(`--save: ${(error as Error).message}.`, EXIT_USAGE);
  }
}

function planOf(a: string, b: string, { games, seed, map, save, tickSeconds }: Flags): SimPlan {
  for (const spec of [a, b]) {
    const contestant = findContestant(spec);
    if ("error" in contestant) throw new CommandFailure(`${contestant.error}.`, EXIT_USAGE);
  }
  const maps = map === undefined ? MAP_NAMES : [map];
  const tickMs = (tickSeconds ?? LIMITS.tick_s) * 1000;
  return { bots: [a, b], games, seed, maps, tickMs, save: save ?? null };
}

/**
 * Programs run one game at a time by default: two games at once would slow each other's replies.
 */
function jobsOf({ bots, games }: SimPlan, { jobs }: Flags): number {
  const isInside = bots.every((spec) => !/^(?:cmd|socket):/.test(spec));
  const wanted = isInside && games >= GAMES_FOR_THREADS ? DEFAULT_JOBS : 1;
  return Math.min(games, jobs ?? wanted);
}

type Played = { results: GameResult[]; failures: FirstFailure[] };

async function playAll(plan: SimPlan, lanes: number): Promise<Played> {
  const results: GameResult[] = [];
  const failures: FirstFailure[] = [];
  const progress = await startProgress(plan.games);
  const workers: Worker[] = [];
  const programs = programsOf(lanes);
  try {
    const runs = Array.from({ length: lanes }, (_, lane) => {
      return runLane({ plan, lane, lanes, programs }, workers, (news) => {
        if (news.type === "failed") failures.push(news.failure);
        else results.push(news.result);
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
 * Shared memory that the lanes write to, so that what a lane started is known even if its thread is
 * gone.
 */
function programsOf(lanes: number): Int32Array {
  const bytes = Int32Array.BYTES_PER_ELEMENT * BOTS * lanes;
  const programs = new Int32Array(new SharedArrayBuffer(bytes));
  endWithProcess(programs);
  return programs;
}

/** The earliest failed turn of each bot, in any lane. */
function firstOfEach(failures: readonly FirstFailure[]): FirstFailure[] {
  const inOrder = failures.toSorted((one, other) => one.game.number - other.game.number);
  const firsts = [0, 1].map((bot) => inOrder.find((failure) => failure.bot === bot));
  return firsts.filter((failure) => failure !== undefined);
}

/** What a bot prints goes to stderr, so that it does not mix with the result. */
function runLane(
  order: LaneOrder,
  workers: Worker[],
  hear: (news: Extract<LaneNews, { type: "game" | "failed" }>) => void,
): Promise<void> {
  const worker = new Worker(WORKER, { workerData: order, stdout: true });
  workers.push(worker);
  worker.stdout.pipe(process.stderr, { end: false });
  return new Promise((resolve, reject) => {
    worker.on("message", (news: LaneNews) => {
      if (news.type === "done") resolve();
      else if (news.type === "trouble")
        reject(new CommandFailure(news.message, news.isUnusable ? EXIT_USAGE : EXIT_FAILED));
      else if (news.type === "waiting") complain(`bout sim: ${news.message}`);
      else hear(news);
    });
    worker.on("error", reject);
    worker.on("exit", () => reject(new CommandFailure(SILENCE, EXIT_FAILED)));
  });
}

type Progress = { update(done: number): void; stop(): void };

async function startProgress(games: number): Promise<Progress> {
  if (!process.stderr.isTTY) return { update: () => {}, stop: () => {} };
  const { default: cliProgress } = await import("cli-progress");
  const format = "{bar} {value} of {total} games{rest}";
  const options = { format, clearOnComplete: true, stream: process.stderr };
  const bar = new cliProgress.SingleBar(options, cliProgress.Presets.shades_classic);
  const startedMs = performance.now();
  bar.start(games, 0, { rest: "" });
  return {
    update: (done) =>
      bar.update(done, { rest: restWords(done, games, performance.now() - startedMs) }),
    stop: () => bar.stop(),
  };
}
