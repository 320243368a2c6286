// What has to pass through a proxy: see nginx.ts.

import assert from "node:assert/strict";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import { setTimeout as pause } from "node:timers/promises";
import { connect } from "node:tls";

import sharp from "sharp";

import { FIXED } from "#core/words/limits.ts";
import type { Heard } from "#testing/fixtures/message-check.ts";
import { sampleEvent } from "#testing/fixtures/sample-event.ts";
import { personAt } from "#testing/harness/account-client.ts";
import { BotClient, register } from "#testing/harness/bot-client.ts";
import { challenge } from "#testing/harness/challenger.ts";
import { replayOf } from "#testing/harness/duel.ts";
import { PAGES } from "#web/pages/table.ts";

import type { Front } from "./nginx-server.ts";
import { OPERATOR } from "./nginx-server.ts";

type Step = (front: Front) => Promise<void>;

/** More than one address asks for at once. */
const BURST = 260;
const GAMES = 3;
const SETTLE_MS = 300;
const MILLION = 1_000_000;

async function pages({ baseUrl, plainPort }: Front): Promise<void> {
  for (const { paths } of Object.values(PAGES)) {
    const [path] = paths;
    if (path.includes(":")) continue;
    const answer = await fetch(baseUrl + path);
    assert.equal(answer.status, 200, path);
    assert.match(await answer.text(), /<\/html>\s*$/, path);
  }
  const told = (await (await fetch(`${baseUrl}/api`)).json()) as { bot_endpoint: string };
  assert.equal(told.bot_endpoint, `${baseUrl.replace("https", "wss")}/bot`);
  const plain = await fetch(`http://127.0.0.1:${plainPort}/ladder?page=2`, { redirect: "manual" });
  assert.deepEqual(
    [plain.status, plain.headers.get("location")],
    [301, "https://localhost/ladder?page=2"],
  );
}

type Player = { bot: BotClient; ends: Heard[] };

/** A bot that queues again after each game. */
async function player(baseUrl: string, name: string): Promise<Player> {
  const bot = await BotClient.connect(baseUrl, await register(baseUrl, name));
  const ends: Heard[] = [];
  bot.autoplay();
  bot.socket.on("message", (data) => {
    const message = JSON.parse((data as Buffer).toString()) as Heard;
    if (message.type !== "end") return;
    ends.push(message);
    bot.queue();
  });
  bot.queue();
  return { bot, ends };
}

async function until(isDone: () => boolean): Promise<void> {
  while (!isDone()) await pause(SETTLE_MS);
}

async function leave(players: readonly Player[]): Promise<void> {
  for (const { bot } of players) bot.socket.close(1000);
  for (const { bot } of players) await bot.closed;
}

async function ratedGames({ baseUrl }: Front): Promise<void> {
  const players = [await player(baseUrl, "proxied-1"), await player(baseUrl, "proxied-2")];
  await until(() => players.every(({ ends }) => ends.length >= GAMES));
  for (const end of players.flatMap(({ ends }) => ends.slice(0, GAMES))) {
    assert.equal(end.rated, true);
    await replayOf(baseUrl, end);
  }
  await leave(players);
}

async function personsFight({ baseUrl }: Front): Promise<void> {
  const { page, hello } = await challenge(baseUrl);
  assert.equal(hello.mode, "human");
  page.say({ type: "ready" });
  const { tick } = await page.next("observation");
  page.say({ type: "turn", tick, move: "n" });
  await page.next("observation", (seen) => Number(seen.tick) > Number(tick));
  page.socket.close(1000);
  assert.equal((await page.closed).code, 1000);
}

type Sent = {
  port: number;
  path: string;
  method?: string;
  headers?: Record<string, string>;
  body?: Uint8Array;
  /** One of the addresses of this machine; 127.0.0.1 is the proxy to the server. */
  from?: string;
};

/**
 * Over a connection of its own with HTTP/1.1: the HTTP/2 of Node gives a session up whose large body is
 * refused. Who has been answered may be hung up on.
 */
