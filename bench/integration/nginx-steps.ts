import assert from "node:assert/strict";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import { setTimeout as pause } from "node:timers/promises";
import { connect } from "node:tls";

import sharp from "sharp";

import { FIXED_LIMITS } from "#core/limits/limits.ts";
import type { SocketMessage } from "#testing/fixtures/message-check.ts";
import { sampleEvent } from "#testing/fixtures/sample-event.ts";
import { createAccountClient } from "#testing/harness/account-client.ts";
import { BotClient, registerBot } from "#testing/harness/bot-client.ts";
import { startHumanMatch } from "#testing/harness/human-match-client.ts";
import { fetchVerifiedReplay } from "#testing/harness/test-match.ts";
import { PAGES } from "#web/pages/page-table.ts";

import type { NginxFront } from "./nginx-server.ts";
import { OPERATOR_EMAIL } from "./nginx-server.ts";

type NginxStep = (nginxFront: NginxFront) => Promise<void>;

/** More than the allowed number of concurrent requests from one address. */
const BURST = 260;
const MATCHES_PER_STEP = 3;
const SETTLE_MS = 300;
const MEGABYTE = 1_000_000;

async function checkPages({ baseUrl, plainPort }: NginxFront): Promise<void> {
  for (const { paths } of Object.values(PAGES)) {
    const [path] = paths;
    if (path.includes(":")) continue;
    const response = await fetch(baseUrl + path);
    assert.equal(response.status, 200, path);
    assert.match(await response.text(), /<\/html>\s*$/, path);
  }
  const apiIndex = (await (await fetch(`${baseUrl}/api`)).json()) as { bot_endpoint: string };
  assert.equal(apiIndex.bot_endpoint, `${baseUrl.replace("https", "wss")}/bot`);
  const redirectResponse = await fetch(`http://127.0.0.1:${plainPort}/ladder?page=2`, {
    redirect: "manual",
  });
  assert.deepEqual(
    [redirectResponse.status, redirectResponse.headers.get("location")],
    [301, "https://localhost/ladder?page=2"],
  );
}

type ConnectedBot = { bot: BotClient; matchEnds: SocketMessage[] };

async function connectPlayer(baseUrl: string, name: string): Promise<ConnectedBot> {
  const bot = await BotClient.connect(baseUrl, await registerBot(baseUrl, name));
  const matchEnds: SocketMessage[] = [];
  bot.autoplay();
  bot.socket.on("message", (data) => {
    const message = JSON.parse((data as Buffer).toString()) as SocketMessage;
    if (message.type !== "end") return;
    matchEnds.push(message);
    bot.queue();
  });
  bot.queue();
  return { bot, matchEnds };
}

async function waitUntil(isDone: () => boolean): Promise<void> {
  while (!isDone()) await pause(SETTLE_MS);
}

async function disconnect(players: readonly ConnectedBot[]): Promise<void> {
  for (const { bot } of players) bot.socket.close(1000);
  for (const { bot } of players) await bot.closed;
}

async function checkRatedMatches({ baseUrl }: NginxFront): Promise<void> {
  const players = [
    await connectPlayer(baseUrl, "proxied-1"),
    await connectPlayer(baseUrl, "proxied-2"),
  ];
  await waitUntil(() => players.every(({ matchEnds }) => matchEnds.length >= MATCHES_PER_STEP));
  for (const matchEnd of players.flatMap(({ matchEnds }) => matchEnds.slice(0, MATCHES_PER_STEP))) {
    assert.equal(matchEnd.rated, true);
    await fetchVerifiedReplay(baseUrl, matchEnd);
  }
  await disconnect(players);
}

async function checkHumanMatch({ baseUrl }: NginxFront): Promise<void> {
  const { page, hello } = await startHumanMatch(baseUrl);
  assert.equal(hello.mode, "human");
  page.send({ type: "ready" });
  const { tick } = await page.waitFor("observation");
  page.send({ type: "turn", tick, move: "n" });
  await page.waitFor("observation", (observation) => Number(observation.tick) > Number(tick));
  page.socket.close(1000);
  assert.equal((await page.closed).code, 1000);
}

type RawRequest = {
  port: number;
  path: string;
  method?: string;
  headers?: Record<string, string>;
  body?: Uint8Array;
  /**
   * Loopback address to send from. Must not be 127.0.0.1, which nginx uses to connect to the
   * server.
   */
  sourceAddress?: string;
};

/**
 * Opens a new HTTP/1.1 connection, because Node drops an HTTP/2 session after a large body is
 * rejected. The server may close the connection after its response.
 */
