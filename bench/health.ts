// npm run bench health: measures what self-monitoring costs on the thread that serves matches. 640
// bots respond immediately. A CPU profile gives the share of busy time spent in live/health; the
// target is 1%.

import { ask, pause, withSwarm } from "./sockets/children.ts";
import type { SelfTimes } from "./sockets/self-time.ts";

const BOTS = 640;
/** V8 keeps compiling for half a minute. */
const WARM_UP_MS = 30_000;
const MEASURED_MS = 20_000;
const HEALTH_FOLDER = "/src/live/health/";
const TARGET_PERCENT = 1;
const PRINTED_FILES = 8;

export async function run(): Promise<void> {
  const swarm = { bots: BOTS, thinkMs: 0 };
  const { busyUs, byFile } = await withSwarm("bout-server", swarm, async ({ server }) => {
    await pause(WARM_UP_MS);
    await ask(server, "profile");
    await pause(MEASURED_MS);
    return ask<SelfTimes>(server, "profiled");
  });
  const percent = (microseconds: number) => (100 * microseconds) / busyUs;
  const files = Object.entries(byFile).toSorted(([, a], [, b]) => b - a);
  const healthFiles = files.filter(([file]) => file.includes(HEALTH_FOLDER));
  const health = percent(healthFiles.reduce((sum, [, microseconds]) => sum + microseconds, 0));
  console.log(`busy ${(busyUs / 1000 / MEASURED_MS).toFixed(2)} of the time, of which`);
  for (const [file, microseconds] of [...files.slice(0, PRINTED_FILES), ...healthFiles])
    console.log(`${percent(microseconds).toFixed(2).padStart(6)} %  ${shortPath(file)}`);
  const verdict = health < TARGET_PERCENT ? "below" : "AT OR ABOVE";
  console.log(`health: ${health.toFixed(2)} %, ${verdict} ${TARGET_PERCENT} %`);
  if (health >= TARGET_PERCENT) process.exitCode = 1;
}

const shortPath = (file: string): string => file.replace(/^file:.*?\/(src|node_modules)\//, "$1/");