async function send({ body = new Uint8Array(), from = "127.0.0.1", ...sent }: Sent) {
  const options = { host: "localhost", family: 4, localAddress: from, agent: false, ...sent };
  const length = { "content-length": String(body.length) };
  const asked = request({ ...options, headers: { ...sent.headers, ...length } });
  const answered = once(asked, "response") as Promise<[IncomingMessage]>;
  asked.on("error", () => {});
  asked.end(body);
  const [answer] = await answered;
  answer.on("error", () => {});
  const parts: Buffer[] = [];
  answer.on("data", (part: Buffer) => parts.push(part));
  await once(answer, "close");
  return { status: answer.statusCode ?? 0, text: Buffer.concat(parts).toString() };
}

/** The token of an operator, and an event of theirs. */
async function eventAt(baseUrl: string): Promise<{ token: string; id: string }> {
  const person = await personAt(baseUrl);
  const token = await person.enter(OPERATOR);
  const { id, name, conditions } = sampleEvent({ ladder_id: "public" });
  const window = { opens_at: "2026-01-05T09:00:00Z", closes_at: "2036-01-05T09:00:00Z" };
  const body = { id, ladder_id: "public", name, conditions, ...window };
  const made = await person.ladder("POST", "/api/admin/events", { token, body });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  return { token, id };
}

async function noise(side: number): Promise<Uint8Array> {
  const given = { type: "gaussian" as const, mean: 128, sigma: 60 };
  const create = { width: side, height: side, channels: 3 as const, background: "#000" };
  return sharp({ create: { ...create, noise: given } })
    .png()
    .toBuffer();
}

async function picture({ baseUrl, port }: Front): Promise<void> {
  const { token, id } = await eventAt(baseUrl);
  const path = `/api/admin/events/${id}/image`;
  const put = (body: Uint8Array) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "image/png" };
    return send({ port, path, method: "PUT", headers, body });
  };
  const png = await noise(1200);
  assert.ok(png.length > MILLION && png.length < FIXED.image_bytes, `${png.length} bytes`);
  const taken = await put(png);
  assert.equal(taken.status, 200, taken.text);
  const { image } = JSON.parse(taken.text) as { image: { url: string } };
  const shown = await fetch(new URL(image.url, baseUrl));
  assert.deepEqual([shown.status, shown.headers.get("content-type")], [200, "image/webp"]);
  for (const bytes of [FIXED.image_bytes + 1, 7 * MILLION])
    assert.equal((await put(new Uint8Array(bytes))).status, 413, `${bytes} bytes`);
}

async function largeBodies({ port }: Front): Promise<void> {
  const headers = { "content-type": "application/json" };
  for (const bytes of [FIXED.json_body_bytes + 1, 70_000, MILLION, 7 * MILLION])
    for (let again = 0; again < 3; again += 1) {
      const body = new Uint8Array(bytes).fill(32);
      const { status } = await send({ port, path: "/api/bots", method: "POST", headers, body });
      assert.equal(status, 413, `${bytes} bytes`);
    }
}

/** A forged header neither frees the one who sends it nor harms the one whom it names. */
async function realAddresses({ port }: Front): Promise<void> {
  const statusFrom = async (from: string, forged?: string) => {
    const headers = forged === undefined ? {} : { "x-forwarded-for": forged };
    return (await send({ port, path: "/api", from, headers })).status;
  };
  const statuses: number[] = [];
  for (let asked = 0; asked < BURST; asked += 20)
    statuses.push(
      ...(await Promise.all(
        Array.from({ length: 20 }, (_, at) =>
          statusFrom("127.0.0.2", `198.51.100.${(asked + at) % 250}, 127.0.0.3`),
        ),
      )),
    );
  assert.ok(statuses.includes(429), "the limit of an address holds");
  assert.equal(await statusFrom("127.0.0.3"), 200, "whom it named");
  assert.equal(await statusFrom("127.0.0.4"), 200, "somebody else");
}

