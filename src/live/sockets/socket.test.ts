import assert from "node:assert/strict";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { after, suite, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";

import { checkClientMessage } from "#testing/fixtures/message-check.ts";
import { BotClient, register } from "#testing/harness/bot-client.ts";
import { getJson, ladderFor } from "#testing/harness/duel.ts";
import { dial, exchange, upgradeHead } from "#testing/harness/raw-socket.ts";

const { baseUrl } = await ladderFor({ after });

const QUEUE = { type: "queue", version: "v1" };

/**
 * Sends a frame unchanged, then a bad one, and returns everything answered up to the answer to the
 * bad one.
 */
async function answersTo(bot: BotClient, frame: string | Buffer): Promise<unknown[]> {
  bot.heard.length = 0;
  bot.socket.send(frame, { binary: typeof frame !== "string" });
  bot.socket.send("end of the answers");
  await bot.next("error", ({ code }) => code === "malformed_json");
  return bot.heard.splice(0).map(({ type, code }) => code ?? type);
}

/** What the bot is doing, as the server shows everybody. */
async function stateOf(name: string): Promise<string | undefined> {
  const { online } = await getJson<{ online: { name: string; state: string }[] }>(
    baseUrl,
    "/api/status",
  );
  return online.find((bot) => bot.name === name)?.state;
}

suite("the queue over a real socket", { concurrency: true }, () => {
  test("answers every kind of message, and stays open", async () => {
    const bot = await BotClient.connect(baseUrl, await register(baseUrl, "answers"));
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
    bot.say(QUEUE);
    const queued = await bot.next("queued");
    assert.deepEqual([queued.version, queued.ladder_id], ["v1", "public"]);
    assert.ok((queued.estimated_wait_s as number) <= 2);
    const lobby = await getJson<{ name: string; state: string }[]>(baseUrl, "/api/lobby");
    assert.equal(lobby.find(({ name }) => name === "answers")?.state, "waiting");
  });

  test("T19 JSON that is not a message gets a schema error, and the socket stays open", async () => {
    const bot = await BotClient.connect(baseUrl, await register(baseUrl, "nonsense"));
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

  test("T17 a binary frame that holds JSON is a schema error", async () => {
    const bot = await BotClient.connect(baseUrl, await register(baseUrl, "binary"));
    assert.deepEqual(await answersTo(bot, Buffer.from(JSON.stringify(QUEUE))), ["schema"]);
    assert.equal(await stateOf("binary"), "idle");
  });

  test("a version that is retired over HTTP leaves the queue and cannot come back", async () => {
    const token = await register(baseUrl, "retiring");
    const bot = await BotClient.connect(baseUrl, token);
    bot.queue("v1");
    await bot.next("queued");
    const headers = { authorization: `Bearer ${token}` };
    await fetch(`${baseUrl}/api/me/versions/v1/retire`, { method: "POST", headers });
    assert.equal((await bot.next("error")).code, "version_retired");
    bot.queue("v1");
    assert.equal((await bot.next("error")).code, "version_retired");
    bot.queue("v2");
    await bot.next("queued");
    const me = await fetch(`${baseUrl}/api/me`, { headers });
    const { versions } = (await me.json()) as { versions: { label: string; retired: boolean }[] };
    assert.deepEqual(versions.map(({ label, retired }) => [label, retired]).toSorted(), [
      ["v1", true],
      ["v2", false],
    ]);
  });

  test("a token that is rotated over HTTP ends the old one's socket at once", async () => {
    const old = await register(baseUrl, "rotating");
    const bot = await BotClient.connect(baseUrl, old);
    const answer = await fetch(`${baseUrl}/api/me/token`, {
      method: "POST",
      headers: { authorization: `Bearer ${old}` },
    });
    const { token } = (await answer.json()) as { token: string };
    assert.equal((await bot.next("error")).code, "invalid_token");
    assert.deepEqual(await bot.closed, { code: 4002, reason: "invalid_token" });
    const refused = await BotClient.connect(baseUrl, old);
    assert.equal((await refused.closed).code, 4002);
    const again = await BotClient.connect(baseUrl, token);
    again.queue();
    await again.next("queued");
  });

  test("a ping of the bot is answered", async () => {
    const bot = await BotClient.connect(baseUrl, await register(baseUrl, "pinging"));
    bot.socket.ping("are you there");
    const [payload] = (await once(bot.socket, "pong")) as [Buffer];
    assert.equal(payload.toString(), "are you there");
  });
});

suite("T25 an invalid upgrade", () => {
  const cases: [name: string, head: (port: string) => string, status: string, error: RegExp][] = [
    ["another path", () => upgradeHead({}, "GET /bots HTTP/1.1"), "404", /\/bot/],
    ["a path below", () => upgradeHead({}, "GET /bot/ HTTP/1.1"), "404", /\/bot/],
    ["a path below play", () => upgradeHead({}, "GET /play/ HTTP/1.1"), "404", /\/play/],
    ["two slashes", () => upgradeHead({}, "GET //play HTTP/1.1"), "404", /\/play/],
    ["capitals", () => upgradeHead({}, "GET /PLAY HTTP/1.1"), "404", /\/play/],
    ["an old version", () => upgradeHead({ "Sec-WebSocket-Version": "8" }), "426", /13/],
    ["no version", () => upgradeHead({ "Sec-WebSocket-Version": null }), "426", /13/],
    ["HTTP/1.0", () => upgradeHead({}, "GET /bot HTTP/1.0"), "400", /HTTP/],
    ["a foreign Origin", () => upgradeHead({ Origin: "http://evil.example" }), "403", /Origin/],
    ["Origin null", () => upgradeHead({ Origin: "null" }), "403", /Origin/],
    [
      "an Origin that only begins well",
      (port) => upgradeHead({ Origin: `http://127.0.0.1:${port}.evil` }),
      "403",
      /Origin/,
    ],
    ["no key", () => upgradeHead({ "Sec-WebSocket-Key": null }), "400", /handshake/],
    ["a short key", () => upgradeHead({ "Sec-WebSocket-Key": "abc" }), "400", /handshake/],
    [
      "POST",
      () => upgradeHead({ "Content-Length": "0" }, "POST /bot HTTP/1.1"),
      "400",
      /handshake/,
    ],
  ];
  test("is answered in JSON and closed", async () => {
    const { port } = new URL(baseUrl);
    for (const [name, head, status, error] of cases) {
      const answer = await exchange(baseUrl, head(port));
      assert.match(answer, new RegExp(`^HTTP/1.1 ${status} `), name);
      assert.match(answer, /\r\nContent-Type: application\/json/i, name);
      assert.match(answer, /\r\nX-Content-Type-Options: nosniff/i, name);
      assert.match(answer, /\r\nContent-Security-Policy: /i, name);
      const body = JSON.parse(answer.slice(answer.indexOf("\r\n\r\n"))) as { error: string };
      assert.match(body.error, error, name);
    }
    const version = await exchange(baseUrl, upgradeHead({ "Sec-WebSocket-Version": "8" }));
    assert.match(version, /\r\nSec-WebSocket-Version: 13\r\n/);
    for (const origin of [`http://localhost:${port}`, `http://127.0.0.1:${port}`]) {
      const bot = await BotClient.connect(baseUrl, null, { origin });
      assert.equal((await bot.closed).reason, "missing_authorization");
    }
    assert.equal((await fetch(`${baseUrl}/api/status`)).status, 200);
  });

  test("keeps no half of its connection open", async () => {
    const socket = dial(baseUrl, true);
    // An error is one way to end here.
    const gone = new Promise<void>((resolve) => void socket.once("close", () => resolve()));
    socket.write(upgradeHead({}, "GET /elsewhere HTTP/1.1"));
    socket.resume();
    await once(socket, "end");
    // Writing into a connection whose other half is gone ends it.
    const writing = setInterval(() => socket.write("x"), 5);
    await gone;
    clearInterval(writing);
  });
});

suite("T91 an offer to upgrade to anything but a websocket", { concurrency: true }, () => {
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
  /** How many answers have come whole: until then the server may still be busy with the last. */
  const wholeAnswers = (bytes: Buffer): number => {
    const head = bytes.indexOf("\r\n\r\n");
    if (head < 0) return 0;
    const [, length = "0"] = /content-length: (\d+)/i.exec(bytes.toString("latin1", 0, head)) ?? [];
    const end = head + 4 + Number(length);
    return bytes.length < end ? 0 : 1 + wholeAnswers(bytes.subarray(end));
  };
  /**
   * Sends requests one after another on one connection, each after the previous answer; the last
   * one closes.
   */
  const inTurn = async (...requests: string[]): Promise<number[]> => {
    const socket = dial(baseUrl);
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
  const LAST = "GET /api/status HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
  const paths: [path: string, status: number][] = [
    ["/", 200],
    ["/api/events", 200],
    ["/api/matches?limit=x", 400],
    ["/docs/protocol", 200],
    ["/bot", 404],
    ["/nowhere", 404],
  ];
  for (const offer of OFFERS)
    test(`(${offer}) is ignored, and so is it in a request behind`, async () => {
      for (const [path, status] of paths) {
        const head = headOf("GET", path, offer);
        assert.deepEqual(await inTurn(head, head, LAST), [status, status, 200], path);
      }
    });

  /** Writes all in one piece, and reads until the connection ends. */
  const together = async (...requests: string[]): Promise<number[]> => {
    const socket = dial(baseUrl);
    socket.write(requests.join(""));
    return statuses(await text(socket));
  };

  test("loses no request that came in the same piece behind it", async () => {
    const offers = Array.from({ length: 20 }, () => headOf("GET", "/api/status", "h2c"));
    const asked = headOf("GET", "/api/matches?limit=x", "foo");
    assert.deepEqual(await together(offers[0]!, LAST), [200, 200]);
    assert.deepEqual(await inTurn(...offers, asked + LAST), [...offers.map(() => 200), 400, 200]);
  });

  test("ends the connection where a request behind it cannot be read", async () => {
    const plain = "GET /api/status HTTP/1.1\r\nHost: localhost\r\n\r\n";
    const offer = headOf("GET", "/api/status", "h2c");
    const withBody = headOf("GET", "/api/status", "h2c", "Content-Length: 2");
    assert.deepEqual(await together(plain, offer, plain), [200, 200]);
    assert.deepEqual(await together(`${withBody}{}`, plain), [200]);
  });

  test("and a websocket behind an unanswered request: its frames never mix with answers", async () => {
    const plain = "GET /api/status HTTP/1.1\r\nHost: localhost\r\n\r\n";
    const key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==";
    const socket = headOf("GET", "/bot", "websocket", key, "Sec-WebSocket-Version: 13");
    const answers = await together(plain, plain, socket);
    assert.deepEqual(answers.slice(0, 2), [200, 200]);
    assert.ok(!answers.includes(101), "the upgrade is refused");
  });

  test("does not keep a body from being read", async () => {
    const body = JSON.stringify({ name: "java-client" });
    const lines = ["Content-Type: application/json", `Content-Length: ${body.length}`];
    const post = headOf("POST", "/api/bots", "h2c", ...lines) + body;
    assert.deepEqual(await together(post), [201]);
  });
});

test("T16 compression is not negotiated", async () => {
  const token = await register(baseUrl, "compressing");
  const bot = await BotClient.connect(baseUrl, token, { perMessageDeflate: true });
  assert.equal(bot.socket.extensions, "");
  assert.deepEqual(await answersTo(bot, "[]"), ["schema"]);
});

test("T23 twenty connections at once: one survivor, nineteen replaced, queued once", async () => {
  const token = await register(baseUrl, "twenty");
  const bots = await Promise.all(
    Array.from({ length: 20 }, () => BotClient.connect(baseUrl, token)),
  );
  for (const bot of bots) bot.queue();
  // One that is replaced later may have been queued before: who survives shows at the end.
  const left = new Set(bots);
  for (const bot of bots) void bot.closed.then(() => left.delete(bot));
  while (left.size > 1) await Promise.race([...left].map((bot) => bot.closed));
  const survivor = [...left][0]!;
  await survivor.next("queued");
  for (const bot of bots.filter((one) => one !== survivor)) {
    await bot.next("replaced");
    assert.deepEqual(await bot.closed, { code: 4003, reason: "replaced" });
  }
  assert.equal(await stateOf("twenty"), "waiting");
});

test("what bots are told to send has the shape that is published", () => {
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

test("server pings come, and a bot that answers none is cut off", async (context) => {
  const { baseUrl: pinging } = await ladderFor(context, ["--ping-interval", "1.5"]);
  const alive = await BotClient.connect(pinging, await register(pinging, "alive"));
  const deaf = await BotClient.connect(pinging, await register(pinging, "deaf"));
  deaf.queue();
  await deaf.next("queued");
  deaf.socket.pause();
  const names = async () =>
    (await getJson<{ online: { name: string }[] }>(pinging, "/api/status")).online.map(
      ({ name }) => name,
    );
  while ((await names()).includes("deaf")) await once(alive.socket, "ping");
  assert.deepEqual(await names(), ["alive"]);
  assert.equal(alive.socket.readyState, alive.socket.OPEN);
  deaf.socket.resume();
  assert.equal((await deaf.closed).code, 1006);
});

test("a bot that connects after the last close of a drain is told, and closed like the others", async (context) => {
  const { baseUrl: draining, arena } = await ladderFor(context);
  const token = await register(draining, "late");
  await arena.drain();
  const bot = await BotClient.connect(draining, token);
  await bot.next("server_draining");
  assert.deepEqual(await bot.closed, { code: 1012, reason: "server restarting" });
});