async function send({
  body = new Uint8Array(),
  sourceAddress = "127.0.0.1",
  ...rawRequest
}: RawRequest) {
  const options = {
    host: "localhost",
    family: 4,
    localAddress: sourceAddress,
    agent: false,
    ...rawRequest,
  };
  const length = { "content-length": String(body.length) };
  const outgoingRequest = request({ ...options, headers: { ...rawRequest.headers, ...length } });
  const pendingResponse = once(outgoingRequest, "response") as Promise<[IncomingMessage]>;
  outgoingRequest.on("error", () => {});
  outgoingRequest.end(body);
  const [response] = await pendingResponse;
  response.on("error", () => {});
  const chunks: Buffer[] = [];
  response.on("data", (chunk: Buffer) => chunks.push(chunk));
  await once(response, "close");
  return { status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() };
}

async function createEvent(baseUrl: string): Promise<{ token: string; id: string }> {
  const operator = await createAccountClient(baseUrl);
  const token = await operator.signUp(OPERATOR_EMAIL);
  const { id, name, conditions } = sampleEvent({ ladder_id: "public" });
  const window = { opens_at: "2026-01-05T09:00:00Z", closes_at: "2036-01-05T09:00:00Z" };
  const body = { id, ladder_id: "public", name, conditions, ...window };
  const created = await operator.requestLadder("POST", "/api/admin/events", { token, body });
  assert.equal(created.status, 201, JSON.stringify(created.body));
  return { token, id };
}

async function noiseImage(sideLength: number): Promise<Uint8Array> {
  const noiseOptions = { type: "gaussian" as const, mean: 128, sigma: 60 };
  const create = {
    width: sideLength,
    height: sideLength,
    channels: 3 as const,
    background: "#000",
  };
  return sharp({ create: { ...create, noise: noiseOptions } })
    .png()
    .toBuffer();
}

async function checkImageUpload({ baseUrl, port }: NginxFront): Promise<void> {
  const { token, id } = await createEvent(baseUrl);
  const path = `/api/admin/events/${id}/image`;
  const uploadImage = (body: Uint8Array) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "image/png" };
    return send({ port, path, method: "PUT", headers, body });
  };
  const png = await noiseImage(1200);
  assert.ok(png.length > MEGABYTE && png.length < FIXED_LIMITS.image_bytes, `${png.length} bytes`);
  const uploadResponse = await uploadImage(png);
  assert.equal(uploadResponse.status, 200, uploadResponse.text);
  const { image } = JSON.parse(uploadResponse.text) as { image: { url: string } };
  const imageResponse = await fetch(new URL(image.url, baseUrl));
  assert.deepEqual(
    [imageResponse.status, imageResponse.headers.get("content-type")],
    [200, "image/webp"],
  );
  for (const bytes of [FIXED_LIMITS.image_bytes + 1, 7 * MEGABYTE])
    assert.equal((await uploadImage(new Uint8Array(bytes))).status, 413, `${bytes} bytes`);
}

async function checkLargeBodies({ port }: NginxFront): Promise<void> {
  const headers = { "content-type": "application/json" };
  for (const bytes of [FIXED_LIMITS.json_body_bytes + 1, 70_000, MEGABYTE, 7 * MEGABYTE])
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const body = new Uint8Array(bytes).fill(32);
      const { status } = await send({ port, path: "/api/bots", method: "POST", headers, body });
      assert.equal(status, 413, `${bytes} bytes`);
    }
}

/**
 * Checks that a forged header neither exempts its sender from the rate limit nor counts against the
 * address it names.
 */
async function checkRealAddresses({ port }: NginxFront): Promise<void> {
  const statusFrom = async (sourceAddress: string, forgedHeader?: string) => {
    const headers = forgedHeader === undefined ? {} : { "x-forwarded-for": forgedHeader };
    return (await send({ port, path: "/api", sourceAddress, headers })).status;
  };
  const statuses: number[] = [];
  for (let sentCount = 0; sentCount < BURST; sentCount += 20)
    statuses.push(
      ...(await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          statusFrom("127.0.0.2", `198.51.100.${(sentCount + index) % 250}, 127.0.0.3`),
        ),
      )),
    );
  assert.ok(statuses.includes(429), "the limit applies per address");
  assert.equal(await statusFrom("127.0.0.3"), 200, "the forged address");
  assert.equal(await statusFrom("127.0.0.4"), 200, "another client");
}

