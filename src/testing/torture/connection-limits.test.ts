import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingMessage, RequestListener, Server } from "node:http";
import { connect } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { describe, it } from "node:test";
import type { TestContext } from "node:test";
import { setTimeout as pause } from "node:timers/promises";

import { WebSocket } from "ws";

import { limitsWith } from "#core/limits/limits.ts";
import type { Limits } from "#core/limits/limits.ts";
import type { Connection, Listener } from "#live/arena/connection.ts";
import { openSockets } from "#live/sockets/sockets.ts";
import { limitConnections, guardUpgrades } from "#server/composition/connection-limits.ts";
import { fakeClock } from "#testing/fixtures/fake-clock.ts";
import { testApi } from "#testing/fixtures/test-api.ts";
import { openAdmission } from "#web/http/admission.ts";
import { writeRefusal } from "#web/http/client-error.ts";

const LOCAL = "127.0.0.1";
const silent = { debug() {}, info() {}, warn() {}, error() {}, fatal() {} };
const listener: Listener = { onFrame() {}, onPong() {}, onClose() {} };

async function listen(server: Server, test: TestContext): Promise<number> {
  server.listen(0, LOCAL);
  await once(server, "listening");
  test.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

function dial(port: number, text = ""): { socket: Socket; end: Promise<string> } {
  const socket = connect(port, LOCAL, () => socket.write(text));
  const { promise, resolve } = Promise.withResolvers<string>();
  let received = "";
  socket.setEncoding("utf8").on("data", (data: string) => (received += data));
  socket.on("error", () => {}).on("close", () => resolve(received));
  return { socket, end: promise };
}

async function waitUntil(isSo: () => boolean): Promise<void> {
  while (!isSo()) await pause(5);
}

const UPGRADE = "GET /bot HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n";

type AttachBot = (connection: Connection) => Promise<Listener | null>;

async function serveSockets(test: TestContext, changes: Partial<Limits>, attach: AttachBot) {
  const server = createServer();
  const limits = limitsWith(changes);
  const opened = openSockets({
    arena: { connectBot: attach, watch: () => null },
    play: null,
    callerOf: () => null,
    limits,
    log: silent,
    origins: [],
    rejectUpgrade: writeRefusal,
  });
  server.on("upgrade", (request, socket, head) => opened.handleUpgrade(request, socket, head));
  const port = await listen(server, test);
  test.after(() => opened.close());
  return () => new WebSocket(`ws://${LOCAL}:${port}/bot`);
}

const closeCode = async (socket: WebSocket) => ((await once(socket, "close")) as [number])[0];

describe("T03 connection limits", () => {
  it("for bots: a connection beyond the limit is closed with a retry code", async (test) => {
    const openSocket = await serveSockets(test, { sockets_total: 3 }, async () => listener);
    const acceptedSockets = [openSocket(), openSocket(), openSocket()];
    await Promise.all(acceptedSockets.map((socket) => once(socket, "open")));
    assert.equal(await closeCode(openSocket()), 1013);
    acceptedSockets[0]!.close();
    await once(acceptedSockets[0]!, "close");
    const nextSocket = openSocket();
    await once(nextSocket, "open");
    assert.equal(nextSocket.readyState, WebSocket.OPEN);
  });

  it("for unknown tokens: only a fixed number of tokens is looked up concurrently", async (test) => {
    const { promise, resolve } = Promise.withResolvers<null>();
    const changes = { sockets_waiting_for_token: 2 };
    let lookups = 0;
    const openSocket = await serveSockets(test, changes, async () => {
      lookups += 1;
      return promise;
    });
    const waitingSockets = [openSocket(), openSocket()];
    await Promise.all(waitingSockets.map((socket) => once(socket, "open")));
    assert.equal(await closeCode(openSocket()), 1013);
    assert.equal(lookups, 2);
    resolve(null);
  });

  it("in total: connections beyond the limit are dropped, and earlier ones stay open", async (test) => {
    const server = createServer((_request, response) => response.end("here"));
    const bounds = { connections_total: 2, unread_answer_s: 60 };
    test.after(limitConnections(server, fakeClock(), bounds));
    let accepted = 0;
    server.on("connection", () => (accepted += 1));
    const port = await listen(server, test);
    const first = dial(port);
    dial(port);
    await waitUntil(() => accepted === 2);
    assert.equal(await dial(port, "GET / HTTP/1.1\r\nHost: x\r\n\r\n").end, "");
    first.socket.write("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    assert.match(await first.end, /here$/);
  });

  it("per address: sockets beyond the rate limit are refused before they open", async (test) => {
    const clock = fakeClock();
    const limits = limitsWith({ upgrades_per_second: 3 });
    const callerOf = ({ headers }: IncomingMessage) => String(headers["x-caller"]);
    const admission = openAdmission({ limits, now: () => clock.now(), callerOf });
    const server = createServer();
    const upgrade = (_request: unknown, socket: Duplex) => socket.end("in");
    server.on("upgrade", guardUpgrades(admission, { handleUpgrade: upgrade }));
    const port = await listen(server, test);
    const upgradeFrom = (caller: string) => dial(port, `${UPGRADE}X-Caller: ${caller}\r\n\r\n`).end;
    for (let time = 0; time < 3; time += 1) assert.equal(await upgradeFrom("one"), "in");
    const refusedResponse = await upgradeFrom("one");
    assert.match(
      refusedResponse,
      /^HTTP\/1\.1 429 Too Many Requests\r\n(?:.*\r\n)*Retry-After: 1\r\n/,
    );
    const { code, limit } = JSON.parse(refusedResponse.split("\r\n\r\n")[1]!) as Record<
      string,
      string
    >;
    assert.deepEqual([code, limit], ["rate_limited", "upgrades_per_second"]);
    assert.equal(await upgradeFrom("other"), "in");
    clock.advance(1000);
    assert.equal(await upgradeFrom("one"), "in");
  });
});

const SHORT_TIMEOUTS = { headers_s: 0.2, request_s: 0.4 };

async function listenWithTimeouts(test: TestContext): Promise<number> {
  const { app } = testApi({}, { limits: limitsWith(SHORT_TIMEOUTS) });
  await app.listen({ host: LOCAL, port: 0 });
  test.after(() => app.close());
  return (app.server.address() as AddressInfo).port;
}

const BODY = "POST /api/bots HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n";

describe("T05 clients that are too slow", () => {
  const rows: [name: string, text: string, answer: RegExp][] = [
    ["T03 a silent client", "", /^$|^HTTP\/1\.1 408 /],
    ["a client with endless headers", "GET /api HTTP/1.1\r\nHost: x\r\nX-A:", /^HTTP\/1\.1 408 /],
    ["a client with an endless body", `${BODY}Content-Length: 20\r\n\r\n{"na`, /^HTTP\/1\.1 408 /],
  ];
  for (const [name, text, reply] of rows)
    it(`${name} is disconnected`, async (test) => {
      assert.match(await dial(await listenWithTimeouts(test), text).end, reply);
    });

  it("a client that sends a byte from time to time gets no extra time", async (test) => {
    const { socket, end } = dial(
      await listenWithTimeouts(test),
      "GET /api HTTP/1.1\r\nHost: x\r\n",
    );
    const sendSlowly = setInterval(() => socket.write("X-A: 1\r\n"), 20);
    test.after(() => clearInterval(sendSlowly));
    assert.match(await end, /^HTTP\/1\.1 408 /);
  });

  const ANSWER = Buffer.alloc(32 * 1024 * 1024, "x");

  async function serveLargeResponses(test: TestContext) {
    const clock = fakeClock();
    const reply: RequestListener = (_request, response) => response.end(ANSWER);
    const server = createServer(reply);
    test.after(limitConnections(server, clock, { connections_total: 10, unread_answer_s: 60 }));
    let served: Socket | null = null;
    server.on("connection", (socket) => (served = socket));
    const port = await listen(server, test);
    const client = dial(port, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    await once(server, "request");
    return {
      clock,
      client,
      waits: () => served!.writableLength > 0,
      isGone: () => served!.destroyed,
    };
  }

  it("a client that doesn't read its response is disconnected after a timeout", async (test) => {
    const { clock, client, waits, isGone } = await serveLargeResponses(test);
    client.socket.pause();
    await waitUntil(waits);
    clock.advance(60_000);
    assert.equal(isGone(), false, "it still has time");
    clock.advance(30_000);
    assert.equal(isGone(), true);
  });

  it("a client that reads slowly gets the whole response and stays connected", async (test) => {
    const { clock, client, waits, isGone } = await serveLargeResponses(test);
    await waitUntil(() => client.socket.bytesRead > ANSWER.length && !waits());
    clock.advance(600_000);
    assert.equal(isGone(), false);
  });
});
