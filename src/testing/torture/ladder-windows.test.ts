import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";

import { PUBLIC_LADDER } from "#core/ladder/ladder.ts";
import { openStore } from "#server/composition/open-store.ts";
import { BotClient, registerBot } from "#testing/harness/bot-client.ts";
import { serveLadder, createTemporaryFolder } from "#testing/harness/test-server.ts";
import { sampleAudit } from "#testing/store-contract/store-samples.ts";

/** Long enough for the server to start and two matches to begin. */
const LADDER_OPEN_MS = 8000;
const POLL_MS = 20;
/**
 * Ten silent ticks are a forfeit, so matches take at least ten seconds. Until then, Kiter isn't
 * free for the waiting bot.
 */
const FLAGS = ["--house", "kiter", "--tick-seconds", "1"];
const LIMITS = { wave_every_s: 0.2 };
const queueOnCup = { type: "queue", version: "v1", ladder_id: "cup" };

async function waitUntil(isSo: () => boolean): Promise<void> {
  while (!isSo()) await sleep(POLL_MS);
}

async function saveCup(data: string): Promise<void> {
  const store = await openStore({ data });
  const closesAt = new Date(Date.now() + LADDER_OPEN_MS).toISOString();
  const cup = { ...PUBLIC_LADDER, id: "cup", name: "Cup", closesAt };
  await store.ladders.add(cup, null, sampleAudit(1));
  await store.close();
}

test("T46 closing a ladder during play notifies waiting bots, lets matches finish and doesn't affect other ladders", async (context) => {
  const folder = await createTemporaryFolder();
  await saveCup(folder.path);
  const first = await serveLadder(folder.path, FLAGS, LIMITS);
  context.after(() => folder.remove());
  const { arena, baseUrl } = first;
  const countHouseBots = () =>
    arena
      .onlineBots()
      .filter(({ house }) => house)
      .map(({ ladderId }) => String(ladderId))
      .toSorted();
  await waitUntil(() => countHouseBots().join() === "cup,public");
  const [ada, bob, cara] = await Promise.all(
    ["ada", "bob", "cara"].map(async (name) =>
      BotClient.connect(baseUrl, await registerBot(baseUrl, name)),
    ),
  );
  ada!.send(queueOnCup);
  const { ladder_id } = await ada!.waitFor("hello");
  assert.equal(ladder_id, "cup");
  ada!.send({ type: "ready" });
  cara!.autoplay();
  cara!.queue();
  assert.equal((await cara!.waitFor("hello")).ladder_id, "public");
  bob!.send(queueOnCup);
  assert.equal((await bob!.waitFor("queued")).ladder_id, "cup");
  assert.equal((await bob!.waitFor("error")).code, "ladder_closed");
  assert.equal(arena.runningMatches().filter(({ ladderId }) => ladderId === "cup").length, 1);
  ada!.autoplay();
  const end = await ada!.waitFor("end");
  assert.deepEqual([end.rated, end.unrated_reason], [false, "window_closed"]);
  await waitUntil(() => countHouseBots().join() === "public");
  assert.equal((await cara!.waitFor("end")).rated, true);
  await first.shutDown();

  const second = await serveLadder(folder.path, FLAGS, LIMITS);
  const reconnected = await BotClient.connect(
    second.baseUrl,
    await registerBot(second.baseUrl, "dora"),
  );
  reconnected.send(queueOnCup);
  assert.equal((await reconnected.waitFor("error")).code, "ladder_closed");
  await second.shutDown();
  const store = await openStore({ data: folder.path });
  const cup = await store.ladders.byId("cup");
  await store.close();
  assert.ok(cup && cup.finishedAt !== null && cup.closesAt !== null);
  assert.ok(cup.finishedAt >= cup.closesAt, cup.finishedAt);
});
