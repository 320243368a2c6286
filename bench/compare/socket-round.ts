// One round of the sockets bench in one tree: node socket-round.ts TREE [--bots N]
// [--warm-up SECONDS] [--measured SECONDS]. It prints the processor time of a match tick by thread.
// The tree's own server and swarm do the work, so trees with another bench can be compared.

import { join } from "node:path";
import { parseArgs } from "node:util";

import type * as Children from "../sockets/children.ts";
import type { SwarmReport } from "../sockets/swarm.ts";
import type * as ThreadTime from "../sockets/thread-time.ts";

type Usage = Children.Usage;

/** The warm-up is that long because V8 goes on compiling for half a minute. */
const OPTIONS = {
  bots: { type: "string", default: "640" },
  "warm-up": { type: "string", default: "30" },
  measured: { type: "string", default: "12" },
} as const;

/** Names that threads had in earlier releases. */
const NAMES_NOW: Readonly<Record<string, string>> = { judge: "matchmaker", archive: "recorder" };

/** Threads around the match: what is left is the part that docs/performance.md has a target for. */
const AROUND_THE_MATCH = ["matchmaker", "store write", "store read"];

const MICROSECONDS = 1e6;
const SECOND_MS = 1000;

const { values, positionals } = parseArgs({ options: OPTIONS, allowPositionals: true });
const [tree = "."] = positionals;
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
    print(cpuSeconds(before, after), threads, report);
  },
);

/** Threads of one name together. */
function secondsByThread(pid: number): Map<string, number> {
  const seconds = new Map<string, number>();
  for (const [name, own] of threadSeconds(pid) ?? []) {
    const now = NAMES_NOW[name] ?? name;
    seconds.set(now, (seconds.get(now) ?? 0) + own);
  }
  return seconds;
}

function print(whole: number, threads: ReadonlyMap<string, number>, report: SwarmReport): void {
  const ticks = report.observations / 2;
  if (ticks === 0) throw new Error("no tick was played while it was measured");
  const around = AROUND_THE_MATCH.reduce((sum, name) => sum + (threads.get(name) ?? 0), 0);
  const told = (name: string, seconds: number) =>
    console.log(`  ${name.padEnd(24)} ${((MICROSECONDS * seconds) / ticks).toFixed(3)}`);
  console.log("µs of processor time a match tick");
  told("whole ladder", whole);
  told("matches alone", whole - around);
  for (const [name, seconds] of [...threads].toSorted(([one], [other]) => (one < other ? -1 : 1)))
    told(`thread ${name}`, seconds);
  told("swarm", report.seconds);
  console.log("of the swarm's processor time, which levels the machine's speed");
  console.log(`  ${"whole ladder".padEnd(24)} ${(whole / report.seconds).toFixed(4)}`);
  console.log(`  ${"matches alone".padEnd(24)} ${((whole - around) / report.seconds).toFixed(4)}`);
}
