import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { after, test } from "node:test";

import { WebSocket } from "ws";

import { openModule } from "./contestant-module.ts";
import { openSocket } from "./contestant-socket.ts";
import { localDeadlines, localSetup, playMatch, STILL_CLOCK } from "./local-match.ts";
import type { Player } from "./local-match.ts";

type Message = { type: string; code?: string; tick: number; match_id: string };

/** A bot on a socket that stands still, as an author would write it for a ladder. */
class StillBot {
  readonly received: string[] = [];
  readonly socket: WebSocket;

  constructor(url: string, token: string | null = "any") {
    const headers = token === null ? {} : { Authorization: `Bearer ${token}` };
    this.socket = new WebSocket(url, { headers });
    this.socket.on("open", () => this.send({ type: "queue", version: "v1" }));
    this.socket.on("message", (data) => {
      const message = JSON.parse((data as Buffer).toString()) as Message;
      this.received.push(message.code ?? message.type);
      this.answer(message);
    });
  }

  answer({ type, tick, match_id }: Message): void {
    if (type === "hello") this.send({ type: "ready", match_id });
    if (type === "observation") this.send({ type: "turn", tick });
    if (type === "end") this.send({ type: "queue", version: "v1" });
  }

  /** Resolves once a message has arrived that many times. */
  async heard(type: string, times = 1): Promise<void> {
    while (this.received.filter((heard) => heard === type).length < times)
      await once(this.socket, "message");
  }

  send(message: object): void {
    this.socket.send(JSON.stringify(message));
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

const WALKER = openModule({ decide: ({ moves }: { moves: string[] }) => ({ move: moves[0] }) });

const fight = async (player: Player, number: number) => {
  const setting = {
    matchId: `m-${number}`,
    map: "cage",
    seed: number,
    names: ["socket", "walker"],
  };
  const started = new Date(0).toISOString();
  await player.whenReady?.();
  const setup = localSetup({ ...setting, started, deadlines: localDeadlines() });
  return playMatch(setup, [player, WALKER], STILL_CLOCK);
};

/** Opens a port for one bot. The bot's address resolves before the player does. */
async function openPort() {
  const port = await freePort();
  const address = Promise.withResolvers<string>();
  const player = openSocket(port, (line) => address.resolve(/ws:\S+/.exec(line)![0]));
  after(async () => (await player).close());
  return { url: await address.promise, port, player };
}

test("a bot plays match after match on a local port, as on a ladder", async () => {
  const { url, port, player } = await openPort();
  const index = (await (await fetch(`http://127.0.0.1:${port}/api`)).json()) as object;
  assert.deepEqual(index, { bot_endpoint: url });
  const bot = new StillBot(url);
  for (const number of [1, 2]) {
    const { verdict } = await fight(await player, number);
    assert.notEqual(verdict.kind, "void");
    await bot.heard("end", number);
  }
  const [first, second] = bot.received.join(" ").split(" end");
  for (const heard of [first, second])
    assert.match(heard!, /^ ?queued hello observation( observation)*$/);
});

test("a bot that lost its connection takes its match up again", async () => {
  const { url, player } = await openPort();
  const first = new StillBot(url);
  let second: StillBot | null = null;
  first.answer = ({ type, match_id }) => {
    if (type === "hello") first.send({ type: "ready", match_id });
    if (type !== "observation") return;
    first.socket.terminate();
    second ??= new StillBot(url);
  };
  const { match } = await fight(await player, 3);
  assert.ok(match.tick > 10);
  assert.ok(second!.received.includes("hello"));
});

test("a newer connection replaces the older one", async () => {
  const { url, player } = await openPort();
  const older = new StillBot(url);
  await player;
  const closed = once(older.socket, "close");
  const newer = new StillBot(url);
  assert.equal((await closed)[0], 4003);
  await fight(await player, 4);
  await newer.heard("end");
});

test("a connection without a token is refused as on a ladder", async () => {
  const { url, player } = await openPort();
  const stranger = new StillBot(url, null);
  assert.equal((await once(stranger.socket, "close"))[0], 4001);
  assert.deepEqual(stranger.received, ["missing_authorization"]);
  const bot = new StillBot(url);
  await player;
  bot.socket.close();
});

test("mistakes outside a match are refused with the ladder's codes", async () => {
  const { url, player } = await openPort();
  const bot = new StillBot(url);
  await player;
  const sent: [object, string][] = [
    [{ type: "turn", tick: 0 }, "not_in_match"],
    [{ type: "queue", version: "a/b" }, "invalid_version"],
    [{ type: "queue", version: 1 }, "schema"],
    [{ type: "dance" }, "schema"],
  ];
  for (const [message, code] of sent) {
    bot.send(message);
    await once(bot.socket, "message");
    assert.equal(bot.received.at(-1), code);
  }
});

test("a port in use is named", async () => {
  const { port, url, player } = await openPort();
  await assert.rejects(
    openSocket(port, () => {}),
    new RegExp(`port ${port} is in use`),
  );
  const bot = new StillBot(url);
  await player;
  bot.socket.close();
});
