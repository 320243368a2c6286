import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { duplexPair } from "node:stream";
import { describe, it } from "node:test";
import type { TestContext } from "node:test";

import { readInPlace } from "./zero-copy-read.ts";

/** A socket accepted by a server, and its other end. */
async function sockets(t: TestContext): Promise<{ ours: Socket; theirs: Socket }> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const theirs = connect({ port: (server.address() as AddressInfo).port, host: "127.0.0.1" });
  const [ours] = (await once(server, "connection")) as [Socket];
  t.after(() => {
    ours.destroy();
    theirs.destroy();
    server.close();
  });
  return { ours, theirs };
}

/** Reads in place, taking what comes before the first `|` of a piece. */
function readBars(ours: Socket, shown: string[]): boolean {
  const take = (bytes: Buffer, length: number) => {
    const text = bytes.toString("latin1", 0, length);
    shown.push(text);
    return text.includes("|") ? text.indexOf("|") : length;
  };
  return readInPlace(ours, { take });
}

describe("reading in place", () => {
  it("is possible with the Node that this project requires", async (t) => {
    const { ours } = await sockets(t);
    assert.equal(readBars(ours, []), true);
  });

  it("shows what arrives, and leaves the rest to the stream, in order", async (t) => {
    const { ours, theirs } = await sockets(t);
    const shown: string[] = [];
    const streamed: string[] = [];
    readBars(ours, shown);
    ours.on("data", (chunk: Buffer) => streamed.push(chunk.toString()));
    for (const text of ["all of it", "some|of it", "|", "x".repeat(70_000), "|last"]) {
      const before = ours.bytesRead;
      theirs.write(text);
      while (ours.bytesRead < before + text.length) await new Promise(setImmediate);
    }
    assert.equal(shown.join(""), `all of itsome|of it|${"x".repeat(70_000)}|last`);
    assert.deepEqual(streamed, ["|of it", "|", "|last"]);
    theirs.end();
    await once(ours, "end");
  });

  it("keeps no piece in the one buffer", async (t) => {
    const [one, other] = [await sockets(t), await sockets(t)];
    const kept: Buffer[] = [];
    for (const { ours } of [one, other]) {
      readBars(ours, []);
      ours.on("data", (chunk: Buffer) => kept.push(chunk));
    }
    one.theirs.write("|first");
    await once(one.ours, "data");
    other.theirs.write("|other");
    await once(other.ours, "data");
    assert.deepEqual(kept.map(String), ["|first", "|other"]);
  });

  it("waits behind what the stream had before", async (t) => {
    const { ours, theirs } = await sockets(t);
    theirs.write("early ");
    await once(ours, "readable");
    const shown: string[] = [];
    readBars(ours, shown);
    theirs.write("late");
    const streamed: string[] = [];
    ours.on("data", (chunk: Buffer) => streamed.push(chunk.toString()));
    while (ours.bytesRead < "early late".length) await new Promise(setImmediate);
    assert.equal(streamed.join("") + shown.join(""), "early late");
  });

  it("stops while the socket is paused", async (t) => {
    const { ours, theirs } = await sockets(t);
    const shown: string[] = [];
    readBars(ours, shown);
    ours.on("data", () => {});
    theirs.write("a");
    while (ours.bytesRead < 1) await new Promise(setImmediate);
    ours.pause();
    theirs.write("b");
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.deepEqual(shown, ["a"]);
    ours.resume();
    while (ours.bytesRead < 2) await new Promise(setImmediate);
    assert.deepEqual(shown, ["a", "b"]);
  });

  it("leaves other streams alone", () => {
    const [ours] = duplexPair();
    assert.equal(readInPlace(ours, { take: () => 0 }), false);
  });

  it("leaves a socket alone in which Node has no such fields", async (t) => {
    const { ours } = await sockets(t);
    const plain = Object.create(ours, {}) as Socket;
    assert.equal(readInPlace(plain, { take: () => 0 }), false);
  });
});
