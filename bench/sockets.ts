// npm run bench sockets: match ticks per second of server CPU over real sockets, beside a bare `ws`
// server in the same run; then the time a bot waits for its next observation when nothing is full.

import { ask, cpuSeconds, median, pause, withSwarm } from "./sockets/children.ts";
import type { Crew, Usage } from "./sockets/children.ts";
import type { SwarmReport } from "./sockets/swarm.ts";

const BOTS = 640;
const ROUNDS = 3;
const WARM_UP_MS = 20_000;
const MEASURED_MS = 12_000;
const LATENCY_MS = 60_000;
const THINK_MS = 20;
const LOOK_EVERY_MS = 500;

type Figures = { ticksPerCpuSecond: number; running: number };

/** Runs the swarm at full speed: every bot answers at once. */
async function throughput({ server, swarm }: Crew): Promise<Figures> {
  await pause(WARM_UP_MS);
  await ask<SwarmReport>(swarm, "report");
  const before = await ask<Usage>(server, "usage");
  const running: number[] = [];
  for (let elapsed = 0; elapsed < MEASURED_MS; elapsed += LOOK_EVERY_MS) {
    await pause(LOOK_EVERY_MS);
    running.push((await ask<Usage>(server, "usage")).running ?? BOTS / 2);
  }
  const after = await ask<Usage>(server, "usage");
  const { observations } = await ask<SwarmReport>(swarm, "report");
  const ticksPerCpuSecond = observations / 2 / cpuSeconds(before, after);
  return { ticksPerCpuSecond, running: median(running) };
}

async function compare(): Promise<void> {
  const ratios: number[] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    const swarm = { bots: BOTS, thinkMs: 0 };
    const bout = await withSwarm("bout-server", swarm, throughput);
    const bare = await withSwarm("bare-server", swarm, throughput);
    const ratio = bout.ticksPerCpuSecond / bare.ticksPerCpuSecond;
    ratios.push(ratio);
    console.log(
      `round ${round}: bout ${bout.ticksPerCpuSecond.toFixed(0)} match ticks per CPU second ` +
        `(${bout.running} matches at once), bare ws ${bare.ticksPerCpuSecond.toFixed(0)}, ` +
        `ratio ${ratio.toFixed(2)}`,
    );
  }
  console.log(`median ratio to bare ws: ${median(ratios).toFixed(2)} (at least 0.85, target 1.0)`);
}

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
