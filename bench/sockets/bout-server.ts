// The ladder itself as a child of the bench. It reports the CPU it has used, all threads included.

import type { Worker } from "node:worker_threads";

import { serveLadder } from "#testing/harness/test-server.ts";

import { memoryOf } from "./memory.ts";
import { profileThread } from "./self-time.ts";
import type { SelfTimes } from "./self-time.ts";

const workers = new Set<Worker>();
process.on("worker", (worker) => {
  workers.add(worker);
  worker.once("exit", () => workers.delete(worker));
});

const [data = "", ...flags] = process.argv.slice(2);
const server = await serveLadder(data, ["--drain-timeout", "0", ...flags]);

process.on("message", (question) => {
  if (question === "usage")
    process.send?.({
      cpu: process.cpuUsage(),
      running: server.arena.capacity().running,
      rss: process.memoryUsage.rss(),
    });
});
async function tellMemory(): Promise<void> {
  process.send?.(await memoryOf(workers));
}
process.on("message", (question) => {
  if (question === "memory") void tellMemory();
});
let profiled: (() => Promise<SelfTimes>) | null = null;
async function profile(): Promise<void> {
  profiled = await profileThread();
  process.send?.({});
}
async function tellProfile(): Promise<void> {
  process.send?.(await profiled?.());
}
process.on("message", (question) => {
  if (question === "profile") void profile();
  if (question === "profiled") void tellProfile();
});
process.send?.({ baseUrl: server.baseUrl });
process.on("SIGTERM", () => process.exit());
