import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { after, suite, test } from "node:test";
import type { TestContext } from "node:test";
import { setImmediate as turnOfLoop, setTimeout as pause } from "node:timers/promises";

import { limitsWith } from "#core/words/limits.ts";
import type { Listener } from "#live/arena/connection.ts";
import { openSockets } from "#live/sockets/socket.ts";
import { BotClient, register } from "#testing/harness/bot-client.ts";
import { getJson, ladderFor, playOn, ready, statsIn } from "#testing/harness/duel.ts";
import { dial, openRaw, textFrame, upgradeHead } from "#testing/harness/raw-socket.ts";
import { spawnLadder, temporaryFolder } from "#testing/harness/test-server.ts";
import { writeRefusal } from "#web/http/client-error.ts";

const QUEUE = { type: "queue", version: "v1" };

/** Bot sockets whose token look-up lasts until the test ends it, and what becomes of them. */
async function heldSockets(t: TestContext) {
  const told: string[] = [];
  const listener: Listener = {
    frame: (text) => void told.push(`frame ${text}`),
    pong: () => {},
    closed: () => void told.push("closed"),
  };
  const lookUp = Promise.withResolvers<Listener>();
  const begun = Promise.withResolvers<void>();
  const note = (_: unknown, text: string) => void told.push(text);
  const sockets = openSockets({
    arena: {
      arrive: () => {
        begun.resolve();
        return lookUp.promise;
      },
    },
    play: null,
    limits: limitsWith({}),
    log: { info: note, warn: note, error: note },
    origins: [],
    refuse: writeRefusal,
  });
  const server = createServer().on("upgrade", sockets.upgrade).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    sockets.close();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const accepted = once(server, "connection") as Promise<[Socket]>;
  const end = async () => {
    lookUp.resolve(listener);
    await pause(20);
    return told;
  };
  return { baseUrl: `http://127.0.0.1:${port}`, accepted, begun: begun.promise, end };
}

suite("T92 a bot that goes while its token is looked up", () => {
  const partings: [how: string, go: (socket: Socket) => void][] = [
    ["by a reset", (socket) => socket.resetAndDestroy()],
    ["by an end", (socket) => socket.end()],
    [
      "with a word on the way",
      (socket) => {
        socket.write(textFrame(QUEUE));
        socket.end();
      },
    ],
    [
      "with a word, then a reset",
      (socket) => void socket.write(textFrame(QUEUE), () => socket.resetAndDestroy()),
    ],
  ];
  for (const [how, go] of partings)
    test(`${how}, closes once, acts by nothing and leaves no line in the log`, async (t) => {
      const { baseUrl, accepted, begun, end } = await heldSockets(t);
      const socket = dial(baseUrl);
      socket.write(upgradeHead());
      const [theirs] = await accepted;
      await begun;
      go(socket);
      while (!theirs.destroyed && !theirs.readableEnded && theirs.readableLength === 0)
        await turnOfLoop();
      // The end of what it said may arrive after the word.
      await pause(20);
      const told = await end();
      assert.deepEqual(
        told.filter((what) => !what.startsWith("frame")),
        ["closed"],
      );
      assert.equal(told.at(-1), "closed", "nothing is heard behind the close");
    });

  test("or stays, is heard from its first word", async (t) => {
    const { baseUrl, begun, end } = await heldSockets(t);
    const raw = await openRaw(baseUrl, "token");
    raw.write(textFrame(QUEUE));
    await begun;
    await pause(20);
    assert.deepEqual(await end(), [`frame ${JSON.stringify(QUEUE)}`]);
    raw.socket.destroy();
  });
});

test("T92 a crowd that resets at every moment of an arrival leaves no ghost", async (t) => {
  const folder = await temporaryFolder();
  t.after(folder.remove);
  // No ping clears a ghost away.
  const ladder = await spawnLadder(folder.path, ["--ping-interval", "600"]);
  t.after(async () => {
    ladder.child.kill("SIGKILL");
    await ladder.exited;
  });
  const { baseUrl, log } = ladder;
  const bots = 120;
  const tokens: string[] = [];
  for (let bot = 0; bot < bots; bot += 1) tokens.push(await register(baseUrl, `crowd-${bot}`));
  await Promise.all(
    tokens.map(async (token, bot) => {
      const socket = dial(baseUrl);
      await once(socket, "connect");
      socket.write(upgradeHead({ Authorization: `Bearer ${token}` }));
      if (bot % 3 === 0) socket.write(textFrame(QUEUE));
      await pause((bot % 40) / 10);
      socket.resetAndDestroy();
    }),
  );
  const online = async () =>
    (await getJson<{ online: unknown[] }>(baseUrl, "/api/status")).online.length;
  for (let look = 0; look < 100 && (await online()) > 0; look += 1) await pause(50);
  assert.equal(await online(), 0);
  const errors = log.filter((line) => (JSON.parse(line) as { level: number }).level >= 50);
  assert.deepEqual(errors, []);
});

test("T92 a seat whose bot comes back by a link that resets at once counts as dropped", async () => {
  const { baseUrl } = await ladderFor({ after }, ["--tick-seconds", "2", "--reconnect-grace", "1"]);
  const token = await register(baseUrl, "returning");
  const bot = await BotClient.connect(baseUrl, token);
  const opponent = await BotClient.connect(baseUrl, await register(baseUrl, "staying"));
  for (const each of [bot, opponent]) each.queue();
  const hello = await bot.next("hello");
  await opponent.next("hello");
  ready(bot, opponent);
  await bot.next("observation");
  for (let attempt = 0; attempt < 12; attempt += 1) {
    const socket = dial(baseUrl);
    await once(socket, "connect");
    socket.write(upgradeHead({ Authorization: `Bearer ${token}` }));
    await pause(attempt / 4);
    socket.resetAndDestroy();
  }
  bot.socket.terminate();
  playOn(opponent);
  const end = await opponent.next("end");
  assert.equal(end.reason, "forfeit");
  assert.equal(statsIn(end, hello).server_idles.timeout, undefined);
  opponent.socket.terminate();
});
