import { tmpdir } from "node:os";
import { setTimeout as pause } from "node:timers/promises";

import { InvalidArgumentError } from "commander";

import { SECOND_MS } from "#base/util/time.ts";
import {
  CommandFailure,
  EXIT_FAILED,
  createCommand,
  runCommand,
  printLines,
  printJson,
} from "#tools/cli/command.ts";
import { startProgress } from "#tools/terminal/progress.ts";

import { createCapacityReport, formatCapacityReport } from "./capacity.ts";
import type { CapacityReport } from "./capacity.ts";
import { connectLoadBots } from "./load-bots.ts";
import type { LoadBots } from "./load-bots.ts";
import { startTemporaryServer } from "./temporary-server.ts";
import type { TemporaryServer } from "./temporary-server.ts";

const MAX_BOTS = 2000;
const MAX_MINUTES = 1440;
const MINUTE_S = 60;
/** Share of the duration that is skipped at the start. */
const WARM_UP_SHARE = 0.2;

type Flags = { bots: number; minutes: number; on: string; json?: true };
type ReportProgress = (statusText: string) => void;

const NOTES = `
Starts a temporary server on a free port with its data in a new folder, and lets bots play on it
over real sockets. Both are removed at the end, even after an interruption. Other servers are not
used or changed.
Exit codes: 0 measured, 1 failed, 2 invalid arguments.`;

const parseBetween = (min: number, max: number) => (value: string) => {
  const number = Number(value);
  if (number >= min && number <= max) return number;
  throw new InvalidArgumentError(`It takes a number from ${min} to ${max}.`);
};

const whole = (value: string) => Math.floor(parseBetween(2, MAX_BOTS)(value));

export async function runLoadTest(args: readonly string[]): Promise<void> {
  const command = createCommand("load-test", "Measure how many matches this machine can serve.")
    .option("--bots <N>", "number of bots that play at the same time", whole, 320)
    .option("--minutes <N>", "duration in minutes", parseBetween(0.01, MAX_MINUTES), 5)
    .option(
      "--on <DIR>",
      "folder in which to create the data folder, on the disk that your server will use",
      tmpdir(),
    )
    .option("--json", "print the report as JSON")
    .addHelpText("after", NOTES)
    .action(loadTest);
  await runCommand(command, args);
}

async function loadTest({ json, ...flags }: Flags): Promise<void> {
  const abortController = new AbortController();
  const stop = () => abortController.abort();
  process.once("SIGINT", stop).once("SIGTERM", stop);
  const progress = await startProgress();
  try {
    const report = await measure(flags, abortController.signal, progress.update);
    progress.stop();
    if (json === true) printJson(report, 2);
    else printLines(formatCapacityReport(report));
  } catch (error) {
    if (abortController.signal.aborted) throw new CommandFailure("interrupted.", EXIT_FAILED);
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
  reportProgress: ReportProgress,
): Promise<CapacityReport> {
  reportProgress("starting a server");
  const server = await startTemporaryServer(on, Math.ceil(bots / 2));
  let loadBots: LoadBots | null = null;
  try {
    signal.throwIfAborted();
    loadBots = await connectLoadBots(server.baseUrl, bots, signal, reportProgress);
    return await measureRunning(server, loadBots, {
      bots,
      seconds: minutes * MINUTE_S,
      signal,
      reportProgress,
    });
  } finally {
    loadBots?.stop();
    await server.close();
  }
}

type MeasureOptions = {
  bots: number;
  seconds: number;
  signal: AbortSignal;
  reportProgress: ReportProgress;
};

async function measureRunning(
  server: TemporaryServer,
  loadBots: LoadBots,
  { bots, seconds, signal, reportProgress }: MeasureOptions,
): Promise<CapacityReport> {
  reportProgress("warming up");
  await pause(seconds * WARM_UP_SHARE * SECOND_MS, undefined, { signal });
  loadBots.takeCounts();
  const stallsBefore = server.stalls.length;
  const bytesBefore = await server.bytes();
  const [usageBefore, startTime] = [await server.usage(), performance.now()];
  const elapsedSeconds = () => (performance.now() - startTime) / SECOND_MS;
  while (elapsedSeconds() < seconds * (1 - WARM_UP_SHARE)) {
    await pause(Math.min(SECOND_MS, (seconds * SECOND_MS) / 10), undefined, { signal });
    const whole = Math.round(seconds * (1 - WARM_UP_SHARE));
    reportProgress(`${Math.round(elapsedSeconds())} of ${whole} s, ${loadBots.running()} matches`);
  }
  const [usageAfter, measuredSeconds] = [await server.usage(), elapsedSeconds()];
  const bytesAfter = await server.bytes();
  const ratePerSecond = (now: number | null, before: number | null) =>
    now === null || before === null
      ? null
      : Math.round(((now - before) / measuredSeconds) * 100) / 100;
  return createCapacityReport({
    ...loadBots.takeCounts(),
    bots,
    seconds: measuredSeconds,
    stalls: server.stalls.slice(stallsBefore),
    threadShare: ratePerSecond(usageAfter.thread, usageBefore.thread),
    processShare: ratePerSecond(usageAfter.process, usageBefore.process),
    peakBytes: usageAfter.peakBytes,
    databaseBytes: bytesAfter.database - bytesBefore.database,
    fileBytes: bytesAfter.files - bytesBefore.files,
  });
}
