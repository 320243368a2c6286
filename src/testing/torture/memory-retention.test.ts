import assert from "node:assert/strict";
import { test } from "node:test";

import { fillLargeLadder, MEMORY_PRESSURES } from "#testing/harness/large-ladder.ts";
import { spawnLadder, createTemporaryFolder } from "#testing/harness/test-server.ts";

/**
 * The lists of all bots and versions take about 2 MiB, so the heap can't hold forty copies of them.
 */
const HEAP_FLAG = "--max-old-space-size=112";
const CROWD = { bots: 150, versions: 5 };
const STEPS = 150;

test("T89 a server with a small heap survives new versions, writes without changes, and new queue requests", async (context) => {
  const folder = await createTemporaryFolder();
  await fillLargeLadder(folder.path, CROWD);
  const { baseUrl, child, exited, log } = await spawnLadder(folder.path, [], [HEAP_FLAG]);
  context.after(async () => {
    child.kill("SIGKILL");
    await exited;
    await folder.remove();
  });
  for (const pressure of Object.values(MEMORY_PRESSURES))
    for (let step = 0; step < STEPS; step += 1) await pressure(baseUrl, CROWD.bots, step);
  assert.deepEqual([child.exitCode, child.signalCode], [null, null], log.join("\n"));
});
