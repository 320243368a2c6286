// npm run bench storm: measures how a storm of GET requests to all public routes affects the ticks
// of 320 matches. Rounds with and without the storm alternate. Swarm, storm and server are separate
// processes.

import { fork } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { firstTwo } from "#base/util/assert-defined.ts";
import { SECOND_US } from "#base/util/time.ts";

import type { LoopReport } from "./http/loop-watch.ts";
import { seedLadder } from "./http/seed-ladder.ts";
import type { StormOrder, StormReport } from "./http/storm-load.ts";
import { ask, nextMessage, middleValue, pause } from "./sockets/children.ts";
import type { ProcessUsage } from "./sockets/children.ts";
import type { SwarmOrder, SwarmReport } from "./sockets/swarm.ts";

const BOTS = 640;
/** Keeps the load well below two cores, so that ticks don't wait for CPU time. */
const THINK_MS = 150;
const WARM_UP_MS = 20_000;
const ROUND_MS = 6000;
const ROUNDS = 3;
/** The combined rate limit of eight client addresses. */
const PER_SECOND = 400;
const CONNECTIONS = 64;

type StormProcesses = {
  server: ChildProcess;
  swarm: ChildProcess;
  storm: ChildProcess;
  baseUrl: string;
};
type StormRound = {
  /** p99 of the time from the later turn of a tick to the next observation, in ms. */
  waitMs: number;
  ticksPerSecond: number;
  loop: LoopReport;
  firstThreadCores: number;
  totalCores: number;
  storm: StormReport;
};

function forkChild(file: string, args: readonly string[] = [], flags: readonly string[] = []) {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const stdio = ["ignore", "ignore", "inherit", "ipc"] as const;
  return fork(path, [...args], { stdio: [...stdio], execArgv: [...flags] });
}

type ListedMatch = { id: string; voided: boolean; bots: { name: string }[] };

/**
 * Returns all public routes, for recent matches. The largest responses are requested a fifth as
 * often as all other responses.
 */
async function stormPaths(baseUrl: string): Promise<string[]> {
  const list = (await (await fetch(`${baseUrl}/api/matches?limit=50`)).json()) as ListedMatch[];
  const swarmMatches = list.filter(
    ({ voided, bots }) => !voided && bots[0]!.name.startsWith("swarm-"),
  );
  if (swarmMatches.length === 0) throw new Error("no match has ended yet");
  return swarmMatches.flatMap((match, matchIndex) => [
    ...typicalPaths(match),
    ...LARGEST_PATHS.filter((_, number) => number % LARGEST_EVERY === matchIndex % LARGEST_EVERY),
  ]);
}

const LARGEST_EVERY = 5;
const LARGEST_PATHS = [
  "/",
  "/api/matches?limit=500",
  "/api/matches?limit=500&stats=1",
  "/api/matches?bot=Bot-1&limit=500&stats=1",
  "/api/bots/Bot-1/ratings",
  "/api/bots/Bot-1/ratings?days=30",
  "/api/seasons/current",
  "/api/ladders/public/results",
  "/api/leaderboard?season=current",
  "/openapi.json",
];

function typicalPaths({ id, bots }: ListedMatch): string[] {
  const { name } = bots[0]!;
  return [
    "/api",
    "/api/leaderboard",
    "/api/lobby",
    "/api/status",
    "/api/matches",
    `/api/matches?limit=100&before=${id}`,
    `/api/matches?bot=${name}`,
    `/api/matches/${id}`,
    `/api/matches/${id}/stats`,
    `/match/${id}`,
    `/replays/${id}.jsonl.gz`,
    `/api/bots/${name}`,
    `/api/bots/${name}/ratings`,
    "/api/seasons",
    `/api/seasons/current/matchups?bot=${name}&all=1`,
    "/api/ladders",
    "/docs/protocol",
    "/api/changelog",
  ];
}

const NO_STORM: StormReport = { served: 0, heldUp: 0 };

