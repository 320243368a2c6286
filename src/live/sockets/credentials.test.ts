import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, suite, test } from "node:test";

import { ERRORS } from "#core/protocol/errors.ts";
import { limitsWith } from "#core/words/limits.ts";
import { addHolders, CREDENTIAL_CASES } from "#testing/fixtures/credential-cases.ts";
import { testArena } from "#testing/fixtures/test-arena.ts";
import { BotClient } from "#testing/harness/bot-client.ts";
import { writeRefusal } from "#web/http/client-error.ts";

import { openSockets } from "./socket.ts";

const fail = (_: object, text: string) => assert.fail(text);

const { arena, store, addBot } = await testArena();
await addHolders(store, addBot);
const limits = limitsWith({});
const log = { info: () => {}, warn: fail, error: fail };
const sockets = openSockets({ arena, play: null, limits, log, origins: [], refuse: writeRefusal });
const server = createServer().on("upgrade", sockets.upgrade).listen(0, "127.0.0.1");
await once(server, "listening");
after(() => {
  sockets.close();
  server.close();
});
const { port } = server.address() as AddressInfo;

suite("T13 over a socket", () => {
  for (const [kind, { headers, query = "", code, text = /./ }] of Object.entries(CREDENTIAL_CASES))
    test(`${kind} ${code === null ? "lets a bot in" : `is told ${code}, then closed`}`, async () => {
      const path = `/bot?${query}`;
      const bot = await BotClient.connect(`http://127.0.0.1:${port}`, null, { path, headers });
      bot.queue();
      if (code === null) {
        await bot.next("queued");
        assert.deepEqual(
          arena.online().map(({ name }) => name),
          ["Rex"],
        );
        bot.socket.close();
        await bot.closed;
        return;
      }
      const error = await bot.next("error");
      assert.equal(error.code, code);
      assert.match(String(error.message), text);
      assert.deepEqual(await bot.closed, { code: ERRORS[code].close, reason: code });
      assert.deepEqual(bot.heard, []);
    });
});
