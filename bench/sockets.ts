// npm run bench sockets: measures match ticks per second of server CPU time over real sockets,
// compared with a bare `ws` server in the same run. Then measures how long a bot waits for its next
// observation when the CPU isn't saturated.
//
// The target covers validation, simulation, timing, replays and statistics. A ladder also rates,
// pairs and stores each match on separate threads. The bench therefore prints two results: one
// without those threads, and one for the whole process.

import type { ChildProcess } from "node:child_process";

import { ask, cpuSeconds, middleValue, pause, withSwarm } from "./sockets/children.ts";
import type { SwarmProcesses, ProcessUsage } from "./sockets/children.ts";
import type { SwarmReport } from "./sockets/swarm.ts";
import { threadSeconds } from "./sockets/thread-time.ts";

const BOTS = 640;
const ROUNDS = 5;
/** V8 keeps compiling for half a minute. */
const WARM_UP_MS = 30_000;
/** The reference server has little code to compile. */
const SETTLE_MS = 8000;
const MEASURED_MS = 12_000;
const LATENCY_MS = 60_000;
const THINK_MS = 20;
const SAMPLE_INTERVAL_MS = 500;

const NON_MATCH_THREADS = ["matchmaker", "store write", "store read"];

/** Match ticks per CPU second of the server, of the match threads only, and of the swarm. */
type ThroughputRates = { total: number; matchOnly: number; swarm: number; runningMatches: number };

async function measureThroughput(
  { server, swarm }: SwarmProcesses,
  warmUpMs: number,
): Promise<ThroughputRates> {
  await pause(warmUpMs);
  await ask<SwarmReport>(swarm, "report");
  const before = await ask<ProcessUsage>(server, "usage");
  const nonMatchBefore = readNonMatchSeconds(server);
  const runningMatches: number[] = [];
  for (let elapsed = 0; elapsed < MEASURED_MS; elapsed += SAMPLE_INTERVAL_MS) {
    await pause(SAMPLE_INTERVAL_MS);
    runningMatches.push((await ask<ProcessUsage>(server, "usage")).running ?? BOTS / 2);
  }
  const after = await ask<ProcessUsage>(server, "usage");
  const nonMatchSeconds = readNonMatchSeconds(server) - nonMatchBefore;
  const report = await ask<SwarmReport>(swarm, "report");
  const ticks = report.observations / 2;
  const seconds = cpuSeconds(before, after);
  return {
    total: ticks / seconds,
    matchOnly: ticks / (seconds - nonMatchSeconds),
    swarm: ticks / report.seconds,
    runningMatches: middleValue(runningMatches),
  };
}

/** Returns NaN if the system doesn't report CPU time per thread. */
function readNonMatchSeconds({ pid }: ChildProcess): number {
  const seconds = pid === undefined ? null : threadSeconds(pid);
  if (seconds === null) return NaN;
  return NON_MATCH_THREADS.reduce((sum, name) => sum + (seconds.get(name) ?? 0), 0);
}

type ThroughputRatio = { matchOnly: number; total: number };

/**
 * The speed of shared machines varies by 20% within a minute. The swarm does nearly the same work
 * for both servers at the same time, so a second ratio divides each server's time by the swarm's. A
 * busier machine also slows the swarm, so this ratio is slightly flattering.
 */
async function compareServers(): Promise<void> {
  const swarm = { bots: BOTS, thinkMs: 0 };
  const rawRatios: ThroughputRatio[] = [];
  const levelledRatios: ThroughputRatio[] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    const boutRates = await withSwarm("bout-server", swarm, (crew) =>
      measureThroughput(crew, WARM_UP_MS),
    );
    const bareRates = await withSwarm("bare-server", swarm, (crew) =>
      measureThroughput(crew, SETTLE_MS),
    );
    const ratio = {
      matchOnly: boutRates.matchOnly / bareRates.total,
      total: boutRates.total / bareRates.total,
    };
    const speed = boutRates.swarm / bareRates.swarm;
    rawRatios.push(ratio);
    levelledRatios.push({ matchOnly: ratio.matchOnly / speed, total: ratio.total / speed });
    console.log(
      `round ${round}: match ticks per CPU second, ${boutRates.runningMatches} concurrent matches: ` +
        `${boutRates.matchOnly.toFixed(0)} for the matches, ${boutRates.total.toFixed(0)} for the whole ladder, ` +
        `bare ws ${bareRates.total.toFixed(0)}, its swarm ${(1 / speed).toFixed(2)} times as fast`,
    );
  }
  console.log("ratios to bare ws: medians as measured, and corrected for machine speed");
  for (const [name, target, pickRatio] of RATIO_ROWS) {
    const [rawMedian, levelledMedian] = [rawRatios, levelledRatios].map((ratios) =>
      middleValue(ratios.map(pickRatio)).toFixed(2),
    );
    console.log(`${name}: ${rawMedian}, ${levelledMedian}${target}`);
  }
}

const RATIO_ROWS: [name: string, target: string, part: (ratio: ThroughputRatio) => number][] = [
  [
    "validation, simulation, timing, replays and statistics",
    " (at least 0.85, target 1.0)",
    ({ matchOnly }) => matchOnly,
  ],
  ["with ratings, pairing and the store", "", ({ total }) => total],
];

function quantile(values: readonly number[], fraction: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))] ?? NaN;
}

async function measureLatency({ server, swarm }: SwarmProcesses): Promise<void> {
  await pause(WARM_UP_MS);
  await ask<SwarmReport>(swarm, "report");
  const before = await ask<ProcessUsage>(server, "usage");
  await pause(LATENCY_MS);
  const after = await ask<ProcessUsage>(server, "usage");
  const { turnaroundMs, observations, matches, idles } = await ask<SwarmReport>(swarm, "report");
  const seconds = LATENCY_MS / 1000;
  console.log(
    `${BOTS} bots, think time ${THINK_MS} ms, ${seconds} s: ${matches} results received, ` +
      `${(observations / 2 / seconds).toFixed(0)} match ticks a second, ` +
      `server on ${(cpuSeconds(before, after) / seconds).toFixed(2)} cores`,
  );
  console.log(
    `last turn sent to next observation received: p50 ${quantile(turnaroundMs, 0.5).toFixed(1)} ms, ` +
      `p99 ${quantile(turnaroundMs, 0.99).toFixed(1)} ms (under 50)`,
  );
  console.log(`failed ticks charged to bots: ${JSON.stringify(idles)}`);
}

export async function run(): Promise<void> {
  await compareServers();
  await withSwarm("bout-server", { bots: BOTS, thinkMs: THINK_MS }, measureLatency);
}
