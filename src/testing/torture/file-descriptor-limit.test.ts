import assert from "node:assert/strict";
import { connect } from "node:net";
import { test } from "node:test";

import { BotClient, registerBot } from "#testing/harness/bot-client.ts";
import { getJson } from "#testing/harness/test-match.ts";
import { spawnLadderWithFileLimit, createTemporaryFolder } from "#testing/harness/test-server.ts";

/** Enough for the server and two bots, but not for the crowd. */
const MAX_OPEN_FILES = 100;
const CROWD = 150;
const TICKS_UNDER_STRESS = 20;
const TURN_MS = 25;

function playSlowly(bot: BotClient): void {
  bot.socket.on("message", (data) => {
    const { type, tick } = JSON.parse((data as Buffer).toString()) as {
      type: string;
      tick: number;
    };
    if (type === "hello") bot.send({ type: "ready" });
    if (type === "observation") setTimeout(() => bot.send({ type: "turn", tick }), TURN_MS);
  });
  bot.queue();
}

test("T11 a match continues when no file descriptors are free, and is stored once some are available", async (context) => {
  const folder = await createTemporaryFolder();
  const ladder = await spawnLadderWithFileLimit(folder.path, MAX_OPEN_FILES);
  context.after(async () => {
    ladder.child.kill("SIGKILL");
    await ladder.exited;
    await folder.remove();
  });
  const bots = await Promise.all(
    ["ada", "bob"].map(async (name) =>
      BotClient.connect(ladder.baseUrl, await registerBot(ladder.baseUrl, name)),
    ),
  );
  for (const bot of bots) playSlowly(bot);
  const { match_id } = await bots[0]!.waitFor("hello");
  const { tick } = await bots[0]!.waitFor("observation");
  const crowd = Array.from({ length: CROWD }, () => {
    const socket = connect(Number(new URL(ladder.baseUrl).port), "127.0.0.1");
    return socket.on("error", () => {});
  });
  await Promise.race(
    crowd.map((socket) => new Promise((refusedSockets) => socket.on("close", refusedSockets))),
  );
  await bots[0]!.waitFor(
    "observation",
    (observation) => Number(observation.tick) >= Number(tick) + TICKS_UNDER_STRESS,
  );
  for (const socket of crowd) socket.destroy();
  const end = await bots[0]!.waitFor("end");
  assert.equal(end.match_id, match_id);
  const stored = await getJson<{ id: string }[]>(ladder.baseUrl, "/api/matches");
  assert.deepEqual(
    stored.map(({ id }) => id),
    [match_id],
  );
});
