// npm run bench http: requests per second of public reads, each compared with a bare Fastify route
// that sends the same bytes. They run in turn, on loopback, with server and load in separate
// processes.

import { fork } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { WebSocket } from "ws";

import type { Given } from "./http/bare-server.ts";
import { BOTS, seed, tokenOf } from "./http/ladder.ts";
import type { LoadOrder, LoadReport } from "./http/load.ts";
import { hear, median } from "./sockets/children.ts";

const ROUNDS = 3;
const CONNECTIONS = 16;
const WARM_UP_MS = 250;
const MEASURED_MS = 1000;
/** Bots that are online, so that lobby and status have something to show. */
const ONLINE = 50;

type Route = { name: string; path: string; atLeast: number | null };
type Servers = { bout: string; bare: string; load: ChildProcess };

function start(file: string, args: readonly string[] = []): ChildProcess {
  const path = fileURLToPath(new URL(file, import.meta.url));
  return fork(path, [...args], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
}

async function routesOf(baseUrl: string): Promise<Route[]> {
  const list = (await (await fetch(`${baseUrl}/api/matches?limit=1`)).json()) as { id: string }[];
  return [
    { name: "leaderboard", path: "/api/leaderboard", atLeast: 0.6 },
    { name: "lobby", path: "/api/lobby", atLeast: 0.6 },
    { name: "status", path: "/api/status", atLeast: 0.6 },
    { name: "bot", path: "/api/bots/Bot-1", atLeast: null },
    { name: "matches", path: "/api/matches", atLeast: null },
    { name: "match", path: `/api/matches/${list[0]!.id}`, atLeast: null },
  ];
}

async function answerOf(baseUrl: string, path: string): Promise<Given> {
  const response = await fetch(baseUrl + path);
  if (response.status !== 200) throw new Error(`${path} answered ${response.status}`);
  const type = response.headers.get("content-type") ?? "";
  return { path: path.split("?", 1)[0]!, type, body: await response.text() };
}

/** Connects bots that never queue. */
async function goOnline(baseUrl: string): Promise<WebSocket[]> {
  const opened = Array.from({ length: ONLINE }, async (_, number) => {
    const headers = { authorization: `Bearer ${tokenOf(number)}` };
    const socket = new WebSocket(`${baseUrl.replace("http", "ws")}/bot`, { headers });
    await new Promise((resolve, reject) => socket.on("open", resolve).on("error", reject));
    return socket;
  });
  return Promise.all(opened);
}

async function requestsPerSecond(load: ChildProcess, url: string): Promise<number> {
  const order = { url, connections: CONNECTIONS, warmUpMs: WARM_UP_MS, measuredMs: MEASURED_MS };
  const report = hear<LoadReport>(load);
  load.send(order satisfies LoadOrder);
  return (await report).requestsPerSecond;
}

async function compare({ bout, bare, load }: Servers, { name, path, atLeast }: Route) {
  const rounds: { own: number; reference: number }[] = [];
  for (let round = 0; round < ROUNDS; round += 1)
    rounds.push({
      own: await requestsPerSecond(load, bout + path),
      reference: await requestsPerSecond(load, bare + path),
    });
  const own = median(rounds.map((round) => round.own));
  const reference = median(rounds.map((round) => round.reference));
  const ratio = median(rounds.map((round) => round.own / round.reference));
  const goal = atLeast === null ? "" : ` (at least ${atLeast})`;
  console.log(
    `${name.padEnd(12)} ${own.toFixed(0).padStart(6)} a second, bare Fastify ` +
      `${reference.toFixed(0).padStart(6)}, ratio ${ratio.toFixed(2)}${goal}`,
  );
}

/** Prints the figures of docs/performance.md, section "HTTP". */
export async function run(): Promise<void> {
  const data = await mkdtemp(join(tmpdir(), "bout-bench-http-"));
  await seed(data);
  const children = [
    start("./sockets/bout-server.ts", [data]),
    start("./http/bare-server.ts"),
    start("./http/load.ts"),
  ];
  const [boutServer, bareServer, load] = children;
  try {
    const { baseUrl: bout } = await hear<{ baseUrl: string }>(boutServer!);
    const online = await goOnline(bout);
    const routes = await routesOf(bout);
    const given = await Promise.all(routes.map(({ path }) => answerOf(bout, path)));
    bareServer!.send(given);
    const { baseUrl: bare } = await hear<{ baseUrl: string }>(bareServer!);
    console.log(`${BOTS} ranked bots, ${ONLINE} online, ${CONNECTIONS} connections:`);
    for (const [at, route] of routes.entries()) {
      if (given[at]!.body === "[]") throw new Error(`${route.path} has nothing to show`);
      await compare({ bout, bare, load: load! }, route);
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