async function rawExchange(port: number, text: string): Promise<string> {
  const socket = connect({ port, host: "localhost", servername: "localhost" });
  let received = "";
  socket.setEncoding("latin1").on("data", (chunk: string) => (received += chunk));
  socket.on("error", () => {});
  socket.write(text);
  await once(socket, "close");
  return received;
}

const HIDDEN_REQUEST = "GET /hidden HTTP/1.1\r\nHost: localhost\r\n\r\n";
const REQUEST_HEAD = "POST /api/bots HTTP/1.1\r\nHost: localhost\r\nConnection: close";
const SMUGGLING_REQUESTS: [name: string, text: string][] = [
  [
    "a length and chunks",
    `${REQUEST_HEAD}\r\nContent-Length: ${HIDDEN_REQUEST.length + 5}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${HIDDEN_REQUEST}`,
  ],
  [
    "two lengths",
    `${REQUEST_HEAD}\r\nContent-Length: 0\r\nContent-Length: 44\r\n\r\n${HIDDEN_REQUEST}`,
  ],
  [
    "an odd encoding",
    `${REQUEST_HEAD}\r\nTransfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${HIDDEN_REQUEST}`,
  ],
  [
    "an unknown encoding",
    `${REQUEST_HEAD}\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${HIDDEN_REQUEST}`,
  ],
  ["a space before the colon", `${REQUEST_HEAD}\r\nContent-Length : 44\r\n\r\n${HIDDEN_REQUEST}`],
  ["a folded header", `${REQUEST_HEAD}\r\nX-A: 1\r\n Content-Length: 44\r\n\r\n${HIDDEN_REQUEST}`],
  [
    "bare line feeds",
    `${REQUEST_HEAD.replaceAll("\r\n", "\n")}\nContent-Length: 0\n\n${HIDDEN_REQUEST}`,
  ],
  ["a length with a sign", `${REQUEST_HEAD}\r\nContent-Length: +44\r\n\r\n${HIDDEN_REQUEST}`],
];

/**
 * Checks that each crafted request gets exactly one response, and that the next client never
 * receives the response to a smuggled request.
 */
async function checkSmuggling({ baseUrl, port }: NginxFront): Promise<void> {
  for (const [name, text] of SMUGGLING_REQUESTS) {
    const received = await rawExchange(port, text);
    const statuses = [...received.matchAll(/HTTP\/1\.[01] (\d+)/g)].map(([, status]) => status);
    assert.equal(statuses.length, 1, `${name}: ${statuses.join(" ")}`);
    assert.match(statuses[0]!, /^[45]/, name);
    for (let requestNumber = 0; requestNumber < 4; requestNumber += 1) {
      const response = await fetch(`${baseUrl}/api/status`);
      assert.equal(response.status, 200, `after ${name}`);
      assert.ok("matches" in ((await response.json()) as object), `after ${name}`);
    }
  }
}

/**
 * Checks that running matches keep their sockets during a reload while new workers serve new
 * clients.
 */
async function checkReload({ baseUrl, nginx }: NginxFront): Promise<void> {
  const players = [
    await connectPlayer(baseUrl, "reloaded-1"),
    await connectPlayer(baseUrl, "reloaded-2"),
  ];
  await Promise.all(players.map(({ bot }) => once(bot.socket, "message")));
  await waitUntil(() => players.every(({ matchEnds }) => matchEnds.length >= 1));
  nginx.kill("SIGHUP");
  await pause(SETTLE_MS);
  assert.equal((await fetch(`${baseUrl}/api`)).status, 200);
  const endsBefore = players.map(({ matchEnds }) => matchEnds.length);
  await waitUntil(() =>
    players.every(
      ({ matchEnds }, index) => matchEnds.length >= endsBefore[index]! + MATCHES_PER_STEP,
    ),
  );
  for (const { bot } of players) assert.equal(bot.socket.readyState, bot.socket.OPEN);
  const latePlayer = await connectPlayer(baseUrl, "reloaded-3");
  await waitUntil(() => latePlayer.matchEnds.length >= 1);
  await disconnect([...players, latePlayer]);
}

export const NGINX_STEPS: readonly (readonly [name: string, step: NginxStep])[] = [
  ["public pages, the bot endpoint, and the redirect from http to https", checkPages],
  ["whole rated matches over the bot socket, and their replays", checkRatedMatches],
  ["a match of a person over /play", checkHumanMatch],
  ["an event image, and images that are too large", checkImageUpload],
  ["bodies over the limit are rejected with 413", checkLargeBodies],
  ["limits apply to the real address, whatever header it sends", checkRealAddresses],
  ["ambiguous requests get one response and hide nothing", checkSmuggling],
  ["an nginx reload interrupts no match", checkReload],
];
