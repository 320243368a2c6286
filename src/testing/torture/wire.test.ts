import assert from "node:assert/strict";
import { after, suite, test } from "node:test";

import { DEFAULT_LIMITS } from "#core/limits/limits.ts";
import { BotClient, registerBot } from "#testing/harness/bot-client.ts";
import {
  createCloseFrame,
  createFrame,
  OPCODES,
  openRawWebSocket,
  createTextFrame,
} from "#testing/harness/raw-socket.ts";
import type { RawSocket } from "#testing/harness/raw-socket.ts";
import { getJson, startSuiteLadder } from "#testing/harness/test-match.ts";

const { baseUrl } = await startSuiteLadder({ after });

const { binary, close, continuation, ping, pong, text } = OPCODES;
const QUEUE = { type: "queue", version: "v1" };
const KIB = 1024;

async function assertReconnects(token: string): Promise<void> {
  const bot = await BotClient.connect(baseUrl, token);
  bot.queue();
  await bot.waitFor("queued");
  bot.socket.close(1000);
  await bot.closed;
}

const makeFrame = (opcode: number, payload: string | Buffer, fin = false) =>
  createFrame(opcode, payload, { fin });

suite("T14 a frame that violates the protocol", { concurrency: true }, () => {
  const invalidUtf8 = Buffer.from([0xce, 0xba, 0xe1, 0xbd, 0xb9, 0xed, 0xa0, 0x80]);
  const cases: [name: string, frames: Buffer[], code: number][] = [
    ["an unmasked frame", [createFrame(text, "{}", { masked: false })], 1002],
    ["the first reserved bit", [createFrame(text, "{}", { reserved: 4 })], 1002],
    ["the last reserved bit", [createFrame(text, "{}", { reserved: 1 })], 1002],
    ["a reserved data opcode", [createFrame(3, "{}")], 1002],
    ["a reserved control opcode", [createFrame(11, "")], 1002],
    ["a stray continuation", [makeFrame(continuation, "{}", true)], 1002],
    [
      "a text frame within a fragmented text",
      [makeFrame(text, "{"), makeFrame(text, "}", true)],
      1002,
    ],
    ["a fragmented ping", [makeFrame(ping, "x")], 1002],
    ["a ping of 126 bytes", [createFrame(ping, "x".repeat(126))], 1002],
    ["a close with one byte", [createFrame(close, "x")], 1002],
    ["a close with a reserved code", [createCloseFrame(1005)], 1002],
    ["a close with a code out of range", [createCloseFrame(999)], 1002],
    ["a close with an invalid reason", [createFrame(close, Buffer.from([3, 232, 0xff]))], 1007],
    ["text that is not UTF-8", [createFrame(text, invalidUtf8)], 1007],
    [
      "text that is not UTF-8, in two frames",
      [
        makeFrame(text, invalidUtf8.subarray(0, 3)),
        makeFrame(continuation, invalidUtf8.subarray(3), true),
      ],
      1007,
    ],
    [
      "17,000 fragments",
      [makeFrame(text, "{"), ...Array.from({ length: 17_000 }, () => makeFrame(continuation, ""))],
      1008,
    ],
  ];
  for (const [index, [name, frames, code]] of cases.entries())
    test(`${name}: closes the connection with ${code}, and the bot can reconnect`, async () => {
      const token = await registerBot(baseUrl, `wire-${index}`);
      const raw = await openRawWebSocket(baseUrl, token);
      raw.write(...frames, createTextFrame(QUEUE));
      assert.equal(await raw.ended, code);
      assert.deepEqual(raw.textMessages(), []);
      await assertReconnects(token);
    });
});

suite("T15 the limit on message length", { concurrency: true }, () => {
  const queueOf = (bytes: number) => {
    const message = { ...QUEUE, padding: "" };
    const short = JSON.stringify(message).length;
    return JSON.stringify({ ...message, padding: "x".repeat(bytes - short) });
  };

  test("accepts 16 KiB, whole or in fragments", async () => {
    const raw = await openRawWebSocket(baseUrl, await registerBot(baseUrl, "long-enough"));
    const message = queueOf(16 * KIB);
    raw.write(createFrame(text, message));
    while (raw.textMessages().length < 1) await nextChunk(raw.socket);
    raw.write(
      makeFrame(text, message.slice(0, 9000)),
      makeFrame(continuation, message.slice(9000), true),
    );
    while (raw.textMessages().length < 2) await nextChunk(raw.socket);
    assert.deepEqual(
      raw.textMessages().map(({ type }) => type),
      ["queued", "queued"],
    );
    raw.socket.destroy();
  });

  const cases: [name: string, frames: Buffer[]][] = [
    ["of one byte more", [createFrame(text, queueOf(16 * KIB + 1))]],
    [
      "of one byte more in fragments",
      [makeFrame(text, "x".repeat(16 * KIB)), makeFrame(continuation, "x", true)],
    ],
    ["declared as 2^40 bytes", [createFrame(text, "x", { length: 2n ** 40n })]],
    ["declared as 2^62 bytes", [createFrame(binary, "x", { length: 2n ** 62n })]],
  ];
  for (const [index, [name, frames]] of cases.entries())
    test(`rejects a message ${name} immediately with 1009`, async () => {
      const token = await registerBot(baseUrl, `long-${index}`);
      const raw = await openRawWebSocket(baseUrl, token);
      raw.write(...frames);
      assert.equal(await raw.ended, 1009);
      assert.deepEqual(raw.textMessages(), []);
      await assertReconnects(token);
    });
});

