import assert from "node:assert/strict";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { connect, createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { duplexPair } from "node:stream";
import type { Duplex } from "node:stream";
import { describe, it } from "node:test";
import { setImmediate as turn } from "node:timers/promises";

import * as fc from "fast-check";
import { WebSocketServer } from "ws";
import type { WebSocket } from "ws";

import { ANY_CHARACTER } from "#testing/fixtures/any-character.ts";
import { createCloseFrame, createFrame, OPCODES } from "#testing/harness/raw-socket.ts";

import { readPlainFrames } from "./plain-frames.ts";

const MAX_BYTES = 200;

type ObservedFrames = { events: string[]; response: string };

/**
 * Both ends of a connection. `arrived` resolves when the receiving end has read `bytes` bytes or
 * has closed.
 */
type SocketPair = {
  serverEnd: Duplex;
  clientEnd: Duplex;
  untilArrived(bytes: number): Promise<void>;
};

async function pipe(): Promise<SocketPair> {
  const [serverEnd, clientEnd] = duplexPair();
  return { serverEnd, clientEnd, untilArrived: () => turn() };
}

/** Returns the same pair over a TCP socket, which supports reading in place. */
async function loopback(): Promise<SocketPair> {
  const server = createServer({ allowHalfOpen: true, noDelay: true });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const clientEnd = connect({ port: (server.address() as AddressInfo).port, host: "127.0.0.1" });
  const [serverEnd] = (await once(server, "connection")) as [Socket];
  server.close();
  const untilArrived = async (bytes: number) => {
    while (serverEnd.bytesRead < bytes && !serverEnd.destroyed) await turn();
    await turn();
  };
  return { serverEnd, clientEnd: clientEnd.setNoDelay(true), untilArrived };
}

/** What reads the frames: only `ws`, or our fast path in front of it, from a stream or in place. */
type Reader = "ws" | "stream" | "in place";

async function readChunks(
  chunks: readonly Buffer[],
  reader: Reader,
  link: () => Promise<SocketPair> = pipe,
): Promise<ObservedFrames & { plainCount: number }> {
  const { serverEnd, clientEnd, untilArrived } = await link();
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_BYTES,
    perMessageDeflate: false,
  });
  const events: string[] = [];
  const response: Buffer[] = [];
  let plainCount = 0;
  clientEnd.on("data", (chunk: Buffer) => response.push(chunk));
  const socket = await new Promise<WebSocket>((resolve) =>
    server.handleUpgrade(UPGRADE as IncomingMessage, serverEnd, Buffer.alloc(0), resolve),
  );
  socket.on("error", ({ message }) => events.push(`error ${message}`));
  socket.on("message", (data: Buffer, isBinary) =>
    events.push(`${isBinary ? "binary" : "text"} ${data.toString()}`),
  );
  socket.on("ping", (data) => events.push(`ping ${data.toString("hex")}`));
  socket.on("pong", (data) => events.push(`pong ${data.toString("hex")}`));
  socket.on("close", (code) => events.push(`close ${code}`));
  const onFrame = (text: string) => {
    plainCount += 1;
    events.push(`text ${text}`);
  };
  const inPlace = reader === "in place";
  if (reader !== "ws")
    readPlainFrames(socket, serverEnd, { maxBytes: MAX_BYTES, inPlace }, { onFrame });
  await turn();
  response.length = 0;
  let writtenBytes = 0;
  for (const chunk of chunks) {
    clientEnd.write(Buffer.from(chunk));
    writtenBytes += chunk.length;
    await untilArrived(writtenBytes);
  }
  clientEnd.end();
  await turn();
  await turn();
  socket.terminate();
  return { events, response: Buffer.concat(response).toString("hex"), plainCount };
}

const UPGRADE = {
  method: "GET",
  headers: {
    upgrade: "websocket",
    "sec-websocket-version": "13",
    "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
  },
};

/**
 * Asserts that the fast path and `ws` report the same, over a stream and over a socket. Returns how
 * many frames the fast path read.
 */
async function assertSameAsWs(chunks: readonly Buffer[]): Promise<number> {
  const { plainCount, ...serverEnd } = await readChunks(chunks, "stream");
  const { plainCount: _none, ...wsOnly } = await readChunks(chunks, "ws");
  assert.deepEqual(serverEnd, wsOnly);
  for (const reader of ["stream", "in place"] as const) {
    const overTcp = await readChunks(chunks, reader, loopback);
    assert.deepEqual([overTcp.events, overTcp.plainCount], [wsOnly.events, plainCount], reader);
  }
  return plainCount;
}

const text = (body: string) => createFrame(OPCODES.text, body);
const TURN = '{"type":"turn","tick":3,"move":"ne"}';

