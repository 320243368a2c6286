// Too many clients, and clients that send or receive slowly or not at all.
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

import { limitsWith } from "#core/words/limits.ts";
import type { Limits } from "#core/words/limits.ts";
import type { Connection, Listener } from "#live/arena/connection.ts";
import { openSockets } from "#live/sockets/socket.ts";
import { boundConnections, guardUpgrades } from "#server/composition/connections.ts";
import { fakeClock } from "#testing/fixtures/fake-clock.ts";
import { testApi } from "#testing/fixtures/test-api.ts";
import { openAdmission } from "#web/http/admission.ts";
import { writeRefusal } from "#web/http/client-error.ts";

const LOCAL = "127.0.0.1";
const silent = { debug() {}, info() {}, warn() {}, error() {}, fatal() {} };
const listener: Listener = { frame() {}, pong() {}, closed() {} };

async function listen(server: Server, test: TestContext): Promise<number> {
  server.listen(0, LOCAL);
  await once(server, "listening");
  test.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** Opens a connection, sends a text, and returns what arrived before the connection ended. */
function dial(port: number, text = ""): { socket: Socket; end: Promise<string> } {
  const socket = connect(port, LOCAL, () => socket.write(text));
  const { promise, resolve } = Promise.withResolvers<string>();
  let received = "";
  socket.setEncoding("utf8").on("data", (data: string) => (received += data));
  socket.on("error", () => {}).on("close", () => resolve(received));
  return { socket, end: promise };
}

/** Waits for other threads and sockets; a test that waits in vain times out. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await pause(5);
}

const UPGRADE = "GET /bot HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n";

type Arrive = (connection: Connection) => Promise<Listener | null>;

async function sockets(test: TestContext, changes: Partial<Limits>, arrive: Arrive) {
  const server = createServer();
  const limits = limitsWith(changes);
  const opened = openSockets({
    arena: { arrive },
    play: null,
    limits,
    log: silent,
    origins: [],
    refuse: writeRefusal,
  });
  server.on("upgrade", (request, socket, head) => opened.upgrade(request, socket, head));
  const port = await listen(server, test);
  test.after(() => opened.close());
  return () => new WebSocket(`ws://${LOCAL}:${port}/bot`);
}

const closeCode = async (socket: WebSocket) => ((await once(socket, "close")) as [number])[0];

describe("T03 too many connections", () => {
  it("of bots: one beyond the limit is closed and told to come later", async (test) => {
    const open = await sockets(test, { sockets_total: 3 }, async () => listener);
    const inside = [open(), open(), open()];
    await Promise.all(inside.map((socket) => once(socket, "open")));
    assert.equal(await closeCode(open()), 1013);
    inside[0]!.close();
    await once(inside[0]!, "close");
    const next = open();
    await once(next, "open");
    assert.equal(next.readyState, WebSocket.OPEN);
  });

  it("with unknown tokens: only a fixed number are looked up at once", async (test) => {
    const { promise, resolve } = Promise.withResolvers<null>();
    const changes = { sockets_waiting_for_token: 2 };
    let asked = 0;
    const open = await sockets(test, changes, async () => {
      asked += 1;
      return promise;
    });
    const waiting = [open(), open()];
    await Promise.all(waiting.map((socket) => once(socket, "open")));
    assert.equal(await closeCode(open()), 1013);
    assert.equal(asked, 2);
    resolve(null);
  });

  it("of all kinds: those beyond the limit are dropped, the others go on", async (test) => {
    const server = createServer((_request, response) => response.end("here"));
    const bounds = { connections_total: 2, unread_answer_s: 60 };
    test.after(boundConnections(server, fakeClock(), bounds));
    let accepted = 0;
    server.on("connection", () => (accepted += 1));
    const port = await listen(server, test);
    const first = dial(port);
    dial(port);
    await until(() => accepted === 2);
    assert.equal(await dial(port, "GET / HTTP/1.1\r\nHost: x\r\n\r\n").end, "");
    first.socket.write("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    assert.match(await first.end, /here$/);
  });

  it("of one address: sockets beyond the rate are refused before they open", async (test) => {
    const clock = fakeClock();
    const limits = limitsWith({ upgrades_per_second: 3 });
    const callerOf = ({ headers }: IncomingMessage) => String(headers["x-caller"]);
    const admission = openAdmission({ limits, now: () => clock.now(), callerOf });
    const server = createServer();
    const upgrade = (_request: unknown, socket: Duplex) => socket.end("in");
    server.on("upgrade", guardUpgrades(admission, { upgrade }));
    const port = await listen(server, test);
    const ask = (caller: string) => dial(port, `${UPGRADE}X-Caller: ${caller}\r\n\r\n`).end;
    for (let time = 0; time < 3; time += 1) assert.equal(await ask("one"), "in");
    const refused = await ask("one");
    assert.match(refused, /^HTTP\/1\.1 429 Too Many Requests\r\n(?:.*\r\n)*Retry-After: 1\r\n/);
    const { code, limit } = JSON.parse(refused.split("\r\n\r\n")[1]!) as Record<string, string>;
    assert.deepEqual([code, limit], ["rate_limited", "upgrades_per_second"]);
    assert.equal(await ask("other"), "in");
    clock.pass(1000);
    assert.equal(await ask("one"), "in");
  });
});

const SHORT = { headers_s: 0.2, request_s: 0.4 };

async function shortPort(test: TestContext): Promise<number> {
  const { app } = testApi({}, { limits: limitsWith(SHORT) });
  await app.listen({ host: LOCAL, port: 0 });
  test.after(() => app.close());
  return (app.server.address() as AddressInfo).port;
}

const BODY = "POST /api/bots HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n";

describe("T05 clients that are too slow", () => {
  const rows: [name: string, text: string, answer: RegExp][] = [
    ["T03 one that says nothing", "", /^$|^HTTP\/1\.1 408 /],
    ["one whose headers do not end", "GET /api HTTP/1.1\r\nHost: x\r\nX-A:", /^HTTP\/1\.1 408 /],
    ["one whose body does not end", `${BODY}Content-Length: 20\r\n\r\n{"na`, /^HTTP\/1\.1 408 /],
  ];
  for (const [name, text, answer] of rows)
    it(`${name} is let go`, async (test) => {
      assert.match(await dial(await shortPort(test), text).end, answer);
    });

  it("one that sends a byte now and then gets no more time for it", async (test) => {
    const { socket, end } = dial(await shortPort(test), "GET /api HTTP/1.1\r\nHost: x\r\n");
    const drip = setInterval(() => socket.write("X-A: 1\r\n"), 20);
    test.after(() => clearInterval(drip));
    assert.match(await end, /^HTTP\/1\.1 408 /);
  });

  const ANSWER = Buffer.alloc(32 * 1024 * 1024, "x");

  async function bigAnswers(test: TestContext) {
    const clock = fakeClock();
    const answer: RequestListener = (_request, response) => response.end(ANSWER);
    const server = createServer(answer);
    test.after(boundConnections(server, clock, { connections_total: 10, unread_answer_s: 60 }));
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

  it("one that does not read its answer is let go after a while", async (test) => {
    const { clock, client, waits, isGone } = await bigAnswers(test);
    client.socket.pause();
    await until(waits);
    clock.pass(60_000);
    assert.equal(isGone(), false, "it still has time");
    clock.pass(30_000);
    assert.equal(isGone(), true);
  });

  it("one that reads gets the whole answer, and its connection stays", async (test) => {
    const { clock, client, waits, isGone } = await bigAnswers(test);
    await until(() => client.socket.bytesRead > ANSWER.length && !waits());
    clock.pass(600_000);
    assert.equal(isGone(), false);
  });
});
