import assert from "node:assert/strict";
import { test } from "node:test";

import { hashToken } from "#data/store/token.ts";
import { BotClient } from "#testing/harness/bot-client.ts";
import { serveLadder, temporaryFolder } from "#testing/harness/test-server.ts";
import { sampleBot } from "#testing/store-cases/store-samples.ts";

import { openStore } from "./open-store.ts";

test("bots left by an anonymous run do not play without an account, and read as before", async () => {
  await using folder = await leftFolder();
  const { baseUrl, shutDown } = await serveLadder(folder.path, ["--accounts", "none"]);
  const bot = await BotClient.connect(baseUrl, TOKEN);
  assert.deepEqual(await bot.closed, { code: 4008, reason: "account_required" });
  assert.equal(bot.heard[0]?.code, "account_required");
  const headers = { authorization: `Bearer ${TOKEN}` };
  assert.equal((await fetch(`${baseUrl}/api/me`, { headers })).status, 200);
  await shutDown();
});

const TOKEN = "the-token";

/** The data folder of a ladder that had one bot. */
async function leftFolder() {
  const { path, remove } = await temporaryFolder();
  const store = await openStore({ data: path });
  await store.bots.add(sampleBot(1), hashToken(TOKEN), null);
  await store.close();
  return { path, [Symbol.asyncDispose]: remove };
}
