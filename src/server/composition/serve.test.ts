import assert from "node:assert/strict";
import { test } from "node:test";

import { hashToken } from "#data/store/token.ts";
import { readServeOptions } from "#server/configuration/flags.ts";
import { BotClient } from "#testing/harness/bot-client.ts";
import { temporaryFolder } from "#testing/harness/test-server.ts";
import { sampleBot } from "#testing/store-cases/store-samples.ts";

import { openStore } from "./open-store.ts";
import { serve } from "./serve.ts";

test("bots left by an anonymous run do not play without an account, and read as before", async () => {
  await using folder = await leftFolder();
  const options = readServeOptions(["--port", "0", "--house", "none", "--data", folder.path], {});
  assert.ok(!("error" in options));
  const { baseUrl, shutDown } = await serve(options, (error) => assert.ifError(error));
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
