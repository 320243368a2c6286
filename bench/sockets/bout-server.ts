// Runs the ladder as a child process of the bench. Reports the CPU time of all its threads.

import type { Worker } from "node:worker_threads";

import { serveLadder } from "#testing/harness/test-server.ts";

import { readMemory } from "./memory.ts";
import { profileThread } from "./self-time.ts";
import type { SelfTimes } from "./self-time.ts";

const workers = new Set<Worker>();
process.on("worker", (worker) => {
  workers.add(worker);
  worker.once("exit", () => workers.delete(worker));
});

const [data = "", ...flags] = process.argv.slice(2);
const server = await serveLadder(data, ["--drain-timeout", "0", ...flags]);

process.on("message", (request) => {
  if (request === "usage")
    process.send?.({
      cpu: process.cpuUsage(),
      running: server.arena.capacity().running,
      rss: process.memoryUsage.rss(),
    });
});
async function sendMemory(): Promise<void> {
  process.send?.(await readMemory(workers));
}
process.on("message", (request) => {
  if (request === "memory") void sendMemory();
});
let stopProfile: (() => Promise<SelfTimes>) | null = null;
async function startProfile(): Promise<void> {
  stopProfile = await profileThread();
  process.send?.({});
}
async function sendProfile(): Promise<void> {
  process.send?.(await stopProfile?.());
}
process.on("message", (request) => {
  if (request === "profile") void startProfile();
  if (request === "profiled") void sendProfile();
});
process.send?.({ baseUrl: server.baseUrl });
process.on("SIGTERM", () => process.exit());
