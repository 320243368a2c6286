// Runs one round of the sockets bench in one tree: node socket-round.ts TREE [--bots N] [--warm-up
// SECONDS] [--measured SECONDS]. Prints CPU time per match tick by thread. Uses that tree's server
// and swarm, so trees with different benches can be compared.

import { join } from "node:path";
import { parseArgs } from "node:util";

import type * as Children from "../sockets/children.ts";
import type { SwarmReport } from "../sockets/swarm.ts";
import type * as ThreadTime from "../sockets/thread-time.ts";

type Usage = Children.ProcessUsage;

/** V8 keeps compiling for half a minute, so the warm-up is long. */
const OPTIONS = {
  bots: { type: "string", default: "640" },
  "warm-up": { type: "string", default: "30" },
  measured: { type: "string", default: "12" },
} as const;

const CURRENT_THREAD_NAMES: Readonly<Record<string, string>> = {
  judge: "matchmaker",
  archive: "recorder",
};

/** Excluded from the match threads, which have their own target in docs/performance.md. */
const NON_MATCH_THREADS = ["matchmaker", "store write", "store read"];

const MICROSECONDS = 1e6;
const SECOND_MS = 1000;

const { values, positionals } = parseArgs({ options: OPTIONS, allowPositionals: true });
const [tree = "../compare"] = positionals;
const fileOf = (name: string) => join(tree, "bench", "sockets", name);
const { ask, cpuSeconds, pause, withSwarm } = (await import(
  fileOf("children.ts")
)) as typeof Children;
const { threadSeconds } = (await import(fileOf("thread-time.ts"))) as typeof ThreadTime;

await withSwarm(
  "bout-server",
  { bots: Number(values.bots), thinkMs: 0 },
  async ({ server, swarm }) => {
    const pid = server.pid!;
    await pause(SECOND_MS * Number(values["warm-up"]));
    await ask<SwarmReport>(swarm, "report");
    const before = await ask<Usage>(server, "usage");
    const threadsBefore = secondsByThread(pid);
    await pause(SECOND_MS * Number(values.measured));
    const after = await ask<Usage>(server, "usage");
    const threads = secondsByThread(pid);
    for (const [name, seconds] of threads)
      threads.set(name, seconds - (threadsBefore.get(name) ?? 0));
    const report = await ask<SwarmReport>(swarm, "report");
    printRound(cpuSeconds(before, after), threads, report);
  },
);

function secondsByThread(pid: number): Map<string, number> {
  const seconds = new Map<string, number>();
  for (const [name, threadSecondsUsed] of threadSeconds(pid) ?? []) {
    const currentName = CURRENT_THREAD_NAMES[name] ?? name;
    seconds.set(currentName, (seconds.get(currentName) ?? 0) + threadSecondsUsed);
  }
  return seconds;
}

function printRound(
  totalSeconds: number,
  threads: ReadonlyMap<string, number>,
  report: SwarmReport,
): void {
  const ticks = report.observations / 2;
  if (ticks === 0) throw new Error("no tick was played during the measurement");
  const nonMatchSeconds = NON_MATCH_THREADS.reduce(
    (sum, name) => sum + (threads.get(name) ?? 0),
    0,
  );
  const printRow = (name: string, seconds: number) =>
    console.log(`  ${name.padEnd(24)} ${((MICROSECONDS * seconds) / ticks).toFixed(3)}`);
  console.log("µs of CPU time per match tick");
  printRow("whole ladder", totalSeconds);
  printRow("matches alone", totalSeconds - nonMatchSeconds);
  for (const [name, seconds] of [...threads].toSorted(([one], [other]) => (one < other ? -1 : 1)))
    printRow(`thread ${name}`, seconds);
  printRow("swarm", report.seconds);
  console.log("of the swarm's CPU time, which cancels out machine speed");
  console.log(`  ${"whole ladder".padEnd(24)} ${(totalSeconds / report.seconds).toFixed(4)}`);
  console.log(
    `  ${"matches alone".padEnd(24)} ${((totalSeconds - nonMatchSeconds) / report.seconds).toFixed(4)}`,
  );
}
