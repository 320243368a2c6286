import assert from "node:assert/strict";
import { test } from "node:test";

import { openHealth } from "#live/health/health.ts";
import { startTwoBotMatch, testArena } from "#testing/fixtures/test-arena.ts";

test("counts refusals by error code for connections, queue requests and matches", async () => {
  const health = openHealth({ now: () => 0 });
  const arena = await testArena({ health });
  const bots = await startTwoBotMatch(arena);
  bots[0].send({ type: "queue", version: "v1" });
  bots[0].send("invalid JSON");
  await arena.addArenaBot("gamma");
  const idle = await arena.connect("gamma");
  idle.send({ type: "queue", version: "" });
  await arena.connect("gamma");
  await arena.advanceTime(50);
  assert.deepEqual(Object.fromEntries(health.report().totals.refusals), {
    already_queued: 1,
    malformed_json: 1,
    invalid_version: 1,
    replaced: 1,
  });
});