/** Everything that comes back until the end of the connection. */
async function exchange(port: number, text: string): Promise<string> {
  const socket = connect({ port, host: "localhost", servername: "localhost" });
  let received = "";
  socket.setEncoding("latin1").on("data", (part: string) => (received += part));
  socket.on("error", () => {});
  socket.write(text);
  await once(socket, "close");
  return received;
}

const HIDDEN = "GET /hidden HTTP/1.1\r\nHost: localhost\r\n\r\n";
const HEAD = "POST /api/bots HTTP/1.1\r\nHost: localhost\r\nConnection: close";
const SHAPES: [name: string, text: string][] = [
  [
    "a length and chunks",
    `${HEAD}\r\nContent-Length: ${HIDDEN.length + 5}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${HIDDEN}`,
  ],
  ["two lengths", `${HEAD}\r\nContent-Length: 0\r\nContent-Length: 44\r\n\r\n${HIDDEN}`],
  ["an odd encoding", `${HEAD}\r\nTransfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${HIDDEN}`],
  ["an unknown encoding", `${HEAD}\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${HIDDEN}`],
  ["a space before the colon", `${HEAD}\r\nContent-Length : 44\r\n\r\n${HIDDEN}`],
  ["a folded header", `${HEAD}\r\nX-A: 1\r\n Content-Length: 44\r\n\r\n${HIDDEN}`],
  ["bare line feeds", `${HEAD.replaceAll("\r\n", "\n")}\nContent-Length: 0\n\n${HIDDEN}`],
  ["a length with a sign", `${HEAD}\r\nContent-Length: +44\r\n\r\n${HIDDEN}`],
];

/** Each shape has one answer, and nobody after it is given that of a hidden request. */
async function smuggling({ baseUrl, port }: Front): Promise<void> {
  for (const [name, text] of SHAPES) {
    const received = await exchange(port, text);
    const statuses = [...received.matchAll(/HTTP\/1\.[01] (\d+)/g)].map(([, status]) => status);
    assert.equal(statuses.length, 1, `${name}: ${statuses.join(" ")}`);
    assert.match(statuses[0]!, /^[45]/, name);
    for (let asked = 0; asked < 4; asked += 1) {
      const answer = await fetch(`${baseUrl}/api/status`);
      assert.equal(answer.status, 200, `after ${name}`);
      assert.ok("matches" in ((await answer.json()) as object), `after ${name}`);
    }
  }
}

/** Games that run keep their sockets, and who comes later is served by the new workers. */
async function reload({ baseUrl, nginx }: Front): Promise<void> {
  const players = [await player(baseUrl, "reloaded-1"), await player(baseUrl, "reloaded-2")];
  await Promise.all(players.map(({ bot }) => once(bot.socket, "message")));
  await until(() => players.every(({ ends }) => ends.length >= 1));
  nginx.kill("SIGHUP");
  await pause(SETTLE_MS);
  assert.equal((await fetch(`${baseUrl}/api`)).status, 200);
  const before = players.map(({ ends }) => ends.length);
  await until(() => players.every(({ ends }, at) => ends.length >= before[at]! + GAMES));
  for (const { bot } of players) assert.equal(bot.socket.readyState, bot.socket.OPEN);
  const late = await player(baseUrl, "reloaded-3");
  await until(() => late.ends.length >= 1);
  await leave([...players, late]);
}

export const STEPS: readonly (readonly [name: string, step: Step])[] = [
  ["public pages, the bot endpoint, and the way from http to https", pages],
  ["whole rated games over the bot socket, and their replays", ratedGames],
  ["a fight of a person over /play", personsFight],
  ["a picture of an event, and pictures that are too large", picture],
  ["bodies over the limit are refused with 413", largeBodies],
  ["limits count for the real address, whatever header it sends", realAddresses],
  ["requests of two readings have one answer and hide nothing", smuggling],
  ["a reload of nginx cuts no game", reload],
];
