// npm run bench storm: how a storm of GETs over all public routes affects the ticks of 320 matches.
// Rounds with and without the storm alternate; swarm, storm and server are separate processes.

import { fork } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { bothOf } from "#base/units/sure.ts";
import { SECOND } from "#base/units/time.ts";

import { seed } from "./http/ladder.ts";
import type { LoopReport } from "./http/loop-watch.ts";
import type { StormOrder, StormReport } from "./http/storm-load.ts";
import { ask, hear, median, pause } from "./sockets/children.ts";
import type { Usage } from "./sockets/children.ts";
import type { SwarmOrder, SwarmReport } from "./sockets/swarm.ts";

const BOTS = 640;
/** Slow enough that two cores are far from full: otherwise ticks would wait for a core. */
const THINK_MS = 150;
const WARM_UP_MS = 20_000;
const ROUND_MS = 6000;
const ROUNDS = 3;
/** As many as eight addresses may request together. */
const PER_SECOND = 400;
const CONNECTIONS = 64;

type Crew = { server: ChildProcess; swarm: ChildProcess; storm: ChildProcess; baseUrl: string };
type Round = {
  /** From the later turn of a tick to the next observation, p99 in ms. */
  waitMs: number;
  ticksPerSecond: number;
  loop: LoopReport;
  /** Cores used by the server: by its first thread, and in total. */
  first: number;
  all: number;
  storm: StormReport;
};

function start(file: string, args: readonly string[] = [], flags: readonly string[] = []) {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const stdio = ["ignore", "ignore", "inherit", "ipc"] as const;
  return fork(path, [...args], { stdio: [...stdio], execArgv: [...flags] });
}

type Found = { id: string; voided: boolean; bots: { name: string }[] };

/** All public routes, about recent matches; the largest answers a fifth as often as others. */
async function pathsOf(baseUrl: string): Promise<string[]> {
  const list = (await (await fetch(`${baseUrl}/api/matches?limit=50`)).json()) as Found[];
  const fought = list.filter(({ voided, bots }) => !voided && bots[0]!.name.startsWith("swarm-"));
  if (fought.length === 0) throw new Error("no match has ended yet");
  return fought.flatMap((match, at) => [
    ...usualPaths(match),
    ...LARGEST.filter((_, number) => number % LARGEST_EVERY === at % LARGEST_EVERY),
  ]);
}

const LARGEST_EVERY = 5;
const LARGEST = [
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

function usualPaths({ id, bots }: Found): string[] {
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

const QUIET: StormReport = { served: 0, heldUp: 0 };

async function round({ server, swarm, storm, baseUrl }: Crew, isStorm: boolean): Promise<Round> {
  const paths = isStorm ? await pathsOf(baseUrl) : [];
  await ask<SwarmReport>(swarm, "report");
  const before = await ask<LoopReport>(server, "loop");
  const usage = await ask<Usage>(server, "usage");
  const order = { baseUrl, paths, perSecond: PER_SECOND, connections: CONNECTIONS };
  const heard = isStorm ? hear<StormReport>(storm) : QUIET;
  if (isStorm) storm.send({ ...order, forMs: ROUND_MS } satisfies StormOrder);
  // Together, so that a failing storm ends the round, and the children with it.
  const [answered] = await Promise.all([heard, pause(ROUND_MS)]);
  const { turnaroundMs, observations } = await ask<SwarmReport>(swarm, "report");
  const loop = await ask<LoopReport>(server, "loop");
  const { cpu } = await ask<Usage>(server, "usage");
  const seconds = ROUND_MS / 1000;
  const all = (cpu.user + cpu.system - usage.cpu.user - usage.cpu.system) / SECOND / seconds;
  return {
    waitMs: p99(turnaroundMs),
    ticksPerSecond: observations / 2 / seconds,
    loop,
    first: (loop.cpuSeconds - before.cpuSeconds) / seconds,
    all,
    storm: answered,
  };
}

function p99(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length * 0.99)] ?? NaN;
}

function print(name: string, { waitMs, ticksPerSecond, loop, first, all, storm }: Round): void {
  const ms = (value: number) => value.toFixed(1);
  const asked = storm.served / (ROUND_MS / 1000);
  console.log(
    `${name}: next observation ${ms(waitMs)} ms after the last turn (p99), ` +
      `${ticksPerSecond.toFixed(0)} match ticks a second; event loop late by ` +
      `${ms(loop.lateMs.p99)} ms (p99) and ${ms(loop.lateMs.max)} (most), working ` +
      `${ms(loop.workMs.p99)} and ${ms(loop.workMs.max)} CPU ms in one go; ` +
      `${first.toFixed(2)} cores in the first thread, ${all.toFixed(2)} in all; ` +
      `${asked.toFixed(0)} answers a second, ${storm.heldUp} held up`,
  );
}

async function compare(crew: Crew): Promise<void> {
  await pause(WARM_UP_MS);
  const quiet: Round[] = [];
  const stormy: Round[] = [];
  for (let number = 1; number <= ROUNDS; number += 1) {
    quiet.push(await round(crew, false));
    print(`round ${number} without`, quiet[number - 1]!);
    stormy.push(await round(crew, true));
    print(`round ${number} within `, stormy[number - 1]!);
  }
  const change = (figure: (one: Round) => number) => {
    const [before, after] = bothOf([quiet, stormy].map((rounds) => median(rounds.map(figure))));
    const percent = ((after / before - 1) * 100).toFixed(0);
    return `${before.toFixed(1)} to ${after.toFixed(1)} ms (${percent} %)`;
  };
  console.log(`medians of the p99, without and within the storm:
  last turn to next observation  ${change(({ waitMs }) => waitMs)}
  whole tick, thought included   ${change(({ waitMs }) => THINK_MS + waitMs)} (under 20 %)
  CPU of the event loop in a go   ${change(({ loop }) => loop.workMs.p99)}`);
}

/** Prints the figures of docs/performance.md, section "HTTP", about matches under a storm. */
export async function run(): Promise<void> {
  const data = await mkdtemp(join(tmpdir(), "bout-bench-storm-"));
  await seed(data);
  const watch = ["--import", new URL("./http/loop-watch.ts", import.meta.url).href];
  const server = start("./sockets/bout-server.ts", [data], watch);
  const [swarm, storm] = [start("./sockets/swarm.ts"), start("./http/storm-load.ts")];
  try {
    const { baseUrl } = await hear<{ baseUrl: string }>(server);
    const joined = hear(swarm);
    swarm.send({ baseUrl, bots: BOTS, thinkMs: THINK_MS, register: true } satisfies SwarmOrder);
    await joined;
    await compare({ server, swarm, storm, baseUrl });
  } finally {
    for (const child of [storm, swarm, server]) {
      child.removeAllListeners("exit");
      child.kill("SIGKILL");
    }
    await rm(data, { recursive: true, force: true });
  }
}
