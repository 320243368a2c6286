// npm run bench sockets: match ticks per second of server CPU over real sockets, compared with
// a bare `ws` server in the same run; then how long a bot waits for its next observation when
// nothing is saturated.
//
// The target covers validation, simulation, timing, replays and statistics. A ladder also rates,
// pairs and stores each match on separate threads. So there are two figures: one without those
// threads, and one of the whole process.

import type { ChildProcess } from "node:child_process";

import { ask, cpuSeconds, median, pause, withSwarm } from "./sockets/children.ts";
import type { Crew, Usage } from "./sockets/children.ts";
import type { SwarmReport } from "./sockets/swarm.ts";
import { threadSeconds } from "./sockets/thread-time.ts";

const BOTS = 640;
const ROUNDS = 5;
/** V8 keeps compiling for half a minute. */
const WARM_UP_MS = 30_000;
/** The reference is small. */
const SETTLE_MS = 8000;
const MEASURED_MS = 12_000;
const LATENCY_MS = 60_000;
const THINK_MS = 20;
const LOOK_EVERY_MS = 500;

/** Threads of the ladder apart from the match: ratings and pairing, and the store. */
const AROUND_THE_MATCH = ["matchmaker", "store write", "store read"];

/**
 * Match ticks per second of processor time: of the server, of its matches alone, and of the swarm.
 */
type Figures = { whole: number; match: number; swarm: number; running: number };

/** Runs the swarm at full speed: every bot answers at once. */
async function throughput({ server, swarm }: Crew, warmUpMs: number): Promise<Figures> {
  await pause(warmUpMs);
  await ask<SwarmReport>(swarm, "report");
  const before = await ask<Usage>(server, "usage");
  const aroundBefore = secondsAround(server);
  const running: number[] = [];
  for (let elapsed = 0; elapsed < MEASURED_MS; elapsed += LOOK_EVERY_MS) {
    await pause(LOOK_EVERY_MS);
    running.push((await ask<Usage>(server, "usage")).running ?? BOTS / 2);
  }
  const after = await ask<Usage>(server, "usage");
  const around = secondsAround(server) - aroundBefore;
  const report = await ask<SwarmReport>(swarm, "report");
  const ticks = report.observations / 2;
  const seconds = cpuSeconds(before, after);
  return {
    whole: ticks / seconds,
    match: ticks / (seconds - around),
    swarm: ticks / report.seconds,
    running: median(running),
  };
}

/** NaN if the system does not report it. */
function secondsAround({ pid }: ChildProcess): number {
  const seconds = pid === undefined ? null : threadSeconds(pid);
  if (seconds === null) return NaN;
  return AROUND_THE_MATCH.reduce((sum, name) => sum + (seconds.get(name) ?? 0), 0);
}

type Ratio = { match: number; whole: number };

/**
 * These machines change their speed by a fifth within a minute. The swarm does nearly the same work
 * for both servers while they do theirs, so a second ratio expresses each server's time as a
 * multiple of the swarm's. A busier machine slows the swarm too, so this ratio flatters slightly.
 */
async function compare(): Promise<void> {
  const swarm = { bots: BOTS, thinkMs: 0 };
  const plain: Ratio[] = [];
  const levelled: Ratio[] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    const bout = await withSwarm("bout-server", swarm, (crew) => throughput(crew, WARM_UP_MS));
    const bare = await withSwarm("bare-server", swarm, (crew) => throughput(crew, SETTLE_MS));
    const ratio = { match: bout.match / bare.whole, whole: bout.whole / bare.whole };
    const speed = bout.swarm / bare.swarm;
    plain.push(ratio);
    levelled.push({ match: ratio.match / speed, whole: ratio.whole / speed });
    console.log(
      `round ${round}: match ticks per CPU second, ${bout.running} matches at once: ` +
        `${bout.match.toFixed(0)} for the matches, ${bout.whole.toFixed(0)} for the whole ladder, ` +
        `bare ws ${bare.whole.toFixed(0)}, its swarm ${(1 / speed).toFixed(2)} times as fast`,
    );
  }
  console.log("ratios to bare ws: medians as measured, and with the machine's speed levelled");
  for (const [name, target, part] of ROWS) {
    const [one, other] = [plain, levelled].map((ratios) => median(ratios.map(part)).toFixed(2));
    console.log(`${name}: ${one}, ${other}${target}`);
  }
}

const ROWS: [name: string, target: string, part: (ratio: Ratio) => number][] = [
  [
    "validation, simulation, timing, replays and statistics",
    " (at least 0.85, target 1.0)",
    ({ match }) => match,
  ],
  ["with ratings, pairing and the store", "", ({ whole }) => whole],
];

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

async function latency({ server, swarm }: Crew): Promise<void> {
  await pause(WARM_UP_MS);
  await ask<SwarmReport>(swarm, "report");
  const before = await ask<Usage>(server, "usage");
  await pause(LATENCY_MS);
  const after = await ask<Usage>(server, "usage");
  const { turnaroundMs, observations, matches, idles } = await ask<SwarmReport>(swarm, "report");
  const seconds = LATENCY_MS / 1000;
  console.log(
    `${BOTS} bots, think time ${THINK_MS} ms, ${seconds} s: ${matches} ends heard, ` +
      `${(observations / 2 / seconds).toFixed(0)} match ticks a second, ` +
      `server on ${(cpuSeconds(before, after) / seconds).toFixed(2)} cores`,
  );
  console.log(
    `last turn out to next observation in: p50 ${quantile(turnaroundMs, 0.5).toFixed(1)} ms, ` +
      `p99 ${quantile(turnaroundMs, 0.99).toFixed(1)} ms (under 50)`,
  );
  console.log(`failed ticks charged to bots: ${JSON.stringify(idles)}`);
}

/** Prints the figures of docs/performance.md, section "Sockets". */
export async function run(): Promise<void> {
  await compare();
  await withSwarm("bout-server", { bots: BOTS, thinkMs: THINK_MS }, latency);
}
