import assert from "node:assert/strict";
import { test } from "node:test";

import { fillCrowd, PRESSURES } from "#testing/harness/crowded-ladder.ts";
import { spawnLadder, temporaryFolder } from "#testing/harness/test-server.ts";

/**
 * The lists of all its bots and versions take some 2 MiB, so forty generations of them do not fit.
 */
const HEAP = "--max-old-space-size=112";
const CROWD = { bots: 150, versions: 5 };
const STEPS = 150;

test("T89 a server with a small heap outlives new versions, idle writes and new questions", async (context) => {
  const folder = await temporaryFolder();
  await fillCrowd(folder.path, CROWD);
  const { baseUrl, child, exited, log } = await spawnLadder(folder.path, [], [HEAP]);
  context.after(async () => {
    child.kill("SIGKILL");
    await exited;
    await folder.remove();
  });
  for (const press of Object.values(PRESSURES))
    for (let step = 0; step < STEPS; step += 1) await press(baseUrl, CROWD.bots, step);
  assert.deepEqual([child.exitCode, child.signalCode], [null, null], log.join("\n"));
});