test("T15 rejects a declared length before allocating any memory", async () => {
  const token = await registerBot(baseUrl, "stated");
  const [connections, messageBytes, allowance] = [100n, 16 * KIB, 10];
  const bytesBefore = process.memoryUsage().arrayBuffers;
  for (let number = 0n; number < connections; number += 1n) {
    const raw = await openRawWebSocket(baseUrl, token);
    raw.write(createFrame(text, "", { length: 2n ** 40n - number }));
    assert.equal(await raw.ended, 1009);
  }
  const bytesAllocated = process.memoryUsage().arrayBuffers - bytesBefore;
  assert.ok(
    bytesAllocated < Number(connections) * messageBytes * allowance,
    `${bytesAllocated} bytes`,
  );
  await assertReconnects(token);
});

const nextChunk = (socket: { once(event: "data", call: () => void): unknown }) =>
  new Promise<void>((resolve) => void socket.once("data", () => resolve()));

suite("T08 a flood outside a match", { concurrency: true }, () => {
  test("of 1,000 frames in one write has no effect after the fiftieth frame", async () => {
    const token = await registerBot(baseUrl, "flood");
    const raw = await openRawWebSocket(baseUrl, token);
    const frames = Array.from({ length: 1000 }, (_, number) =>
      createTextFrame(
        number % 2 === 0 ? { type: "queue", version: `v${number}` } : { type: "leave" },
      ),
    );
    raw.write(...frames);
    assert.equal(await raw.ended, 4009);
    const heard = raw.textMessages();
    assert.equal(heard.at(-1)?.code, "rate_limited");
    assert.ok(heard.filter(({ type }) => type === "queued").length <= 25);
    const headers = { authorization: `Bearer ${token}` };
    const me = await fetch(`${baseUrl}/api/me`, { headers });
    const { versions } = (await me.json()) as { versions: object[] };
    assert.ok(versions.length <= 25, "nothing after the limit was registered");
    const { online } = await getJson<{ online: { name: string }[] }>(baseUrl, "/api/status");
    assert.ok(online.every(({ name }) => name !== "flood"));
    await assertReconnects(token);
  });

  test("is accepted up to fifty frames in one write", async () => {
    const bot = await BotClient.connect(baseUrl, await registerBot(baseUrl, "fifty"));
    for (let frames = 0; frames < 50; frames += 1) bot.socket.send("[]");
    for (let responses = 0; responses < 50; responses += 1)
      assert.equal((await bot.waitFor("error")).code, "schema");
    assert.equal(bot.socket.readyState, bot.socket.OPEN);
  });

  test("isn't triggered by control frames", async () => {
    const token = await registerBot(baseUrl, "control");
    const raw = await openRawWebSocket(baseUrl, token);
    const beats = Array.from({ length: 40 }, () => [
      createFrame(ping, "x"),
      createFrame(pong, "x"),
    ]);
    raw.write(...beats.flat(), createTextFrame(QUEUE));
    while (raw.textMessages().length === 0) await nextChunk(raw.socket);
    assert.equal(raw.textMessages()[0]!.type, "queued");
    raw.socket.destroy();
  });
});

test("T09 accepts a frame that arrives byte by byte", async () => {
  const raw = await openRawWebSocket(baseUrl, await registerBot(baseUrl, "bytes"));
  raw.socket.setNoDelay(true);
  for (const byte of createTextFrame(QUEUE)) {
    raw.socket.write(Buffer.from([byte]));
    await new Promise((resolve) => void setImmediate(resolve));
  }
  while (raw.textMessages().length === 0) await nextChunk(raw.socket);
  assert.equal(raw.textMessages()[0]!.type, "queued");
  raw.socket.destroy();
});

