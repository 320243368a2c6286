import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { duplexPair } from "node:stream";
import { describe, it } from "node:test";
import type { TestContext } from "node:test";

import { readInPlace } from "./zero-copy-read.ts";

async function sockets(t: TestContext): Promise<{ serverEnd: Socket; clientEnd: Socket }> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const clientEnd = connect({ port: (server.address() as AddressInfo).port, host: "127.0.0.1" });
  const [serverEnd] = (await once(server, "connection")) as [Socket];
  t.after(() => {
    serverEnd.destroy();
    clientEnd.destroy();
    server.close();
  });
  return { serverEnd, clientEnd };
}

/** Reads in place and consumes everything before the first `|` of each chunk. */
function readUntilBar(serverEnd: Socket, consumedTexts: string[]): boolean {
  const consume = (bytes: Buffer, length: number) => {
    const text = bytes.toString("latin1", 0, length);
    consumedTexts.push(text);
    return text.includes("|") ? text.indexOf("|") : length;
  };
  return readInPlace(serverEnd, { consume });
}

describe("reading in place", () => {
  it("works with the required Node version", async (t) => {
    const { serverEnd } = await sockets(t);
    assert.equal(readUntilBar(serverEnd, []), true);
  });

  it("passes chunks on in order and leaves unconsumed data to the stream", async (t) => {
    const { serverEnd, clientEnd } = await sockets(t);
    const consumedTexts: string[] = [];
    const streamedTexts: string[] = [];
    readUntilBar(serverEnd, consumedTexts);
    serverEnd.on("data", (chunk: Buffer) => streamedTexts.push(chunk.toString()));
    for (const text of ["all of it", "some|of it", "|", "x".repeat(70_000), "|last"]) {
      const bytesBefore = serverEnd.bytesRead;
      clientEnd.write(text);
      while (serverEnd.bytesRead < bytesBefore + text.length) await new Promise(setImmediate);
    }
    assert.equal(consumedTexts.join(""), `all of itsome|of it|${"x".repeat(70_000)}|last`);
    assert.deepEqual(streamedTexts, ["|of it", "|", "|last"]);
    clientEnd.end();
    await once(serverEnd, "end");
  });

  it("keeps no data in the shared buffer", async (t) => {
    const [first, second] = [await sockets(t), await sockets(t)];
    const chunks: Buffer[] = [];
    for (const { serverEnd } of [first, second]) {
      readUntilBar(serverEnd, []);
      serverEnd.on("data", (chunk: Buffer) => chunks.push(chunk));
    }
    first.clientEnd.write("|first");
    await once(first.serverEnd, "data");
    second.clientEnd.write("|other");
    await once(second.serverEnd, "data");
    assert.deepEqual(chunks.map(String), ["|first", "|other"]);
  });

  it("waits until the stream has delivered its pending data", async (t) => {
    const { serverEnd, clientEnd } = await sockets(t);
    clientEnd.write("early ");
    await once(serverEnd, "readable");
    const consumedTexts: string[] = [];
    readUntilBar(serverEnd, consumedTexts);
    clientEnd.write("late");
    const streamedTexts: string[] = [];
    serverEnd.on("data", (chunk: Buffer) => streamedTexts.push(chunk.toString()));
    while (serverEnd.bytesRead < "early late".length) await new Promise(setImmediate);
    assert.equal(streamedTexts.join("") + consumedTexts.join(""), "early late");
  });

  it("stops while the socket is paused", async (t) => {
    const { serverEnd, clientEnd } = await sockets(t);
    const consumedTexts: string[] = [];
    readUntilBar(serverEnd, consumedTexts);
    serverEnd.on("data", () => {});
    clientEnd.write("a");
    while (serverEnd.bytesRead < 1) await new Promise(setImmediate);
    serverEnd.pause();
    clientEnd.write("b");
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.deepEqual(consumedTexts, ["a"]);
    serverEnd.resume();
    while (serverEnd.bytesRead < 2) await new Promise(setImmediate);
    assert.deepEqual(consumedTexts, ["a", "b"]);
  });

  it("leaves other streams unchanged", () => {
    const [serverEnd] = duplexPair();
    assert.equal(readInPlace(serverEnd, { consume: () => 0 }), false);
  });

  it("leaves the socket unchanged if Node lacks the internal fields", async (t) => {
    const { serverEnd } = await sockets(t);
    const plainSocket = Object.create(serverEnd, {}) as Socket;
    assert.equal(readInPlace(plainSocket, { consume: () => 0 }), false);
  });
});
