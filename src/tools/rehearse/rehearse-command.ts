// `bout rehearse`: how much this machine can take.

import { tmpdir } from "node:os";
import { setTimeout as pause } from "node:timers/promises";

import { InvalidArgumentError } from "commander";

import { SECOND_MS } from "#base/units/time.ts";
import {
  CommandFailure,
  EXIT_FAILED,
  newCommand,
  runCommand,
  say,
  sayJson,
} from "#tools/cli/command.ts";
import { startProgress } from "#tools/terminal/progress.ts";

import { capacityOf, printed } from "./capacity.ts";
import type { CapacityReport } from "./capacity.ts";
import { openSwarm } from "./swarm.ts";
import type { RehearsalSwarm } from "./swarm.ts";
import { openThrowaway } from "./throwaway.ts";
import type { Throwaway } from "./throwaway.ts";

const MOST_BOTS = 2000;
const MOST_MINUTES = 1440;
const MINUTE_S = 60;
/** Before anything counts, as a share of the whole time. */
const WARM_UP = 0.2;

type Flags = { bots: number; minutes: number; on: string; json?: true };
type Tell = (news: string) => void;

const NOTES = `
It starts a server of its own on a free port, in a new folder, lets bots play on it over real
sockets, and removes everything again, also when it is interrupted. No other server is asked
or changed.
Exit codes: 0 it was measured, 1 it was not, 2 the call is wrong.`;

const between = (least: number, most: number) => (value: string) => {
  const number = Number(value);
  if (number >= least && number <= most) return number;
  throw new InvalidArgumentError(`It takes a number from ${least} to ${most}.`);
};

const whole = (value: string) => Math.floor(between(2, MOST_BOTS)(value));

export async function runRehearse(args: readonly string[]): Promise<void> {
  const command = newCommand("rehearse", "Try how much this machine can take.")
    .option("--bots <N>", "bots that play at once", whole, 320)
    .option("--minutes <N>", "how long they play", between(0.01, MOST_MINUTES), 5)
    .option("--on <DIR>", "where the folder is made: take the disk of the data folder", tmpdir())
    .option("--json", "the report as JSON")
    .addHelpText("after", NOTES)
    .action(rehearse);
  await runCommand(command, args);
}

async function rehearse({ json, ...flags }: Flags): Promise<void> {
  const ending = new AbortController();
  const stop = () => ending.abort();
  process.once("SIGINT", stop).once("SIGTERM", stop);
  const progress = await startProgress();
  try {
    const report = await measure(flags, ending.signal, progress.tell);
    progress.stop();
    if (json === true) sayJson(report, 2);
    else say(printed(report));
  } catch (error) {
    if (ending.signal.aborted) throw new CommandFailure("it was interrupted.", EXIT_FAILED);
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    throw new CommandFailure((error as Error).message, EXIT_FAILED);
  } finally {
    progress.stop();
    process.off("SIGINT", stop).off("SIGTERM", stop);
  }
}

async function measure(
  { bots, minutes, on }: Omit<Flags, "json">,
  signal: AbortSignal,
  tell: Tell,
): Promise<CapacityReport> {
  tell("a server starts");
  const server = await openThrowaway(on, Math.ceil(bots / 2));
  let swarm: RehearsalSwarm | null = null;
  try {
    signal.throwIfAborted();
    swarm = await openSwarm(server.baseUrl, bots, signal, tell);
    return await watch(server, swarm, { bots, seconds: minutes * MINUTE_S, signal, tell });
  } finally {
    swarm?.stop();
    await server.close();
  }
}

type Watching = { bots: number; seconds: number; signal: AbortSignal; tell: Tell };

async function watch(
  server: Throwaway,
  swarm: RehearsalSwarm,
  { bots, seconds, signal, tell }: Watching,
): Promise<CapacityReport> {
  tell("bots warm up");
  await pause(seconds * WARM_UP * SECOND_MS, undefined, { signal });
  swarm.take();
  const stalls = server.stalls.length;
  const bytes = await server.bytes();
  const [usage, start] = [await server.usage(), performance.now()];
  const passed = () => (performance.now() - start) / SECOND_MS;
  while (passed() < seconds * (1 - WARM_UP)) {
    await pause(Math.min(SECOND_MS, (seconds * SECOND_MS) / 10), undefined, { signal });
    const whole = Math.round(seconds * (1 - WARM_UP));
    tell(`${Math.round(passed())} of ${whole} s, ${swarm.running()} matches`);
  }
  const [after, took] = [await server.usage(), passed()];
  const grown = await server.bytes();
  const share = (now: number | null, before: number | null) =>
    now === null || before === null ? null : Math.round(((now - before) / took) * 100) / 100;
  return capacityOf({
    ...swarm.take(),
    bots,
    seconds: took,
    stalls: server.stalls.slice(stalls),
    threadShare: share(after.thread, usage.thread),
    processShare: share(after.process, usage.process),
    peakBytes: after.peakBytes,
    databaseBytes: grown.database - bytes.database,
    fileBytes: grown.files - bytes.files,
  });
}