suite("T09 a flood of control frames", { concurrency: true }, () => {
  const atOnce = 20;
  const burst = (opcode: number) =>
    Buffer.concat(Array.from({ length: atOnce }, () => createFrame(opcode, "x".repeat(125))));

  const maxFrames = DEFAULT_LIMITS.control_frames_per_second;
  const pongsOf = (raw: RawSocket) => raw.frames().filter(({ opcode }) => opcode === pong).length;

  for (const [name, opcode] of [
    ["pings", ping],
    ["pongs", pong],
  ] as const) {
    test(`is accepted up to the limit for ${name}, and the bot's next message is processed`, async () => {
      const raw = await openRawWebSocket(baseUrl, await registerBot(baseUrl, name));
      for (let sentCount = 0; sentCount < maxFrames; sentCount += atOnce) {
        raw.write(burst(opcode));
        if (opcode === ping) while (pongsOf(raw) < sentCount + atOnce) await nextChunk(raw.socket);
      }
      raw.write(createTextFrame(QUEUE));
      while (raw.textMessages().length === 0) await nextChunk(raw.socket);
      assert.equal(raw.textMessages()[0]!.type, "queued");
      raw.socket.destroy();
    });

    test(`with more ${name} than allowed closes the connection, and the bot can reconnect`, async () => {
      const token = await registerBot(baseUrl, `more-${name}`);
      const raw = await openRawWebSocket(baseUrl, token);
      for (let sentCount = 0; sentCount <= maxFrames; sentCount += atOnce) {
        raw.write(burst(opcode));
        await new Promise((resolve) => void setImmediate(resolve));
      }
      assert.equal(await raw.ended, 1008);
      await assertReconnects(token);
    });
  }

  test("with unread responses closes the connection, and the bot can reconnect", async () => {
    const token = await registerBot(baseUrl, "unread");
    const raw = await openRawWebSocket(baseUrl, token);
    raw.socket.pause();
    while (!raw.socket.destroyed) {
      raw.write(burst(ping));
      await new Promise((resolve) => void setImmediate(resolve));
    }
    assert.equal(await raw.ended, null);
    await assertReconnects(token);
  });
});

suite("T08, T09 a flood after the close", { concurrency: true }, () => {
  /**
   * Exceeds the buffers at both ends, but is much less than a client can send while its connection
   * is closing.
   */
  const MAX_BYTES = 64 * KIB * KIB;
  const cases: [name: string, token: string | null, first: Buffer, code: number][] = [
    ["pongs", null, Buffer.concat(Array.from({ length: 200 }, () => createFrame(pong, "x"))), 1008],
    ["texts", null, Buffer.concat(Array.from({ length: 60 }, () => createFrame(text, "[]"))), 4009],
    ["no bot", "nobody's token", createFrame(pong, "x"), 4002],
  ];
  for (const [name, unknown, first, code] of cases)
    test(`is not read any further: ${name}`, async () => {
      const token = unknown ?? (await registerBot(baseUrl, `gone-${name.replace(" ", "-")}`));
      const raw = await openRawWebSocket(baseUrl, token);
      raw.write(first);
      while (!raw.frames().some(({ opcode }) => opcode === close)) await nextChunk(raw.socket);
      const chunk = Buffer.concat(
        Array.from({ length: 500 }, () => createFrame(pong, "x".repeat(125))),
      );
      let bytesAllocated = 0;
      const send = () =>
        new Promise<boolean>((resolve) => {
          raw.socket.write(chunk, (error) => resolve(!error));
        });
      while (bytesAllocated < MAX_BYTES && (await send())) bytesAllocated += chunk.length;
      assert.ok(bytesAllocated < MAX_BYTES, `${bytesAllocated} bytes were read`);
      assert.equal(await raw.ended, code);
      if (unknown === null) await assertReconnects(token);
    });
});

test("T16 a compressed frame without negotiation closes with 1002", async () => {
  const offer = { "Sec-WebSocket-Extensions": "permessage-deflate; client_max_window_bits" };
  const raw = await openRawWebSocket(baseUrl, await registerBot(baseUrl, "bomb"), offer);
  assert.doesNotMatch(raw.head, /permessage-deflate/i);
  raw.write(createFrame(text, Buffer.alloc(1000), { reserved: 4 }));
  assert.equal(await raw.ended, 1002);
});

test("drops a peer that never answers a close", async () => {
  const raw = await openRawWebSocket(baseUrl, "nobody's token");
  assert.equal(await raw.ended, 4002);
  assert.equal(raw.textMessages()[0]!.code, "invalid_token");
});
