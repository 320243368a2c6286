// npm run bench health: what it costs the thread that serves matches to measure itself. 640 bots
// answer at once; a profile of that thread says how much of its busy time is spent in the functions
// of live/health. The target is 1 %.

import { ask, pause, withSwarm } from "./sockets/children.ts";
import type { SelfTimes } from "./sockets/self-time.ts";

const BOTS = 640;
/** V8 keeps compiling for half a minute. */
const WARM_UP_MS = 30_000;
const MEASURED_MS = 20_000;
const HEALTH = "/src/live/health/";
const MOST_PERCENT = 1;
const FILES_SHOWN = 8;

export async function run(): Promise<void> {
  const swarm = { bots: BOTS, thinkMs: 0 };
  const { busy, byFile } = await withSwarm("bout-server", swarm, async ({ server }) => {
    await pause(WARM_UP_MS);
    await ask(server, "profile");
    await pause(MEASURED_MS);
    return ask<SelfTimes>(server, "profiled");
  });
  const percent = (spent: number) => (100 * spent) / busy;
  const files = Object.entries(byFile).toSorted(([, one], [, other]) => other - one);
  const own = files.filter(([file]) => file.includes(HEALTH));
  const health = percent(own.reduce((sum, [, spent]) => sum + spent, 0));
  console.log(`busy ${(busy / 1000 / MEASURED_MS).toFixed(2)} of the time, of which`);
  for (const [file, spent] of [...files.slice(0, FILES_SHOWN), ...own])
    console.log(`${percent(spent).toFixed(2).padStart(6)} %  ${shortened(file)}`);
  const verdict = health < MOST_PERCENT ? "below" : "NOT BELOW";
  console.log(`health: ${health.toFixed(2)} %, ${verdict} ${MOST_PERCENT} %`);
  if (health >= MOST_PERCENT) process.exitCode = 1;
}

/** From `src` or the package on. */
const shortened = (file: string): string => file.replace(/^file:.*?\/(src|node_modules)\//, "$1/");
