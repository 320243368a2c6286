// T89: measures a ladder of a thousand bots with five versions each in a small heap. Adds versions,
// repeats reads while nothing changes, and runs new queries, a thousand times each.
// node bench/faults/memory.ts [HEAP_MIB] [BOTS] [STEPS]

import { readFileSync } from "node:fs";

import { fillLargeLadder, MEMORY_PRESSURES } from "#testing/harness/large-ladder.ts";
import { spawnLadder, createTemporaryFolder } from "#testing/harness/test-server.ts";

const [heapMib = 400, botCount = 1000, stepCount = 1000] = process.argv.slice(2).map(Number);

const residentMiB = (pid: number | undefined): number => {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024);
};

const folder = await createTemporaryFolder();
await fillLargeLadder(folder.path, { bots: botCount, versions: 5 });
const flags = [`--max-old-space-size=${heapMib}`];
const { baseUrl, child, exited } = await spawnLadder(folder.path, [], flags);
try {
  console.log(`heap ${heapMib} MiB, ${botCount} bots: ${residentMiB(child.pid)} MiB at the start`);
  for (const [name, applyPressure] of Object.entries(MEMORY_PRESSURES)) {
    for (let step = 0; step < stepCount; step += 1) await applyPressure(baseUrl, botCount, step);
    console.log(`${name}, ${stepCount} times: ${residentMiB(child.pid)} MiB`);
  }
} finally {
  child.kill("SIGKILL");
  await exited;
  await folder.remove();
}
