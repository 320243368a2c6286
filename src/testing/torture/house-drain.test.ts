import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";

import { openStore } from "#server/composition/open-store.ts";
import { registerQuickBots } from "#testing/harness/quick-bot.ts";
import { startLadder } from "#testing/harness/test-server.ts";

const GUESTS = 2;
const LOOK_EVERY_MS = 20;

test("T31 house bots play their matches to the end before the server stops", async (context) => {
  const { arena, health, baseUrl, data, shutDown } = await startLadder([
    "--house",
    "kiter,brawler",
  ]);
  context.after(() => rm(data, { recursive: true, force: true }));
  // All have one owner, so that each meets a house bot.
  const guests = await registerQuickBots(baseUrl, "guest", GUESTS, { thinkMs: 10, owner: "ada" });
  const sockets = await Promise.all(guests.map((guest) => guest.play(baseUrl)));
  while (arena.running().filter(({ tick }) => tick > 0).length < GUESTS) await sleep(LOOK_EVERY_MS);
  const running = arena.running().map(({ id }) => id);
  assert.equal(await shutDown(), true);
  for (const socket of sockets) socket.terminate();
  assert.deepEqual(health.report().house, { restarts: 0, failed_turns: 0 });
  const store = await openStore({ data });
  const ended = await Promise.all(running.map((id) => store.matches.byId(id)));
  await store.close();
  for (const match of ended)
    assert.ok(match?.rated === true && match.reason !== "forfeit", match?.reason ?? "not stored");
});
