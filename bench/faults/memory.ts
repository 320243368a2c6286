// T89: a ladder of a thousand bots with five versions each under a small heap, while versions are
// added, nothing is changed, and new questions are asked, a thousand times each.
// node bench/faults/memory.ts [HEAP_MIB] [BOTS] [STEPS]

import { readFileSync } from "node:fs";

import { fillCrowd, PRESSURES } from "#testing/harness/crowded-ladder.ts";
import { spawnLadder, temporaryFolder } from "#testing/harness/test-server.ts";

const [heap = 400, bots = 1000, steps = 1000] = process.argv.slice(2).map(Number);

const residentMiB = (pid: number | undefined): number => {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024);
};

const folder = await temporaryFolder();
await fillCrowd(folder.path, { bots, versions: 5 });
const flags = [`--max-old-space-size=${heap}`];
const { baseUrl, child, exited } = await spawnLadder(folder.path, [], flags);
try {
  console.log(`heap ${heap} MiB, ${bots} bots: ${residentMiB(child.pid)} MiB at the start`);
  for (const [name, press] of Object.entries(PRESSURES)) {
    for (let step = 0; step < steps; step += 1) await press(baseUrl, bots, step);
    console.log(`${name}, ${steps} times: ${residentMiB(child.pid)} MiB`);
  }
} finally {
  child.kill("SIGKILL");
  await exited;
  await folder.remove();
}
