// T94: a bot with a month of a thousand versions a day, all with notes, among fifty thousand bots.
// Prints how late the event loop was while its page, its lists, the leaderboard after a
// registration, and its arrivals were requested.
// node bench/faults/many-versions.ts [VERSIONS] [BOTS]

import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";

import { WebSocket } from "ws";

import { fillCrowd, tokenOf } from "#testing/harness/crowded-ladder.ts";
import { temporaryFolder } from "#testing/harness/test-server.ts";

import type { LoopReport } from "../http/loop-watch.ts";
import { ask, hear } from "../sockets/children.ts";

const [more = 30_000, bots = 50_000] = process.argv.slice(2).map(Number);
const ROUNDS = 20;

const folder = await temporaryFolder();
await fillCrowd(folder.path, { bots, versions: 1, more });
const file = fileURLToPath(new URL("../sockets/bout-server.ts", import.meta.url));
const watch = ["--import", new URL("../http/loop-watch.ts", import.meta.url).href];
const stdio = ["ignore", "ignore", "inherit", "ipc"] as const;
const server = fork(file, [folder.path], { stdio: [...stdio], execArgv: watch });
const { baseUrl } = await hear<{ baseUrl: string }>(server);
const own = { authorization: `Bearer ${tokenOf(0)}` };

async function get(path: string, headers = {}): Promise<void> {
  const response = await fetch(baseUrl + path, { headers });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
}

async function make(label: string): Promise<void> {
  const headers = { ...own, "content-type": "application/json" };
  const body = JSON.stringify({ label });
  const response = await fetch(`${baseUrl}/api/me/versions`, { method: "POST", headers, body });
  if (response.status !== 201) throw new Error(`a version was answered ${response.status}`);
}

async function arrive(round: number): Promise<void> {
  const socket = new WebSocket(`${baseUrl.replace("http", "ws")}/bot`, { headers: own });
  await new Promise((resolve, reject) => socket.on("open", resolve).on("error", reject));
  const queued = new Promise((resolve) => socket.once("message", resolve));
  socket.send(JSON.stringify({ type: "queue", version: `v${bots + round}` }));
  await queued;
  socket.close();
}

const JOBS: [name: string, job: (round: number) => Promise<void>][] = [
  ["its page after a new version", async (n) => (await make(`a-${n}`), get("/api/bots/Bot-0"))],
  ["its own view after one", async (n) => (await make(`b-${n}`), get("/api/me", own))],
  ["a page of its versions", (n) => get(`/api/bots/Bot-0/versions?limit=500&before=v${bots + n}`)],
  ["the leaderboard after one", async (n) => (await make(`c-${n}`), get("/api/leaderboard"))],
  ["another bot's page after one", async (n) => (await make(`d-${n}`), get(`/api/bots/Bot-${n}`))],
  ["an arrival", arrive],
];

try {
  for (const [name, job] of JOBS) {
    await ask<LoopReport>(server, "loop");
    const start = performance.now();
    for (let round = 1; round <= ROUNDS; round += 1) await job(round);
    const each = (performance.now() - start) / ROUNDS;
    const { lateMs, workMs } = await ask<LoopReport>(server, "loop");
    const late = `${lateMs.p99.toFixed(1)} ms (p99), ${lateMs.max.toFixed(1)} ms (max)`;
    const work = `at most ${workMs.max.toFixed(1)} ms of CPU in one go`;
    console.log(`${name}: ${each.toFixed(1)} ms each; the loop was late by ${late}, ${work}`);
  }
} finally {
  server.removeAllListeners("exit");
  server.kill("SIGKILL");
  await folder.remove();
}
