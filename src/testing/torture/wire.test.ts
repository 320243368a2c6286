import assert from "node:assert/strict";
import { after, suite, test } from "node:test";

import { LIMITS } from "#core/words/limits.ts";
import { BotClient, register } from "#testing/harness/bot-client.ts";
import { getJson, ladderFor } from "#testing/harness/duel.ts";
import { closeFrame, frame, OPCODES, openRaw, textFrame } from "#testing/harness/raw-socket.ts";
import type { RawSocket } from "#testing/harness/raw-socket.ts";

const { baseUrl } = await ladderFor({ after });

const { binary, close, continuation, ping, pong, text } = OPCODES;
const QUEUE = { type: "queue", version: "v1" };
const KIB = 1024;

/** The bot can return and be heard, whatever ended its last connection. */
async function comesBack(token: string): Promise<void> {
  const bot = await BotClient.connect(baseUrl, token);
  bot.queue();
  await bot.next("queued");
  bot.socket.close(1000);
  await bot.closed;
}

const part = (opcode: number, payload: string | Buffer, fin = false) =>
  frame(opcode, payload, { fin });

suite("T14 a frame that breaks the protocol", { concurrency: true }, () => {
  const badText = Buffer.from([0xce, 0xba, 0xe1, 0xbd, 0xb9, 0xed, 0xa0, 0x80]);
  const cases: [name: string, frames: Buffer[], code: number][] = [
    ["an unmasked frame", [frame(text, "{}", { masked: false })], 1002],
    ["the first reserved bit", [frame(text, "{}", { reserved: 4 })], 1002],
    ["the last reserved bit", [frame(text, "{}", { reserved: 1 })], 1002],
    ["a reserved data opcode", [frame(3, "{}")], 1002],
    ["a reserved control opcode", [frame(11, "")], 1002],
    ["a stray continuation", [part(continuation, "{}", true)], 1002],
    ["a text within a text", [part(text, "{"), part(text, "}", true)], 1002],
    ["a fragmented ping", [part(ping, "x")], 1002],
    ["a ping of 126 bytes", [frame(ping, "x".repeat(126))], 1002],
    ["a close with one byte", [frame(close, "x")], 1002],
    ["a close with a reserved code", [closeFrame(1005)], 1002],
    ["a close with a code out of range", [closeFrame(999)], 1002],
    ["a close with a broken reason", [frame(close, Buffer.from([3, 232, 0xff]))], 1007],
    ["text that is no UTF-8", [frame(text, badText)], 1007],
    [
      "text that is no UTF-8, in two",
      [part(text, badText.subarray(0, 3)), part(continuation, badText.subarray(3), true)],
      1007,
    ],
    [
      "17,000 fragments",
      [part(text, "{"), ...Array.from({ length: 17_000 }, () => part(continuation, ""))],
      1008,
    ],
  ];
  for (const [index, [name, frames, code]] of cases.entries())
    test(`${name} closes with ${code}, and the bot comes back`, async () => {
      const token = await register(baseUrl, `wire-${index}`);
      const raw = await openRaw(baseUrl, token);
      raw.write(...frames, textFrame(QUEUE));
      assert.equal(await raw.ended, code);
      assert.deepEqual(raw.texts(), []);
      await comesBack(token);
    });
});

suite("T15 the length of a message", { concurrency: true }, () => {
  /** A queue message of exactly `bytes` bytes. */
  const queueOf = (bytes: number) => {
    const message = { ...QUEUE, padding: "" };
    const short = JSON.stringify(message).length;
    return JSON.stringify({ ...message, padding: "x".repeat(bytes - short) });
  };

  test("of 16 KiB passes, whole or in fragments", async () => {
    const raw = await openRaw(baseUrl, await register(baseUrl, "long-enough"));
    const message = queueOf(16 * KIB);
    raw.write(frame(text, message));
    while (raw.texts().length < 1) await turn(raw.socket);
    raw.write(part(text, message.slice(0, 9000)), part(continuation, message.slice(9000), true));
    while (raw.texts().length < 2) await turn(raw.socket);
    assert.deepEqual(
      raw.texts().map(({ type }) => type),
      ["queued", "queued"],
    );
    raw.socket.destroy();
  });

  const cases: [name: string, frames: Buffer[]][] = [
    ["of one byte more", [frame(text, queueOf(16 * KIB + 1))]],
    [
      "of one byte more in fragments",
      [part(text, "x".repeat(16 * KIB)), part(continuation, "x", true)],
    ],
    ["that is stated as 2^40 bytes", [frame(text, "x", { length: 2n ** 40n })]],
    ["that is stated as 2^62 bytes", [frame(binary, "x", { length: 2n ** 62n })]],
  ];
  for (const [index, [name, frames]] of cases.entries())
    test(`${name} closes with 1009 at once`, async () => {
      const token = await register(baseUrl, `long-${index}`);
      const raw = await openRaw(baseUrl, token);
      raw.write(...frames);
      assert.equal(await raw.ended, 1009);
      assert.deepEqual(raw.texts(), []);
      await comesBack(token);
    });
});

