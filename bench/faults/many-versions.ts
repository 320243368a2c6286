// T94: one of fifty thousand bots has registered a thousand versions a day for a month, all with
// notes. Prints the event loop delay while the server handles requests for the bot's page, its
// lists, and the leaderboard after a registration, and while the bot connects.
// node bench/faults/many-versions.ts [VERSIONS] [BOTS]

import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";

import { WebSocket } from "ws";

import { fillLargeLadder, largeLadderToken } from "#testing/harness/large-ladder.ts";
import { createTemporaryFolder } from "#testing/harness/test-server.ts";

import type { LoopReport } from "../http/loop-watch.ts";
import { ask, nextMessage } from "../sockets/children.ts";

const [versionCount = 30_000, botCount = 50_000] = process.argv.slice(2).map(Number);
const ROUNDS = 20;

const folder = await createTemporaryFolder();
await fillLargeLadder(folder.path, { bots: botCount, versions: 1, extraVersions: versionCount });
const file = fileURLToPath(new URL("../sockets/bout-server.ts", import.meta.url));
const loopWatchFlags = ["--import", new URL("../http/loop-watch.ts", import.meta.url).href];
const stdio = ["ignore", "ignore", "inherit", "ipc"] as const;
const server = fork(file, [folder.path], { stdio: [...stdio], execArgv: loopWatchFlags });
const { baseUrl } = await nextMessage<{ baseUrl: string }>(server);
const authHeaders = { authorization: `Bearer ${largeLadderToken(0)}` };

async function get(path: string, headers = {}): Promise<void> {
  const response = await fetch(baseUrl + path, { headers });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
}

async function createVersion(label: string): Promise<void> {
  const headers = { ...authHeaders, "content-type": "application/json" };
  const body = JSON.stringify({ label });
  const response = await fetch(`${baseUrl}/api/me/versions`, { method: "POST", headers, body });
  if (response.status !== 201) throw new Error(`creating a version returned ${response.status}`);
}

async function connectAndQueue(round: number): Promise<void> {
  const socket = new WebSocket(`${baseUrl.replace("http", "ws")}/bot`, { headers: authHeaders });
  await new Promise((resolve, reject) => socket.on("open", resolve).on("error", reject));
  const queued = new Promise((resolve) => socket.once("message", resolve));
  socket.send(JSON.stringify({ type: "queue", version: `v${botCount + round}` }));
  await queued;
  socket.close();
}

const JOBS: [name: string, job: (round: number) => Promise<void>][] = [
  [
    "its page after a new version",
    async (round) => (await createVersion(`a-${round}`), get("/api/bots/Bot-0")),
  ],
  [
    "its own view after a new version",
    async (round) => (await createVersion(`b-${round}`), get("/api/me", authHeaders)),
  ],
  [
    "a page of its versions",
    (round) => get(`/api/bots/Bot-0/versions?limit=500&before=v${botCount + round}`),
  ],
  [
    "the leaderboard after a new version",
    async (round) => (await createVersion(`c-${round}`), get("/api/leaderboard")),
  ],
  [
    "another bot's page after a new version",
    async (round) => (await createVersion(`d-${round}`), get(`/api/bots/Bot-${round}`)),
  ],
  ["an arrival", connectAndQueue],
];

try {
  for (const [name, job] of JOBS) {
    await ask<LoopReport>(server, "loop");
    const start = performance.now();
    for (let round = 1; round <= ROUNDS; round += 1) await job(round);
    const averageMs = (performance.now() - start) / ROUNDS;
    const { lateMs, workMs } = await ask<LoopReport>(server, "loop");
    const lateText = `${lateMs.p99.toFixed(1)} ms (p99), ${lateMs.max.toFixed(1)} ms (max)`;
    const workText = `up to ${workMs.max.toFixed(1)} ms of CPU per task`;
    console.log(
      `${name}: ${averageMs.toFixed(1)} ms each; event loop delay ${lateText}, ${workText}`,
    );
  }
} finally {
  server.removeAllListeners("exit");
  server.kill("SIGKILL");
  await folder.remove();
}