async function runRound(
  { server, swarm, storm, baseUrl }: StormProcesses,
  isStorm: boolean,
): Promise<StormRound> {
  const paths = isStorm ? await stormPaths(baseUrl) : [];
  await ask<SwarmReport>(swarm, "report");
  const before = await ask<LoopReport>(server, "loop");
  const usage = await ask<ProcessUsage>(server, "usage");
  const order = { baseUrl, paths, perSecond: PER_SECOND, connections: CONNECTIONS };
  const pendingReport = isStorm ? nextMessage<StormReport>(storm) : NO_STORM;
  if (isStorm) storm.send({ ...order, forMs: ROUND_MS } satisfies StormOrder);
  // Awaited together, so that a failing storm ends the round and its child processes.
  const [stormReport] = await Promise.all([pendingReport, pause(ROUND_MS)]);
  const { turnaroundMs, observations } = await ask<SwarmReport>(swarm, "report");
  const loop = await ask<LoopReport>(server, "loop");
  const { cpu } = await ask<ProcessUsage>(server, "usage");
  const seconds = ROUND_MS / 1000;
  const totalCores =
    (cpu.user + cpu.system - usage.cpu.user - usage.cpu.system) / SECOND_US / seconds;
  return {
    waitMs: p99(turnaroundMs),
    ticksPerSecond: observations / 2 / seconds,
    loop,
    firstThreadCores: (loop.cpuSeconds - before.cpuSeconds) / seconds,
    totalCores,
    storm: stormReport,
  };
}

function p99(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length * 0.99)] ?? NaN;
}

function printRound(
  name: string,
  { waitMs, ticksPerSecond, loop, firstThreadCores, totalCores, storm }: StormRound,
): void {
  const ms = (value: number) => value.toFixed(1);
  const responsesPerSecond = storm.served / (ROUND_MS / 1000);
  console.log(
    `${name}: next observation ${ms(waitMs)} ms after the last turn (p99), ` +
      `${ticksPerSecond.toFixed(0)} match ticks a second; event loop late by ` +
      `${ms(loop.lateMs.p99)} ms (p99) and ${ms(loop.lateMs.max)} (max), working ` +
      `${ms(loop.workMs.p99)} and ${ms(loop.workMs.max)} CPU ms per task; ` +
      `${firstThreadCores.toFixed(2)} cores in the main thread, ${totalCores.toFixed(2)} in total; ` +
      `${responsesPerSecond.toFixed(0)} responses a second, ${storm.heldUp} held up`,
  );
}

async function compareRounds(processes: StormProcesses): Promise<void> {
  await pause(WARM_UP_MS);
  const quietRounds: StormRound[] = [];
  const stormRounds: StormRound[] = [];
  for (let number = 1; number <= ROUNDS; number += 1) {
    quietRounds.push(await runRound(processes, false));
    printRound(`round ${number} without`, quietRounds[number - 1]!);
    stormRounds.push(await runRound(processes, true));
    printRound(`round ${number} with   `, stormRounds[number - 1]!);
  }
  const describeChange = (pickNumber: (stormRound: StormRound) => number) => {
    const [before, after] = firstTwo(
      [quietRounds, stormRounds].map((rounds) => middleValue(rounds.map(pickNumber))),
    );
    const percent = ((after / before - 1) * 100).toFixed(0);
    return `${before.toFixed(1)} to ${after.toFixed(1)} ms (${percent} %)`;
  };
  console.log(
    `medians of the p99, without and with the storm:\n  last turn to next observation  ${describeChange(({ waitMs }) => waitMs)}\n  whole tick, think time included ${describeChange(({ waitMs }) => THINK_MS + waitMs)} (under 20 %)\n  CPU of the event loop per task  ${describeChange(({ loop }) => loop.workMs.p99)}`,
  );
}

export async function run(): Promise<void> {
  const data = await mkdtemp(join(tmpdir(), "bout-bench-storm-"));
  await seedLadder(data);
  const loopWatchFlags = ["--import", new URL("./http/loop-watch.ts", import.meta.url).href];
  const server = forkChild("./sockets/bout-server.ts", [data], loopWatchFlags);
  const [swarm, storm] = [forkChild("./sockets/swarm.ts"), forkChild("./http/storm-load.ts")];
  try {
    const { baseUrl } = await nextMessage<{ baseUrl: string }>(server);
    const pendingJoin = nextMessage(swarm);
    swarm.send({ baseUrl, bots: BOTS, thinkMs: THINK_MS, register: true } satisfies SwarmOrder);
    await pendingJoin;
    await compareRounds({ server, swarm, storm, baseUrl });
  } finally {
    for (const child of [storm, swarm, server]) {
      child.removeAllListeners("exit");
      child.kill("SIGKILL");
    }
    await rm(data, { recursive: true, force: true });
  }
}
