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
import { closeFrame, frame, OPCODES } from "#testing/harness/raw-socket.ts";

import { readPlainFrames } from "./frames.ts";

const MOST = 200;

/** What a server notices and answers for some bytes. */
type Heard = { events: string[]; answered: string };

/** The two ends of a connection; `arrived` waits until ours has read `bytes` bytes, or is gone. */
type Link = { ours: Duplex; theirs: Duplex; arrived(bytes: number): Promise<void> };

async function pipe(): Promise<Link> {
  const [ours, theirs] = duplexPair();
  return { ours, theirs, arrived: () => turn() };
}

/** The same through the system, where our reader can read in place. */
async function loopback(): Promise<Link> {
  const server = createServer({ allowHalfOpen: true, noDelay: true });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const theirs = connect({ port: (server.address() as AddressInfo).port, host: "127.0.0.1" });
  const [ours] = (await once(server, "connection")) as [Socket];
  server.close();
  const arrived = async (bytes: number) => {
    while (ours.bytesRead < bytes && !ours.destroyed) await turn();
    await turn();
  };
  return { ours, theirs: theirs.setNoDelay(true), arrived };
}

/** Who reads: `ws` alone, or our reader in front of it, from the stream or in place. */
type Reader = "ws" | "stream" | "in place";

/** Feeds chunks to a socket of `ws`. */
async function hear(
  chunks: readonly Buffer[],
  reader: Reader,
  link: () => Promise<Link> = pipe,
): Promise<Heard & { plain: number }> {
  const { ours, theirs, arrived } = await link();
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: MOST,
    perMessageDeflate: false,
  });
  const events: string[] = [];
  const answered: Buffer[] = [];
  let plain = 0;
  theirs.on("data", (part: Buffer) => answered.push(part));
  const socket = await new Promise<WebSocket>((resolve) =>
    server.handleUpgrade(UPGRADE as IncomingMessage, ours, Buffer.alloc(0), resolve),
  );
  socket.on("error", ({ message }) => events.push(`error ${message}`));
  socket.on("message", (data: Buffer, isBinary) =>
    events.push(`${isBinary ? "binary" : "text"} ${data.toString()}`),
  );
  socket.on("ping", (data) => events.push(`ping ${data.toString("hex")}`));
  socket.on("pong", (data) => events.push(`pong ${data.toString("hex")}`));
  socket.on("close", (code) => events.push(`close ${code}`));
  const frame = (text: string) => {
    plain += 1;
    events.push(`text ${text}`);
  };
  const inPlace = reader === "in place";
  if (reader !== "ws") readPlainFrames(socket, ours, { most: MOST, inPlace }, { frame });
  await turn();
  answered.length = 0;
  let written = 0;
  for (const chunk of chunks) {
    theirs.write(Buffer.from(chunk));
    written += chunk.length;
    await arrived(written);
  }
  theirs.end();
  await turn();
  await turn();
  socket.terminate();
  return { events, answered: Buffer.concat(answered).toString("hex"), plain };
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
 * Asserts that our reader and `ws` alone notice the same, from a stream and from a socket; returns
 * how many frames ours read by itself.
 */
async function sameAsWs(chunks: readonly Buffer[]): Promise<number> {
  const { plain, ...ours } = await hear(chunks, "stream");
  const { plain: _none, ...alone } = await hear(chunks, "ws");
  assert.deepEqual(ours, alone);
  for (const reader of ["stream", "in place"] as const) {
    const overTcp = await hear(chunks, reader, loopback);
    assert.deepEqual([overTcp.events, overTcp.plain], [alone.events, plain], reader);
  }
  return plain;
}

const text = (body: string) => frame(OPCODES.text, body);
const TURN = '{"type":"turn","tick":3,"move":"ne"}';

