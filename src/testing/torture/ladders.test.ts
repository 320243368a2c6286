import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";

import { PUBLIC } from "#core/ladder/ladder.ts";
import { openStore } from "#server/composition/open-store.ts";
import { BotClient, register } from "#testing/harness/bot-client.ts";
import { serveLadder, temporaryFolder } from "#testing/harness/test-server.ts";
import { sampleAudit } from "#testing/store-cases/store-samples.ts";

/** Enough for the server to start and two matches to begin. */
const OPEN_MS = 8000;
const LOOK_EVERY_MS = 20;
/** Ten silent ticks are a forfeit, which would free Kiter for who waits: so long they take, at least. */
const FLAGS = ["--house", "kiter", "--tick-seconds", "1"];
const LIMITS = { wave_every_s: 0.2 };
const onCup = { type: "queue", version: "v1", ladder_id: "cup" };

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await sleep(LOOK_EVERY_MS);
}

/** A cup that closes soon, in the database of a server that does not run yet. */
async function storeCup(data: string): Promise<void> {
  const store = await openStore({ data });
  const closesAt = new Date(Date.now() + OPEN_MS).toISOString();
  const cup = { ...PUBLIC, id: "cup", name: "Cup", closesAt };
  await store.ladders.add(cup, null, sampleAudit(1));
  await store.close();
}

test("T46 a ladder closes under play: who waits is told, who plays plays on, others notice nothing", async (context) => {
  const folder = await temporaryFolder();
  await storeCup(folder.path);
  const first = await serveLadder(folder.path, FLAGS, LIMITS);
  context.after(() => folder.remove());
  const { arena, baseUrl } = first;
  const houseOn = () =>
    arena
      .online()
      .filter(({ house }) => house)
      .map(({ ladderId }) => String(ladderId))
      .toSorted();
  await until(() => houseOn().join() === "cup,public");
  const [ada, bob, cara] = await Promise.all(
    ["ada", "bob", "cara"].map(async (name) =>
      BotClient.connect(baseUrl, await register(baseUrl, name)),
    ),
  );
  ada!.say(onCup);
  const { ladder_id } = await ada!.next("hello");
  assert.equal(ladder_id, "cup");
  ada!.say({ type: "ready" });
  cara!.autoplay();
  cara!.queue();
  assert.equal((await cara!.next("hello")).ladder_id, "public");
  bob!.say(onCup);
  assert.equal((await bob!.next("queued")).ladder_id, "cup");
  assert.equal((await bob!.next("error")).code, "ladder_closed");
  assert.equal(arena.running().filter(({ ladderId }) => ladderId === "cup").length, 1);
  ada!.autoplay();
  const end = await ada!.next("end");
  assert.deepEqual([end.rated, end.unrated_reason], [false, "window_closed"]);
  await until(() => houseOn().join() === "public");
  assert.equal((await cara!.next("end")).rated, true);
  await first.shutDown();

  const second = await serveLadder(folder.path, FLAGS, LIMITS);
  const again = await BotClient.connect(second.baseUrl, await register(second.baseUrl, "dora"));
  again.say(onCup);
  assert.equal((await again.next("error")).code, "ladder_closed");
  await second.shutDown();
  const store = await openStore({ data: folder.path });
  const cup = await store.ladders.byId("cup");
  await store.close();
  assert.ok(cup && cup.finishedAt !== null && cup.closesAt !== null);
  assert.ok(cup.finishedAt >= cup.closesAt, cup.finishedAt);
});
