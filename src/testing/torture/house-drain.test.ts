import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";

import { openStore } from "#server/composition/open-store.ts";
import { registerQuickBots } from "#testing/harness/quick-bot.ts";
import { startLadder } from "#testing/harness/test-server.ts";

const PLAYERS = 2;
const POLL_MS = 20;

test("T31 house bots finish their matches before the server stops", async (context) => {
  const { arena, health, baseUrl, data, shutDown } = await startLadder([
    "--house",
    "kiter,brawler",
  ]);
  context.after(() => rm(data, { recursive: true, force: true }));
  // The players have one owner, so they are paired only with house bots.
  const players = await registerQuickBots(baseUrl, "guest", PLAYERS, { thinkMs: 10, owner: "ada" });
  const sockets = await Promise.all(players.map((player) => player.play(baseUrl)));
  while (arena.runningMatches().filter(({ tick }) => tick > 0).length < PLAYERS)
    await sleep(POLL_MS);
  const running = arena.runningMatches().map(({ id }) => id);
  assert.equal(await shutDown(), true);
  for (const socket of sockets) socket.terminate();
  assert.deepEqual(health.report().house, { restarts: 0, failed_turns: 0 });
  const store = await openStore({ data });
  const endedMatches = await Promise.all(running.map((id) => store.matches.byId(id)));
  await store.close();
  for (const match of endedMatches)
    assert.ok(match?.rated === true && match.reason !== "forfeit", match?.reason ?? "not stored");
});