describe("plain frames", () => {
  it("are read, many in a chunk, up to the limit", async () => {
    const longest = "x".repeat(MOST);
    assert.equal(await sameAsWs([text(TURN), text("")]), 2);
    assert.equal(await sameAsWs([Buffer.concat([text(TURN), text(longest), text("y")])]), 3);
    assert.equal(await sameAsWs([text(longest), text("z".repeat(126)), text("z".repeat(125))]), 3);
  });

  const others: [what: string, chunks: Buffer[], plain: number][] = [
    ["a longer text", [text("x".repeat(MOST + 1)), text("y")], 0],
    ["a text beyond ASCII, but not the next", [text("é"), text(TURN)], 1],
    ["bytes that are no text", [frame(OPCODES.text, Buffer.from([0xff])), text(TURN)], 0],
    ["a binary frame, but not the next", [frame(OPCODES.binary, "x"), text(TURN)], 1],
    ["pings and pongs between turns", [text("a"), frame(OPCODES.ping, "p"), text("b")], 2],
    ["what follows a ping in its chunk", [Buffer.concat([frame(OPCODES.ping, ""), text("b")])], 0],
    ["an unmasked frame", [frame(OPCODES.text, "x", { masked: false }), text("y")], 0],
    ["reserved bits", [frame(OPCODES.text, "x", { reserved: 1 }), text("y")], 0],
    ["what follows a close", [text("a"), closeFrame(1000), text("b")], 1],
    ["what follows a close in its chunk", [Buffer.concat([closeFrame(1000), text("b")])], 0],
    [
      "all that comes after a fragment",
      [frame(OPCODES.text, "a", { fin: false }), frame(OPCODES.continuation, "b"), text("c")],
      0,
    ],
  ];
  for (const [what, chunks, plain] of others)
    it(`leave to ws ${what}`, async () => assert.equal(await sameAsWs(chunks), plain));

  it("leave to ws a frame in two chunks, wherever it is cut, and everything after it", async () => {
    for (const whole of [text(TURN), text("z".repeat(150)), Buffer.concat([text("a"), text("b")])])
      for (let cut = 1; cut < whole.length; cut += 1)
        await sameAsWs([whole.subarray(0, cut), whole.subarray(cut), text("y")]);
  });

  it("are heard no more once the listener has closed the socket", async () => {
    const [ours, theirs] = duplexPair();
    const server = new WebSocketServer({ noServer: true });
    const heard: string[] = [];
    server.handleUpgrade(UPGRADE as IncomingMessage, ours, Buffer.alloc(0), (socket) => {
      const reading = { most: MOST, inPlace: false };
      readPlainFrames(socket, ours, reading, {
        frame: (one) => {
          heard.push(one);
          socket.close(1008);
        },
      });
    });
    theirs.resume();
    theirs.write(Buffer.concat([text("a"), text("b")]));
    await turn();
    theirs.write(text("c"));
    await turn();
    assert.deepEqual(heard, ["a"]);
    assert.equal(ours.listenerCount("data"), 1);
    theirs.write(closeFrame(1008));
    await turn();
    assert.equal(ours.listenerCount("data"), 0, "nothing reads behind the end");
    ours.destroy();
  });
});

const opcodes = fc.constantFrom(...Object.values(OPCODES), 3, 15);
const bodies = fc.oneof(
  fc.string({ maxLength: 130 }).map((body) => Buffer.from(body)),
  fc.string({ unit: ANY_CHARACTER, maxLength: 20 }).map((body) => Buffer.from(body)),
  fc.uint8Array({ maxLength: 130 }).map((body) => Buffer.from(body)),
);
const rarely = fc.integer({ min: 0, max: 15 }).map((roll) => roll === 0);
const plainFrames = fc.string({ maxLength: 60 }).map((body) => text(body));
const oddFrames = fc
  .tuple(opcodes, bodies, rarely, rarely, rarely)
  .map(([opcode, body, isPart, isBare, isReserved]) =>
    frame(opcode, body, { fin: !isPart, masked: !isBare, reserved: isReserved ? 2 : 0 }),
  );
const anyBytes = fc.array(fc.oneof({ weight: 3, arbitrary: plainFrames }, oddFrames), {
  minLength: 1,
  maxLength: 8,
});

it("whatever arrives, in whatever pieces, is heard as ws hears it", async () => {
  const cuts = fc.array(fc.nat(), { maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(anyBytes, cuts, fc.boolean(), async (frames, places, isJoined) => {
      const bytes = Buffer.concat(frames);
      const ends = [...places.map((place) => place % bytes.length), bytes.length];
      const cutUp = ends
        .toSorted((one, other) => one - other)
        .map((end, at, all) => bytes.subarray(all[at - 1] ?? 0, end))
        .filter((chunk) => chunk.length > 0);
      await sameAsWs(isJoined ? cutUp : frames);
    }),
    { numRuns: 400 },
  );
});