test("T15 a length is refused when it is stated, and no memory is set aside for it", async () => {
  const token = await register(baseUrl, "stated");
  const [connections, messageBytes, allowance] = [100n, 16 * KIB, 10];
  const before = process.memoryUsage().arrayBuffers;
  for (let number = 0n; number < connections; number += 1n) {
    const raw = await openRaw(baseUrl, token);
    raw.write(frame(text, "", { length: 2n ** 40n - number }));
    assert.equal(await raw.ended, 1009);
  }
  const taken = process.memoryUsage().arrayBuffers - before;
  assert.ok(taken < Number(connections) * messageBytes * allowance, `${taken} bytes`);
  await comesBack(token);
});

/** Whatever comes next on the socket. */
const turn = (socket: { once(event: "data", call: () => void): unknown }) =>
  new Promise<void>((resolve) => void socket.once("data", () => resolve()));

suite("T08 a flood outside a match", { concurrency: true }, () => {
  test("of a thousand frames in one write acts no more after the fiftieth", async () => {
    const token = await register(baseUrl, "flood");
    const raw = await openRaw(baseUrl, token);
    const frames = Array.from({ length: 1000 }, (_, number) =>
      textFrame(number % 2 === 0 ? { type: "queue", version: `v${number}` } : { type: "leave" }),
    );
    raw.write(...frames);
    assert.equal(await raw.ended, 4009);
    const heard = raw.texts();
    assert.equal(heard.at(-1)?.code, "rate_limited");
    assert.ok(heard.filter(({ type }) => type === "queued").length <= 25);
    const headers = { authorization: `Bearer ${token}` };
    const me = await fetch(`${baseUrl}/api/me`, { headers });
    const { versions } = (await me.json()) as { versions: object[] };
    assert.ok(versions.length <= 25, "nothing after the limit was registered");
    const { online } = await getJson<{ online: { name: string }[] }>(baseUrl, "/api/status");
    assert.ok(online.every(({ name }) => name !== "flood"));
    await comesBack(token);
  });

  test("fifty frames in one write pass, the next closes", async () => {
    const bot = await BotClient.connect(baseUrl, await register(baseUrl, "fifty"));
    for (let frames = 0; frames < 50; frames += 1) bot.socket.send("[]");
    for (let answers = 0; answers < 50; answers += 1)
      assert.equal((await bot.next("error")).code, "schema");
    assert.equal(bot.socket.readyState, bot.socket.OPEN);
  });

  test("control frames are not counted", async () => {
    const token = await register(baseUrl, "control");
    const raw = await openRaw(baseUrl, token);
    const beats = Array.from({ length: 40 }, () => [frame(ping, "x"), frame(pong, "x")]);
    raw.write(...beats.flat(), textFrame(QUEUE));
    while (raw.texts().length === 0) await turn(raw.socket);
    assert.equal(raw.texts()[0]!.type, "queued");
    raw.socket.destroy();
  });
});

test("T09 a frame that comes byte by byte is a frame", async () => {
  const raw = await openRaw(baseUrl, await register(baseUrl, "bytes"));
  raw.socket.setNoDelay(true);
  for (const byte of textFrame(QUEUE)) {
    raw.socket.write(Buffer.from([byte]));
    await new Promise((resolve) => void setImmediate(resolve));
  }
  while (raw.texts().length === 0) await turn(raw.socket);
  assert.equal(raw.texts()[0]!.type, "queued");
  raw.socket.destroy();
});

