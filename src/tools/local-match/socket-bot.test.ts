import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { after, test } from "node:test";

import { WebSocket } from "ws";

import { localDeadlines, localSetup, playLocalMatch, STOPPED_CLOCK } from "./local-match.ts";
import type { Player } from "./local-match.ts";
import { openModuleBot } from "./module-bot.ts";
import { openSocketBot } from "./socket-bot.ts";

type Message = { type: string; code?: string; tick: number; match_id: string };

/** A bot on a socket, written as an author would write it for a ladder. It never moves. */
class SilentBot {
  readonly waiters: string[] = [];
  readonly socket: WebSocket;

  constructor(url: string, token: string | null = "any") {
    const headers = token === null ? {} : { Authorization: `Bearer ${token}` };
    this.socket = new WebSocket(url, { headers });
    this.socket.on("open", () => this.send({ type: "queue", version: "v1" }));
    this.socket.on("message", (data) => {
      const message = JSON.parse((data as Buffer).toString()) as Message;
      this.waiters.push(message.code ?? message.type);
      this.answer(message);
    });
  }

  answer({ type, tick, match_id }: Message): void {
    if (type === "hello") this.send({ type: "ready", match_id });
    if (type === "observation") this.send({ type: "turn", tick });
    if (type === "end") this.send({ type: "queue", version: "v1" });
  }

  async messages(type: string, count = 1): Promise<void> {
    while (this.waiters.filter((messages) => messages === type).length < count)
      await once(this.socket, "message");
  }

  send(message: object): void {
    this.socket.send(JSON.stringify(message));
  }
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

const WALKER = openModuleBot({ decide: ({ moves }: { moves: string[] }) => ({ move: moves[0] }) });

const playNumberedMatch = async (player: Player, number: number) => {
  const matchOptions = {
    matchId: `m-${number}`,
    map: "cage",
    seed: number,
    names: ["socket", "walker"],
  };
  const started = new Date(0).toISOString();
  await player.whenReady?.();
  const setup = localSetup({ ...matchOptions, started, deadlines: localDeadlines() });
  return playLocalMatch(setup, [player, WALKER], STOPPED_CLOCK);
};

/** Opens a port for one bot. Returns the bot's URL before the player is ready. */
async function openTestPort() {
  const port = await findFreePort();
  const address = Promise.withResolvers<string>();
  const player = openSocketBot(port, (line) => address.resolve(/ws:\S+/.exec(line)![0]));
  after(async () => (await player).close());
  return { url: await address.promise, port, player };
}

test("a bot plays match after match on a local port, as it would on a ladder", async () => {
  const { url, port, player } = await openTestPort();
  const index = (await (await fetch(`http://127.0.0.1:${port}/api`)).json()) as object;
  assert.deepEqual(index, { bot_endpoint: url });
  const bot = new SilentBot(url);
  for (const number of [1, 2]) {
    const { verdict } = await playNumberedMatch(await player, number);
    assert.notEqual(verdict.kind, "void");
    await bot.messages("end", number);
  }
  const [first, second] = bot.waiters.join(" ").split(" end");
  for (const messages of [first, second])
    assert.match(messages!, /^ ?queued hello observation( observation)*$/);
});

test("a bot that disconnects can resume its match", async () => {
  const { url, player } = await openTestPort();
  const first = new SilentBot(url);
  let second: SilentBot | null = null;
  first.answer = ({ type, match_id }) => {
    if (type === "hello") first.send({ type: "ready", match_id });
    if (type !== "observation") return;
    first.socket.terminate();
    second ??= new SilentBot(url);
  };
  const { match } = await playNumberedMatch(await player, 3);
  assert.ok(match.tick > 10);
  assert.ok(second!.waiters.includes("hello"));
});

test("a newer connection replaces the older one", async () => {
  const { url, player } = await openTestPort();
  const olderBot = new SilentBot(url);
  await player;
  const closeEvent = once(olderBot.socket, "close");
  const newerBot = new SilentBot(url);
  assert.equal((await closeEvent)[0], 4003);
  await playNumberedMatch(await player, 4);
  await newerBot.messages("end");
});

test("a connection without a token is rejected, as on a ladder", async () => {
  const { url, player } = await openTestPort();
  const unauthenticatedBot = new SilentBot(url, null);
  assert.equal((await once(unauthenticatedBot.socket, "close"))[0], 4001);
  assert.deepEqual(unauthenticatedBot.waiters, ["missing_authorization"]);
  const bot = new SilentBot(url);
  await player;
  bot.socket.close();
});

test("errors outside a match have the same codes as on a ladder", async () => {
  const { url, player } = await openTestPort();
  const bot = new SilentBot(url);
  await player;
  const sentMessages: [object, string][] = [
    [{ type: "turn", tick: 0 }, "not_in_match"],
    [{ type: "queue", version: "a/b" }, "invalid_version"],
    [{ type: "queue", version: 1 }, "schema"],
    [{ type: "dance" }, "schema"],
  ];
  for (const [message, code] of sentMessages) {
    bot.send(message);
    await once(bot.socket, "message");
    assert.equal(bot.waiters.at(-1), code);
  }
});

test("reports a port that is in use", async () => {
  const { port, url, player } = await openTestPort();
  await assert.rejects(
    openSocketBot(port, () => {}),
    new RegExp(`port ${port} is in use`),
  );
  const bot = new SilentBot(url);
  await player;
  bot.socket.close();
});
