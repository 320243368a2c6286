import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";

import { HOUSE_BOTS } from "#core/ids/house-bots.ts";
import { registerQuickBots } from "#testing/harness/quick-bot.ts";
import { startLadder } from "#testing/harness/test-server.ts";

/** Long enough for a match to outlast several rounds of pings. */
const THINK_MS = 40;
const ROUNDS = 4;

test("house bots answer pings, and none of them disconnects or fails a turn", async (context) => {
  const flags = ["--house", "all", "--ping-interval", "1", "--match-interval", "0"];
  const ladder = await startLadder([...flags, "--drain-timeout", "0"]);
  context.after(ladder.close);
  const options = { thinkMs: THINK_MS };
  const bots = await registerQuickBots(ladder.baseUrl, "guest", HOUSE_BOTS.length, options);
  const socket = (await Promise.all(bots.map((bot) => bot.play(ladder.baseUrl))))[0]!;
  const houseOnline = () => ladder.arena.onlineBots().filter(({ house }) => house);

  while (houseOnline().length < HOUSE_BOTS.length) await once(socket, "ping");
  const roundCount = new Map(HOUSE_BOTS.map(({ name }) => [name as string, 0]));
  while (Math.min(...roundCount.values()) < ROUNDS) {
    await once(socket, "ping");
    const online = houseOnline();
    assert.equal(online.length, HOUSE_BOTS.length, "a house bot is offline");
    for (const { name, state } of online)
      if (state === "playing") roundCount.set(name, roundCount.get(name)! + 1);
  }
  assert.deepEqual(ladder.health.report().house, { restarts: 0, failed_turns: 0 });
});