suite("T09 a flood of control frames", { concurrency: true }, () => {
  const atOnce = 20;
  const burst = (opcode: number) =>
    Buffer.concat(Array.from({ length: atOnce }, () => frame(opcode, "x".repeat(125))));

  const most = LIMITS.control_frames_per_second;
  const pongsOf = (raw: RawSocket) => raw.frames().filter(({ opcode }) => opcode === pong).length;

  for (const [name, opcode] of [
    ["pings", ping],
    ["pongs", pong],
  ] as const) {
    test(`passes up to the limit of ${name}, and the bot is heard behind it`, async () => {
      const raw = await openRaw(baseUrl, await register(baseUrl, name));
      for (let sent = 0; sent < most; sent += atOnce) {
        raw.write(burst(opcode));
        if (opcode === ping) while (pongsOf(raw) < sent + atOnce) await turn(raw.socket);
      }
      raw.write(textFrame(QUEUE));
      while (raw.texts().length === 0) await turn(raw.socket);
      assert.equal(raw.texts()[0]!.type, "queued");
      raw.socket.destroy();
    });

    test(`of more ${name} ends the connection, and the bot comes back`, async () => {
      const token = await register(baseUrl, `more-${name}`);
      const raw = await openRaw(baseUrl, token);
      for (let sent = 0; sent <= most; sent += atOnce) {
        raw.write(burst(opcode));
        await new Promise((resolve) => void setImmediate(resolve));
      }
      assert.equal(await raw.ended, 1008);
      await comesBack(token);
    });
  }

  test("whose answers are not read ends the connection, and the bot comes back", async () => {
    const token = await register(baseUrl, "unread");
    const raw = await openRaw(baseUrl, token);
    raw.socket.pause();
    while (!raw.socket.destroyed) {
      raw.write(burst(ping));
      await new Promise((resolve) => void setImmediate(resolve));
    }
    assert.equal(await raw.ended, null);
    await comesBack(token);
  });
});

suite("T08, T09 a flood that was told to go", { concurrency: true }, () => {
  /** More than the buffers of both ends hold, and far less than can be sent during a close. */
  const MOST = 64 * KIB * KIB;
  const cases: [name: string, token: string | null, first: Buffer, code: number][] = [
    ["pongs", null, Buffer.concat(Array.from({ length: 200 }, () => frame(pong, "x"))), 1008],
    ["texts", null, Buffer.concat(Array.from({ length: 60 }, () => frame(text, "[]"))), 4009],
    ["no bot", "nobody's token", frame(pong, "x"), 4002],
  ];
  for (const [name, unknown, first, code] of cases)
    test(`of ${name} is read no further`, async () => {
      const token = unknown ?? (await register(baseUrl, `gone-${name.replace(" ", "-")}`));
      const raw = await openRaw(baseUrl, token);
      raw.write(first);
      while (!raw.frames().some(({ opcode }) => opcode === close)) await turn(raw.socket);
      const chunk = Buffer.concat(Array.from({ length: 500 }, () => frame(pong, "x".repeat(125))));
      let taken = 0;
      const send = () =>
        new Promise<boolean>((resolve) => {
          raw.socket.write(chunk, (error) => resolve(!error));
        });
      while (taken < MOST && (await send())) taken += chunk.length;
      assert.ok(taken < MOST, `${taken} bytes were taken`);
      assert.equal(await raw.ended, code);
      if (unknown === null) await comesBack(token);
    });
});

test("T16 a compressed frame that nobody negotiated closes with 1002", async () => {
  const offer = { "Sec-WebSocket-Extensions": "permessage-deflate; client_max_window_bits" };
  const raw = await openRaw(baseUrl, await register(baseUrl, "bomb"), offer);
  assert.doesNotMatch(raw.head, /permessage-deflate/i);
  raw.write(frame(text, Buffer.alloc(1000), { reserved: 4 }));
  assert.equal(await raw.ended, 1002);
});

test("a peer that never answers a close is dropped anyway", async () => {
  const raw = await openRaw(baseUrl, "nobody's token");
  assert.equal(await raw.ended, 4002);
  assert.equal(raw.texts()[0]!.code, "invalid_token");
});