describe("plain frames", () => {
  it("are read up to the size limit, several per chunk", async () => {
    const maxText = "x".repeat(MAX_BYTES);
    assert.equal(await assertSameAsWs([text(TURN), text("")]), 2);
    assert.equal(await assertSameAsWs([Buffer.concat([text(TURN), text(maxText), text("y")])]), 3);
    assert.equal(
      await assertSameAsWs([text(maxText), text("z".repeat(126)), text("z".repeat(125))]),
      3,
    );
  });

  const wsCases: [what: string, chunks: Buffer[], plain: number][] = [
    ["a text over the limit", [text("x".repeat(MAX_BYTES + 1)), text("y")], 0],
    ["a non-ASCII text, but not the next", [text("é"), text(TURN)], 1],
    ["invalid UTF-8", [createFrame(OPCODES.text, Buffer.from([0xff])), text(TURN)], 0],
    ["a binary frame, but not the next", [createFrame(OPCODES.binary, "x"), text(TURN)], 1],
    ["pings and pongs between turns", [text("a"), createFrame(OPCODES.ping, "p"), text("b")], 2],
    [
      "data after a ping in its chunk",
      [Buffer.concat([createFrame(OPCODES.ping, ""), text("b")])],
      0,
    ],
    ["an unmasked frame", [createFrame(OPCODES.text, "x", { masked: false }), text("y")], 0],
    ["reserved bits", [createFrame(OPCODES.text, "x", { reserved: 1 }), text("y")], 0],
    ["data after a close", [text("a"), createCloseFrame(1000), text("b")], 1],
    ["data after a close in its chunk", [Buffer.concat([createCloseFrame(1000), text("b")])], 0],
    [
      "everything after a fragment",
      [
        createFrame(OPCODES.text, "a", { fin: false }),
        createFrame(OPCODES.continuation, "b"),
        text("c"),
      ],
      0,
    ],
  ];
  for (const [title, chunks, plainCount] of wsCases)
    it(`pass ${title} on to ws`, async () =>
      assert.equal(await assertSameAsWs(chunks), plainCount));

  it("pass a frame split at any point, and everything after it, on to ws", async () => {
    for (const bytes of [text(TURN), text("z".repeat(150)), Buffer.concat([text("a"), text("b")])])
      for (let cut = 1; cut < bytes.length; cut += 1)
        await assertSameAsWs([bytes.subarray(0, cut), bytes.subarray(cut), text("y")]);
  });

  it("are ignored after the listener closes the socket", async () => {
    const [serverEnd, clientEnd] = duplexPair();
    const server = new WebSocketServer({ noServer: true });
    const receivedTexts: string[] = [];
    server.handleUpgrade(UPGRADE as IncomingMessage, serverEnd, Buffer.alloc(0), (socket) => {
      const readOptions = { maxBytes: MAX_BYTES, inPlace: false };
      readPlainFrames(socket, serverEnd, readOptions, {
        onFrame: (a) => {
          receivedTexts.push(a);
          socket.close(1008);
        },
      });
    });
    clientEnd.resume();
    clientEnd.write(Buffer.concat([text("a"), text("b")]));
    await turn();
    clientEnd.write(text("c"));
    await turn();
    assert.deepEqual(receivedTexts, ["a"]);
    assert.equal(serverEnd.listenerCount("data"), 1);
    clientEnd.write(createCloseFrame(1008));
    await turn();
    assert.equal(serverEnd.listenerCount("data"), 0, "nothing is read after the end");
    serverEnd.destroy();
  });
});

const opcodes = fc.constantFrom(...Object.values(OPCODES), 3, 15);
const bodies = fc.oneof(
  fc.string({ maxLength: 130 }).map((body) => Buffer.from(body)),
  fc.string({ unit: ANY_CHARACTER, maxLength: 20 }).map((body) => Buffer.from(body)),
  fc.uint8Array({ maxLength: 130 }).map((body) => Buffer.from(body)),
);
const rareBoolean = fc.integer({ min: 0, max: 15 }).map((sample) => sample === 0);
const plainFrames = fc.string({ maxLength: 60 }).map((body) => text(body));
const oddFrames = fc
  .tuple(opcodes, bodies, rareBoolean, rareBoolean, rareBoolean)
  .map(([opcode, body, isFragment, isUnmasked, isReserved]) =>
    createFrame(opcode, body, {
      fin: !isFragment,
      masked: !isUnmasked,
      reserved: isReserved ? 2 : 0,
    }),
  );
const anyBytes = fc.array(fc.oneof({ weight: 3, arbitrary: plainFrames }, oddFrames), {
  minLength: 1,
  maxLength: 8,
});

it("behave like ws for any data in any chunks", async () => {
  const cuts = fc.array(fc.nat(), { maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(anyBytes, cuts, fc.boolean(), async (frames, cutPoints, isJoined) => {
      const bytes = Buffer.concat(frames);
      const bounds = [...cutPoints.map((cutPoint) => cutPoint % bytes.length), bytes.length];
      const pieces = bounds
        .toSorted((a, b) => a - b)
        .map((end, at, allBounds) => bytes.subarray(allBounds[at - 1] ?? 0, end))
        .filter((chunk) => chunk.length > 0);
      await assertSameAsWs(isJoined ? pieces : frames);
    }),
    { numRuns: 400 },
  );
});
