import assert from "node:assert/strict";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { after, suite, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";

import { checkClientMessage } from "#testing/fixtures/message-check.ts";
import { BotClient, registerBot } from "#testing/harness/bot-client.ts";
import {
  openTcpSocket,
  sendRawRequest,
  createUpgradeRequest,
} from "#testing/harness/raw-socket.ts";
import { getJson, startSuiteLadder } from "#testing/harness/test-match.ts";

const { baseUrl } = await startSuiteLadder({ after });

const QUEUE = { type: "queue", version: "v1" };

/**
 * Sends a frame unchanged, then an invalid frame. Returns all responses, including the one to the
 * invalid frame.
 */
async function answersTo(bot: BotClient, frame: string | Buffer): Promise<unknown[]> {
  bot.messages.length = 0;
  bot.socket.send(frame, { binary: typeof frame !== "string" });
  bot.socket.send("end of the answers");
  await bot.waitFor("error", ({ code }) => code === "malformed_json");
  return bot.messages.splice(0).map(({ type, code }) => code ?? type);
}

async function stateOf(name: string): Promise<string | undefined> {
  const { online } = await getJson<{ online: { name: string; state: string }[] }>(
    baseUrl,
    "/api/status",
  );
  return online.find((bot) => bot.name === name)?.state;
}

suite("the queue over a real socket", { concurrency: true }, () => {
  test("responds to every message type and stays open", async () => {
    const bot = await BotClient.connect(baseUrl, await registerBot(baseUrl, "answers"));
    const cases: [frame: object, answer: string[]][] = [
      [{ ...QUEUE, version: "/" }, ["invalid_version"]],
      [{ ...QUEUE, version: "x".repeat(33) }, ["invalid_version"]],
      [{ ...QUEUE, ladder_id: "nowhere" }, ["unknown_ladder"]],
      [{ type: "queue" }, ["schema"]],
      [{ type: "turn", tick: 0 }, ["not_in_match"]],
      [{ type: "ready" }, []],
      [{ type: "leave" }, []],
    ];
    for (const [frame, answer] of cases)
      assert.deepEqual(await answersTo(bot, JSON.stringify(frame)), answer, JSON.stringify(frame));
    bot.send(QUEUE);
    const queued = await bot.waitFor("queued");
    assert.deepEqual([queued.version, queued.ladder_id], ["v1", "public"]);
    assert.ok((queued.estimated_wait_s as number) <= 2);
    const lobby = await getJson<{ name: string; state: string }[]>(baseUrl, "/api/lobby");
    assert.equal(lobby.find(({ name }) => name === "answers")?.state, "waiting");
  });

  test("T19 responds with a schema error to JSON that isn't a message and stays open", async () => {
    const bot = await BotClient.connect(baseUrl, await registerBot(baseUrl, "nonsense"));
    for (const text of [
      "null",
      "[]",
      '""',
      "{}",
      '{"type":"hello"}',
      '{"type":"ping"}',
      "5",
      "true",
    ])
      assert.deepEqual(await answersTo(bot, text), ["schema"], text);
    assert.equal(bot.socket.readyState, bot.socket.OPEN);
  });

  test("T17 responds with a schema error to a binary frame with JSON", async () => {
    const bot = await BotClient.connect(baseUrl, await registerBot(baseUrl, "binary"));
    assert.deepEqual(await answersTo(bot, Buffer.from(JSON.stringify(QUEUE))), ["schema"]);
    assert.equal(await stateOf("binary"), "idle");
  });

  test("removes a version retired over HTTP from the queue and refuses it afterwards", async () => {
    const token = await registerBot(baseUrl, "retiring");
    const bot = await BotClient.connect(baseUrl, token);
    bot.queue("v1");
    await bot.waitFor("queued");
    const headers = { authorization: `Bearer ${token}` };
    await fetch(`${baseUrl}/api/me/versions/v1/retire`, { method: "POST", headers });
    assert.equal((await bot.waitFor("error")).code, "version_retired");
    bot.queue("v1");
    assert.equal((await bot.waitFor("error")).code, "version_retired");
    bot.queue("v2");
    await bot.waitFor("queued");
    const me = await fetch(`${baseUrl}/api/me`, { headers });
    const { versions } = (await me.json()) as { versions: { label: string; retired: boolean }[] };
    assert.deepEqual(versions.map(({ label, retired }) => [label, retired]).toSorted(), [
      ["v1", true],
      ["v2", false],
    ]);
  });

  test("closes the socket immediately when its token is rotated over HTTP", async () => {
    const oldToken = await registerBot(baseUrl, "rotating");
    const bot = await BotClient.connect(baseUrl, oldToken);
    const answer = await fetch(`${baseUrl}/api/me/token`, {
      method: "POST",
      headers: { authorization: `Bearer ${oldToken}` },
    });
    const { token } = (await answer.json()) as { token: string };
    assert.equal((await bot.waitFor("error")).code, "invalid_token");
    assert.deepEqual(await bot.closed, { code: 4002, reason: "invalid_token" });
    const refusedBot = await BotClient.connect(baseUrl, oldToken);
    assert.equal((await refusedBot.closed).code, 4002);
    const reconnected = await BotClient.connect(baseUrl, token);
    reconnected.queue();
    await reconnected.waitFor("queued");
  });

  test("answers a bot's ping", async () => {
    const bot = await BotClient.connect(baseUrl, await registerBot(baseUrl, "pinging"));
    bot.socket.ping("are you there");
    const [payload] = (await once(bot.socket, "pong")) as [Buffer];
    assert.equal(payload.toString(), "are you there");
  });
});

suite("T25 an invalid upgrade", () => {
  const cases: [name: string, head: (port: string) => string, status: string, error: RegExp][] = [
    ["another path", () => createUpgradeRequest({}, "GET /bots HTTP/1.1"), "404", /\/bot/],
    ["a subpath", () => createUpgradeRequest({}, "GET /bot/ HTTP/1.1"), "404", /\/bot/],
    ["a subpath of /play", () => createUpgradeRequest({}, "GET /play/ HTTP/1.1"), "404", /\/play/],
    ["two slashes", () => createUpgradeRequest({}, "GET //play HTTP/1.1"), "404", /\/play/],
    ["capitals", () => createUpgradeRequest({}, "GET /PLAY HTTP/1.1"), "404", /\/play/],
    ["an old version", () => createUpgradeRequest({ "Sec-WebSocket-Version": "8" }), "426", /13/],
    ["no version", () => createUpgradeRequest({ "Sec-WebSocket-Version": null }), "426", /13/],
    ["HTTP/1.0", () => createUpgradeRequest({}, "GET /bot HTTP/1.0"), "400", /HTTP/],
    [
      "a foreign Origin",
      () => createUpgradeRequest({ Origin: "http://evil.example" }),
      "403",
      /Origin/,
    ],
    ["Origin null", () => createUpgradeRequest({ Origin: "null" }), "403", /Origin/],
    [
      "an Origin with an allowed prefix",
      (port) => createUpgradeRequest({ Origin: `http://127.0.0.1:${port}.evil` }),
      "403",
      /Origin/,
    ],
    ["no key", () => createUpgradeRequest({ "Sec-WebSocket-Key": null }), "400", /handshake/],
    ["a short key", () => createUpgradeRequest({ "Sec-WebSocket-Key": "abc" }), "400", /handshake/],
    [
      "POST",
      () => createUpgradeRequest({ "Content-Length": "0" }, "POST /bot HTTP/1.1"),
      "400",
      /handshake/,
    ],
  ];
  test("gets a JSON response, and the connection is closed", async () => {
    const { port } = new URL(baseUrl);
    for (const [name, buildHead, status, error] of cases) {
      const answer = await sendRawRequest(baseUrl, buildHead(port));
      assert.match(answer, new RegExp(`^HTTP/1.1 ${status} `), name);
      assert.match(answer, /\r\nContent-Type: application\/json/i, name);
      assert.match(answer, /\r\nX-Content-Type-Options: nosniff/i, name);
      assert.match(answer, /\r\nContent-Security-Policy: /i, name);
      const body = JSON.parse(answer.slice(answer.indexOf("\r\n\r\n"))) as { error: string };
      assert.match(body.error, error, name);
    }
    const version = await sendRawRequest(
      baseUrl,
      createUpgradeRequest({ "Sec-WebSocket-Version": "8" }),
    );
    assert.match(version, /\r\nSec-WebSocket-Version: 13\r\n/);
    for (const origin of [`http://localhost:${port}`, `http://127.0.0.1:${port}`]) {
      const bot = await BotClient.connect(baseUrl, null, { origin });
      assert.equal((await bot.closed).reason, "missing_authorization");
    }
    assert.equal((await fetch(`${baseUrl}/api/status`)).status, 200);
  });

  test("leaves no half-open connection", async () => {
    const socket = openTcpSocket(baseUrl, true);
    const closed = new Promise<void>((resolve) => void socket.once("close", () => resolve()));
    socket.write(createUpgradeRequest({}, "GET /elsewhere HTTP/1.1"));
    socket.resume();
    await once(socket, "end");
    // Writing to a half-closed connection closes it.
    const writing = setInterval(() => socket.write("x"), 5);
    await closed;
    clearInterval(writing);
  });
});

suite("T91 an offer to upgrade to a protocol other than WebSocket", { concurrency: true }, () => {
  const OFFERS = ["h2c", "TLS/1.0", "foo/2, websocket", "h2c, TLS/1.0"];
  const statuses = (answer: string) =>
    [...answer.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => Number(status));
  const headOf = (method: string, path: string, offer: string, ...lines: string[]) =>
    [
      `${method} ${path} HTTP/1.1`,
      "Host: localhost",
      "Connection: Upgrade, HTTP2-Settings",
      `Upgrade: ${offer}`,
      "HTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA",
      ...lines,
      "\r\n",
    ].join("\r\n");
  /**
   * Returns the number of complete responses. While the last response is incomplete, the server may
   * still be handling its request.
   */
  const wholeAnswers = (bytes: Buffer): number => {
    const buildHead = bytes.indexOf("\r\n\r\n");
    if (buildHead < 0) return 0;
    const [, length = "0"] =
      /content-length: (\d+)/i.exec(bytes.toString("latin1", 0, buildHead)) ?? [];
    const end = buildHead + 4 + Number(length);
    return bytes.length < end ? 0 : 1 + wholeAnswers(bytes.subarray(end));
  };
  /**
   * Sends requests on one connection, each after the previous response. The last request must close
   * the connection.
   */
  const sendSequentially = async (...requests: string[]): Promise<number[]> => {
    const socket = openTcpSocket(baseUrl);
    const closed = once(socket, "close");
    const chunks: Buffer[] = [];
    socket.on("data", (chunk: Buffer) => chunks.push(chunk));
    for (const [count, request] of requests.entries()) {
      while (wholeAnswers(Buffer.concat(chunks)) < count && !socket.destroyed)
        await Promise.race([once(socket, "data"), closed]);
      await pause(20);
      socket.write(request);
    }
    await closed;
    return statuses(Buffer.concat(chunks).toString("latin1"));
  };
  const CLOSING_REQUEST =
    "GET /api/status HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
  const paths: [path: string, status: number][] = [
    ["/", 200],
    ["/api/events", 200],
    ["/api/matches?limit=x", 400],
    ["/docs/protocol", 200],
    ["/bot", 404],
    ["/nowhere", 404],
  ];
  for (const offer of OFFERS)
    test(`(${offer}) is ignored, including in a pipelined request`, async () => {
      for (const [path, status] of paths) {
        const buildHead = headOf("GET", path, offer);
        assert.deepEqual(
          await sendSequentially(buildHead, buildHead, CLOSING_REQUEST),
          [status, status, 200],
          path,
        );
      }
    });

  const sendTogether = async (...requests: string[]): Promise<number[]> => {
    const socket = openTcpSocket(baseUrl);
    socket.write(requests.join(""));
    return statuses(await text(socket));
  };

  test("keeps pipelined requests in the same chunk", async () => {
    const upgradeRequests = Array.from({ length: 20 }, () => headOf("GET", "/api/status", "h2c"));
    const badRequest = headOf("GET", "/api/matches?limit=x", "foo");
    assert.deepEqual(await sendTogether(upgradeRequests[0]!, CLOSING_REQUEST), [200, 200]);
    assert.deepEqual(await sendSequentially(...upgradeRequests, badRequest + CLOSING_REQUEST), [
      ...upgradeRequests.map(() => 200),
      400,
      200,
    ]);
  });

  test("closes the connection if a pipelined request can't be read", async () => {
    const plainRequest = "GET /api/status HTTP/1.1\r\nHost: localhost\r\n\r\n";
    const offer = headOf("GET", "/api/status", "h2c");
    const withBody = headOf("GET", "/api/status", "h2c", "Content-Length: 2");
    assert.deepEqual(await sendTogether(plainRequest, offer, plainRequest), [200, 200]);
    assert.deepEqual(await sendTogether(`${withBody}{}`, plainRequest), [200]);
  });

  test("rejects a WebSocket upgrade while a request is pending, so that frames and responses never mix", async () => {
    const plainRequest = "GET /api/status HTTP/1.1\r\nHost: localhost\r\n\r\n";
    const key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==";
    const socket = headOf("GET", "/bot", "websocket", key, "Sec-WebSocket-Version: 13");
    const answers = await sendTogether(plainRequest, plainRequest, socket);
    assert.deepEqual(answers.slice(0, 2), [200, 200]);
    assert.ok(!answers.includes(101), "the upgrade is rejected");
  });

  test("still allows a request body", async () => {
    const body = JSON.stringify({ name: "java-client" });
    const lines = ["Content-Type: application/json", `Content-Length: ${body.length}`];
    const post = headOf("POST", "/api/bots", "h2c", ...lines) + body;
    assert.deepEqual(await sendTogether(post), [201]);
  });
});

test("T16 compression is not negotiated", async () => {
  const token = await registerBot(baseUrl, "compressing");
  const bot = await BotClient.connect(baseUrl, token, { perMessageDeflate: true });
  assert.equal(bot.socket.extensions, "");
  assert.deepEqual(await answersTo(bot, "[]"), ["schema"]);
});

test("T23 keeps one of 20 simultaneous connections and queues the bot once", async () => {
  const token = await registerBot(baseUrl, "twenty");
  const bots = await Promise.all(
    Array.from({ length: 20 }, () => BotClient.connect(baseUrl, token)),
  );
  for (const bot of bots) bot.queue();
  // A connection may be queued before it is replaced, so only the final state shows which
  // connection remains.
  const remainingBots = new Set(bots);
  for (const bot of bots) void bot.closed.then(() => remainingBots.delete(bot));
  while (remainingBots.size > 1) await Promise.race([...remainingBots].map((bot) => bot.closed));
  const survivor = [...remainingBots][0]!;
  await survivor.waitFor("queued");
  for (const bot of bots.filter((candidate) => candidate !== survivor)) {
    await bot.waitFor("replaced");
    assert.deepEqual(await bot.closed, { code: 4003, reason: "replaced" });
  }
  assert.equal(await stateOf("twenty"), "waiting");
});

test("all messages sent by bots match the published schema", () => {
  for (const message of [
    QUEUE,
    { ...QUEUE, ladder_id: "public" },
    { type: "leave" },
    { type: "ready" },
    { type: "ready", match_id: "m" },
    { type: "turn", tick: 97 },
    { type: "turn", tick: 97, move: "se", attack: { name: "bolt", target: "e" }, shout: "off!" },
    { type: "turn", tick: 97, dash: "n", attack: { name: "blast", target: [9, 11] } },
    { type: "turn", tick: 97, attack: { name: "repulse" } },
  ])
    checkClientMessage(message);
});

test("pings bots and terminates bots that don't respond", async (context) => {
  const { baseUrl: pingingUrl } = await startSuiteLadder(context, ["--ping-interval", "1.5"]);
  const alive = await BotClient.connect(pingingUrl, await registerBot(pingingUrl, "alive"));
  const silentBot = await BotClient.connect(pingingUrl, await registerBot(pingingUrl, "deaf"));
  silentBot.queue();
  await silentBot.waitFor("queued");
  silentBot.socket.pause();
  const names = async () =>
    (await getJson<{ online: { name: string }[] }>(pingingUrl, "/api/status")).online.map(
      ({ name }) => name,
    );
  while ((await names()).includes("deaf")) await once(alive.socket, "ping");
  assert.deepEqual(await names(), ["alive"]);
  assert.equal(alive.socket.readyState, alive.socket.OPEN);
  silentBot.socket.resume();
  assert.equal((await silentBot.closed).code, 1006);
});

test("notifies and closes a bot that connects after a drain has closed all connections", async (context) => {
  const { baseUrl: drainingUrl, arena } = await startSuiteLadder(context);
  const token = await registerBot(drainingUrl, "late");
  await arena.drain();
  const bot = await BotClient.connect(drainingUrl, token);
  await bot.waitFor("server_draining");
  assert.deepEqual(await bot.closed, { code: 1012, reason: "server restarting" });
});
