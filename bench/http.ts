// npm run bench http: measures requests per second for public reads, each compared with a bare
// Fastify route that sends the same bytes. The two run alternately, on loopback, with server and
// load in separate processes.

import { fork } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { WebSocket } from "ws";

import type { StaticResponse } from "./http/bare-server.ts";
import type { LoadOrder, LoadReport } from "./http/load.ts";
import { SEEDED_BOTS, seedLadder, benchToken } from "./http/seed-ladder.ts";
import { nextMessage, middleValue } from "./sockets/children.ts";

const ROUNDS = 3;
const CONNECTIONS = 16;
const WARM_UP_MS = 250;
const MEASURED_MS = 1000;
const ONLINE_BOTS = 50;

type BenchRoute = { name: string; path: string; minimumRatio: number | null };
type Servers = { boutUrl: string; bareUrl: string; load: ChildProcess };

function forkChild(file: string, args: readonly string[] = []): ChildProcess {
  const path = fileURLToPath(new URL(file, import.meta.url));
  return fork(path, [...args], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
}

async function listRoutes(baseUrl: string): Promise<BenchRoute[]> {
  const list = (await (await fetch(`${baseUrl}/api/matches?limit=1`)).json()) as { id: string }[];
  return [
    { name: "leaderboard", path: "/api/leaderboard", minimumRatio: 0.6 },
    { name: "lobby", path: "/api/lobby", minimumRatio: 0.6 },
    { name: "status", path: "/api/status", minimumRatio: 0.6 },
    { name: "bot", path: "/api/bots/Bot-1", minimumRatio: null },
    { name: "matches", path: "/api/matches", minimumRatio: null },
    { name: "match", path: `/api/matches/${list[0]!.id}`, minimumRatio: null },
  ];
}

async function fetchResponse(baseUrl: string, path: string): Promise<StaticResponse> {
  const response = await fetch(baseUrl + path);
  if (response.status !== 200) throw new Error(`${path} answered ${response.status}`);
  const type = response.headers.get("content-type") ?? "";
  return { path: path.split("?", 1)[0]!, type, body: await response.text() };
}

async function connectBots(baseUrl: string): Promise<WebSocket[]> {
  const pendingSockets = Array.from({ length: ONLINE_BOTS }, async (_, number) => {
    const headers = { authorization: `Bearer ${benchToken(number)}` };
    const socket = new WebSocket(`${baseUrl.replace("http", "ws")}/bot`, { headers });
    await new Promise((resolve, reject) => socket.on("open", resolve).on("error", reject));
    return socket;
  });
  return Promise.all(pendingSockets);
}

async function requestsPerSecond(load: ChildProcess, url: string): Promise<number> {
  const loadOrder = {
    url,
    connections: CONNECTIONS,
    warmUpMs: WARM_UP_MS,
    measuredMs: MEASURED_MS,
  };
  const report = nextMessage<LoadReport>(load);
  load.send(loadOrder satisfies LoadOrder);
  return (await report).requestsPerSecond;
}

async function compareRoute(
  { boutUrl, bareUrl, load }: Servers,
  { name, path, minimumRatio }: BenchRoute,
) {
  const rounds: { boutRate: number; bareRate: number }[] = [];
  for (let round = 0; round < ROUNDS; round += 1)
    rounds.push({
      boutRate: await requestsPerSecond(load, boutUrl + path),
      bareRate: await requestsPerSecond(load, bareUrl + path),
    });
  const boutRate = middleValue(rounds.map((round) => round.boutRate));
  const bareRate = middleValue(rounds.map((round) => round.bareRate));
  const ratio = middleValue(rounds.map((round) => round.boutRate / round.bareRate));
  const goalText = minimumRatio === null ? "" : ` (at least ${minimumRatio})`;
  console.log(
    `${name.padEnd(12)} ${boutRate.toFixed(0).padStart(6)} a second, bare Fastify ` +
      `${bareRate.toFixed(0).padStart(6)}, ratio ${ratio.toFixed(2)}${goalText}`,
  );
}

export async function run(): Promise<void> {
  const data = await mkdtemp(join(tmpdir(), "bout-bench-http-"));
  await seedLadder(data);
  const children = [
    forkChild("./sockets/bout-server.ts", [data]),
    forkChild("./http/bare-server.ts"),
    forkChild("./http/load.ts"),
  ];
  const [boutServer, bareServer, load] = children;
  try {
    const { baseUrl: boutUrl } = await nextMessage<{ baseUrl: string }>(boutServer!);
    const online = await connectBots(boutUrl);
    const routes = await listRoutes(boutUrl);
    const responses = await Promise.all(routes.map(({ path }) => fetchResponse(boutUrl, path)));
    bareServer!.send(responses);
    const { baseUrl: bareUrl } = await nextMessage<{ baseUrl: string }>(bareServer!);
    console.log(`${SEEDED_BOTS} ranked bots, ${ONLINE_BOTS} online, ${CONNECTIONS} connections:`);
    for (const [index, route] of routes.entries()) {
      if (responses[index]!.body === "[]") throw new Error(`${route.path} has no content`);
      await compareRoute({ boutUrl, bareUrl, load: load! }, route);
    }
    for (const socket of online) socket.terminate();
  } finally {
    for (const child of children) {
      child.removeAllListeners("exit");
      child.kill("SIGKILL");
    }
    await rm(data, { recursive: true, force: true });
  }
}
