import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { after, suite, test } from "node:test";
import type { TestContext } from "node:test";
import { setImmediate as turnOfLoop, setTimeout as pause } from "node:timers/promises";

import { limitsWith } from "#core/limits/limits.ts";
import type { Listener } from "#live/arena/connection.ts";
import { openSockets } from "#live/sockets/sockets.ts";
import { BotClient, registerBot } from "#testing/harness/bot-client.ts";
import {
  openTcpSocket,
  openRawWebSocket,
  createTextFrame,
  createUpgradeRequest,
} from "#testing/harness/raw-socket.ts";
import {
  getJson,
  startSuiteLadder,
  playFromNow,
  sendReady,
  fighterStatsOf,
} from "#testing/harness/test-match.ts";
import { spawnLadder, createTemporaryFolder } from "#testing/harness/test-server.ts";
import { writeRefusal } from "#web/http/client-error.ts";

const QUEUE = { type: "queue", version: "v1" };

async function openDelayedSockets(t: TestContext) {
  const received: string[] = [];
  const botListener: Listener = {
    onFrame: (text) => void received.push(`frame ${text}`),
    onPong: () => {},
    onClose: () => void received.push("closed"),
  };
  const findBot = Promise.withResolvers<Listener>();
  const authStarted = Promise.withResolvers<void>();
  const record = (_: unknown, text: string) => void received.push(text);
  const sockets = openSockets({
    arena: {
      watch: () => null,
      connectBot: () => {
        authStarted.resolve();
        return findBot.promise;
      },
    },
    play: null,
    callerOf: () => null,
    limits: limitsWith({}),
    log: { info: record, warn: record, error: record },
    origins: [],
    rejectUpgrade: writeRefusal,
  });
  const server = createServer().on("upgrade", sockets.handleUpgrade).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    sockets.close();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const accepted = once(server, "connection") as Promise<[Socket]>;
  const end = async () => {
    findBot.resolve(botListener);
    await pause(20);
    return received;
  };
  return { baseUrl: `http://127.0.0.1:${port}`, accepted, begun: authStarted.promise, end };
}

suite("T92 a bot whose token is being looked up", () => {
  const disconnections: [how: string, go: (socket: Socket) => void][] = [
    ["by a reset", (socket) => socket.resetAndDestroy()],
    ["by closing", (socket) => socket.end()],
    [
      "with a message in transit",
      (socket) => {
        socket.write(createTextFrame(QUEUE));
        socket.end();
      },
    ],
    [
      "with a message, then a reset",
      (socket) => void socket.write(createTextFrame(QUEUE), () => socket.resetAndDestroy()),
    ],
  ];
  for (const [description, disconnect] of disconnections)
    test(`is closed once if it disconnects ${description}, without side effects or log lines`, async (t) => {
      const { baseUrl, accepted, begun: authStarted, end } = await openDelayedSockets(t);
      const socket = openTcpSocket(baseUrl);
      socket.write(createUpgradeRequest());
      const [serverSocket] = await accepted;
      await authStarted;
      disconnect(socket);
      while (
        !serverSocket.destroyed &&
        !serverSocket.readableEnded &&
        serverSocket.readableLength === 0
      )
        await turnOfLoop();
      // The end of the stream may arrive after the message.
      await pause(20);
      const received = await end();
      assert.deepEqual(
        received.filter((what) => !what.startsWith("frame")),
        ["closed"],
      );
      assert.equal(received.at(-1), "closed", "no events after the close");
    });

  test("can already send messages if it stays connected", async (t) => {
    const { baseUrl, begun: authStarted, end } = await openDelayedSockets(t);
    const raw = await openRawWebSocket(baseUrl, "token");
    raw.write(createTextFrame(QUEUE));
    await authStarted;
    await pause(20);
    assert.deepEqual(await end(), [`frame ${JSON.stringify(QUEUE)}`]);
    raw.socket.destroy();
  });
});

test("T92 a crowd whose connections reset at any point while connecting leaves no ghost sessions", async (t) => {
  const folder = await createTemporaryFolder();
  t.after(folder.remove);
  // Disables pings, which would remove ghost sessions.
  const ladder = await spawnLadder(folder.path, ["--ping-interval", "600"]);
  t.after(async () => {
    ladder.child.kill("SIGKILL");
    await ladder.exited;
  });
  const { baseUrl, log } = ladder;
  const bots = 120;
  const tokens: string[] = [];
  for (let bot = 0; bot < bots; bot += 1) tokens.push(await registerBot(baseUrl, `crowd-${bot}`));
  await Promise.all(
    tokens.map(async (token, bot) => {
      const socket = openTcpSocket(baseUrl);
      await once(socket, "connect");
      socket.write(createUpgradeRequest({ Authorization: `Bearer ${token}` }));
      if (bot % 3 === 0) socket.write(createTextFrame(QUEUE));
      await pause((bot % 40) / 10);
      socket.resetAndDestroy();
    }),
  );
  const online = async () =>
    (await getJson<{ online: unknown[] }>(baseUrl, "/api/status")).online.length;
  for (let tries = 0; tries < 100 && (await online()) > 0; tries += 1) await pause(50);
  assert.equal(await online(), 0);
  const errors = log.filter((line) => (JSON.parse(line) as { level: number }).level >= 50);
  assert.deepEqual(errors, []);
});

test("T92 a bot counts as disconnected if it reconnects with a socket that resets immediately", async () => {
  const { baseUrl } = await startSuiteLadder({ after }, [
    "--tick-seconds",
    "2",
    "--reconnect-grace",
    "1",
  ]);
  const token = await registerBot(baseUrl, "returning");
  const bot = await BotClient.connect(baseUrl, token);
  const opponent = await BotClient.connect(baseUrl, await registerBot(baseUrl, "staying"));
  for (const player of [bot, opponent]) player.queue();
  const hello = await bot.waitFor("hello");
  await opponent.waitFor("hello");
  sendReady(bot, opponent);
  await bot.waitFor("observation");
  for (let attempt = 0; attempt < 12; attempt += 1) {
    const socket = openTcpSocket(baseUrl);
    await once(socket, "connect");
    socket.write(createUpgradeRequest({ Authorization: `Bearer ${token}` }));
    await pause(attempt / 4);
    socket.resetAndDestroy();
  }
  bot.socket.terminate();
  playFromNow(opponent);
  const end = await opponent.waitFor("end");
  assert.equal(end.reason, "forfeit");
  assert.equal(fighterStatsOf(end, hello).server_idles.timeout, undefined);
  opponent.socket.terminate();
});
