// Errors that bots are sent, as metrics count them.
import assert from "node:assert/strict";
import { test } from "node:test";

import { openHealth } from "#live/health/health.ts";
import { pairedBots, testArena } from "#testing/fixtures/test-arena.ts";

test("errors are counted by code: of tokens, of the queue, and in matches", async () => {
  const health = openHealth({ now: () => 0 });
  const arena = await testArena({ health });
  const bots = await pairedBots(arena);
  bots[0].say({ type: "queue", version: "v1" });
  bots[0].say("not JSON");
  await arena.addBot("gamma");
  const idle = await arena.connect("gamma");
  idle.say({ type: "queue", version: "" });
  await arena.connect("gamma");
  await arena.pass(50);
  assert.deepEqual(Object.fromEntries(health.report().totals.refusals), {
    already_queued: 1,
    malformed_json: 1,
    invalid_version: 1,
    replaced: 1,
  });
});
