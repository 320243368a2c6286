import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, suite, test } from "node:test";

import { limitsWith } from "#core/limits/limits.ts";
import { ERROR_CATALOGUE } from "#core/protocol/errors.ts";
import { addCredentialBots, CREDENTIAL_CASES } from "#testing/fixtures/credential-cases.ts";
import { testArena } from "#testing/fixtures/test-arena.ts";
import { BotClient } from "#testing/harness/bot-client.ts";
import { writeRefusal } from "#web/http/client-error.ts";

import { openSockets } from "./sockets.ts";

const fail = (_: object, text: string) => assert.fail(text);

const { arena, store, addArenaBot } = await testArena();
await addCredentialBots(store, addArenaBot);
const limits = limitsWith({});
const failingLog = { info: () => {}, warn: fail, error: fail };
const sockets = openSockets({
  arena,
  play: null,
  callerOf: () => null,
  limits,
  log: failingLog,
  origins: [],
  rejectUpgrade: writeRefusal,
});
const server = createServer().on("upgrade", sockets.handleUpgrade).listen(0, "127.0.0.1");
await once(server, "listening");
after(() => {
  sockets.close();
  server.close();
});
const { port } = server.address() as AddressInfo;

suite("T13 credentials over a socket", () => {
  for (const [kind, { headers, query = "", code, text = /./ }] of Object.entries(CREDENTIAL_CASES))
    test(`${kind} ${code === null ? "accepts the bot" : `sends ${code}, then closes`}`, async () => {
      const path = `/bot?${query}`;
      const bot = await BotClient.connect(`http://127.0.0.1:${port}`, null, { path, headers });
      bot.queue();
      if (code === null) {
        await bot.waitFor("queued");
        assert.deepEqual(
          arena.onlineBots().map(({ name }) => name),
          ["Rex"],
        );
        bot.socket.close();
        await bot.closed;
        return;
      }
      const error = await bot.waitFor("error");
      assert.equal(error.code, code);
      assert.match(String(error.message), text);
      assert.deepEqual(await bot.closed, { code: ERROR_CATALOGUE[code].close, reason: code });
      assert.deepEqual(bot.messages, []);
    });
});
