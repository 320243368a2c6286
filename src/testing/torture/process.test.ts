import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";

import { openStore } from "#server/composition/open-store.ts";
import type { SocketMessage } from "#testing/fixtures/message-check.ts";
import { BotClient, registerBot } from "#testing/harness/bot-client.ts";
import {
  getJson,
  sendReady,
  fetchVerifiedReplay,
  fighterStatsOf,
} from "#testing/harness/test-match.ts";
import { launchLadder, spawnLadder, createTemporaryFolder } from "#testing/harness/test-server.ts";
import type { LadderProcess } from "#testing/harness/test-server.ts";

type Hooks = { after(call: () => Promise<void>): void };

type ServerSetup = {
  data: string;
  start(flags?: readonly string[]): Promise<LadderProcess>;
};

async function openServerSetup(hooks: Hooks): Promise<ServerSetup> {
  const folder = await createTemporaryFolder();
  const started: LadderProcess[] = [];
  hooks.after(async () => {
    for (const { child, exited } of started) {
      child.kill("SIGKILL");
      await exited;
    }
    await folder.remove();
  });
  const start = async (flags: readonly string[] = []) => {
    const ladder = await spawnLadder(folder.path, flags);
    started.push(ladder);
    return ladder;
  };
  return { data: folder.path, start };
}

type Player = { name: string; token: string; bot: BotClient };

async function connectPlayers(baseUrl: string, count: number): Promise<Player[]> {
  const names = Array.from({ length: count }, (_, number) => `player-${number}`);
  return Promise.all(
    names.map(async (name) => {
      const token = await registerBot(baseUrl, name);
      return { name, token, bot: await BotClient.connect(baseUrl, token) };
    }),
  );
}

function playSlowly({ bot }: Player, delay: number): void {
  bot.socket.on("message", (data) => {
    const message = JSON.parse((data as Buffer).toString()) as { type: string; tick: number };
    if (message.type !== "observation") return;
    setTimeout(() => bot.send({ type: "turn", tick: message.tick }), delay);
  });
}

async function startMatches(all: readonly Player[]): Promise<SocketMessage[]> {
  for (const { bot } of all) bot.queue();
  const hellos = await Promise.all(all.map(({ bot }) => bot.waitFor("hello")));
  sendReady(...all.map(({ bot }) => bot));
  return hellos;
}

const playTurn = (bot: BotClient, tick: number) =>
  bot.waitFor("observation", (observation) => observation.tick === tick);

async function readStored(data: string): Promise<{ ids: string[]; damage: string[] }> {
  const store = await openStore({ data });
  try {
    return { ids: await store.matches.ids(), damage: await store.database.faults() };
  } finally {
    await store.close();
  }
}

suite("a server process", { concurrency: 2 }, () => {
  test("T10 counts no failed ticks after it is suspended and resumed during a match", async (context) => {
    const { start } = await openServerSetup(context);
    const { baseUrl, child } = await start(["--tick-seconds", "1.5"]);
    const all = await connectPlayers(baseUrl, 2);
    for (const player of all) playSlowly(player, 5);
    const hellos = await startMatches(all);
    for (const tick of [10, 40]) {
      await playTurn(all[0]!.bot, tick);
      child.kill("SIGSTOP");
      await sleep(2500);
      child.kill("SIGCONT");
    }
    const end = await all[0]!.bot.waitFor("end");
    assert.notEqual(end.reason, "disqualification");
    for (const hello of hellos) assert.deepEqual(fighterStatsOf(end, hello).server_idles, {});
    await fetchVerifiedReplay(baseUrl, end);
  });

  test("T29 blocks no bot and loses no `end` it has sent when it is killed during matches", async (context) => {
    const { start, data } = await openServerSetup(context);
    const first = await start();
    const all = await connectPlayers(first.baseUrl, 8);
    // One match ends before the kill, while the others are still running.
    for (const player of all) playSlowly(player, 40);
    const hellos = await startMatches(all);
    const endMessage = Promise.any(all.map(({ bot }) => bot.waitFor("end")));
    const quickServer = all.filter((_, seat) => hellos[seat]!.match_id === hellos[0]!.match_id);
    for (const { bot } of quickServer) bot.autoplay();
    for (const { bot } of quickServer) bot.send({ type: "turn", tick: 0 });
    const end = await endMessage;
    first.child.kill("SIGKILL");
    assert.equal(await first.exited, null);
    await Promise.all(all.map(({ bot }) => bot.closed));
    const { ids, damage } = await readStored(data);
    assert.ok(ids.includes(end.match_id as string));
    assert.ok(ids.length < 4, "the kill came during matches");
    assert.deepEqual(damage, []);

    const second = await start();
    const { online } = await getJson<{ online: object[] }>(second.baseUrl, "/api/status");
    assert.deepEqual(online, []);
    await fetchVerifiedReplay(second.baseUrl, end);
    const reconnected = await Promise.all(
      all.map(async (player) => {
        return { ...player, bot: await BotClient.connect(second.baseUrl, player.token) };
      }),
    );
    for (const { bot } of reconnected) bot.autoplay();
    await startMatches(reconnected);
    await Promise.all(reconnected.map(({ bot }) => bot.waitFor("end")));
    const matches = await getJson<{ id: string }[]>(second.baseUrl, "/api/matches");
    assert.equal(matches.length, ids.length + 4);
  });

  test("T31 on SIGTERM, finishes its matches, stores and sends the results, and exits with 0", async (context) => {
    const { start, data } = await openServerSetup(context);
    const { baseUrl, child, exited } = await start();
    const all = await connectPlayers(baseUrl, 6);
    for (const player of all) playSlowly(player, 8);
    await startMatches(all);
    const token = await registerBot(baseUrl, "idle");
    const idle = await BotClient.connect(baseUrl, token);
    idle.queue();
    await idle.waitFor("queued");
    await playTurn(all[0]!.bot, 5);
    child.kill("SIGTERM");
    const { drain_deadline } = await idle.waitFor("server_draining");
    for (const { bot } of all)
      assert.equal((await bot.waitFor("server_draining")).drain_deadline, drain_deadline);
    idle.queue();
    assert.equal((await idle.waitFor("server_draining")).drain_deadline, drain_deadline);
    const newcomer = await BotClient.connect(baseUrl, token);
    assert.equal((await newcomer.waitFor("server_draining")).drain_deadline, drain_deadline);
    assert.equal((await idle.closed).code, 4003);
    const status = await getJson<{ draining: boolean; matches: object[] }>(baseUrl, "/api/status");
    assert.deepEqual([status.draining, status.matches.length], [true, 3]);
    const matchEnds = await Promise.all(all.map(({ bot }) => bot.waitFor("end")));
    assert.ok(
      matchEnds.every(({ reason }) => reason !== "forfeit" && reason !== "disqualification"),
    );
    for (const bot of [...all.map((player) => player.bot), newcomer]) {
      assert.deepEqual(await bot.closed, { code: 1012, reason: "server restarting" });
      assert.ok(bot.messages.every(({ type }) => type !== "hello"));
    }
    assert.equal(await exited, 0);
    const { ids } = await readStored(data);
    assert.deepEqual(
      ids.toSorted(),
      [...new Set(matchEnds.map(({ match_id }) => match_id))].toSorted(),
    );
  });

  for (const drainEnd of ["time is over", "second signal arrives"] as const)
    test(`T32 exits soon after the drain's ${drainEnd} and stores no partial result`, async (context) => {
      const { start, data } = await openServerSetup(context);
      const flags = ["--tick-seconds", "600"];
      const startFlags = [...flags, "--drain-timeout", "0.5"];
      const { child, exited, baseUrl } = await start(
        drainEnd === "time is over" ? startFlags : flags,
      );
      const all = await connectPlayers(baseUrl, 2);
      await startMatches(all);
      await playTurn(all[0]!.bot, 0);
      child.kill("SIGTERM");
      await all[0]!.bot.waitFor("server_draining");
      if (drainEnd !== "time is over") child.kill("SIGTERM");
      assert.equal(await exited, 1);
      const closeCodes = await Promise.all(all.map(({ bot }) => bot.closed));
      const code = drainEnd === "time is over" ? 1012 : 1006;
      assert.deepEqual(
        closeCodes.map((close) => close.code),
        [code, code],
      );
      assert.ok(all.every(({ bot }) => bot.messages.every(({ type }) => type !== "end")));
      assert.deepEqual(await readStored(data), { ids: [], damage: [] });
    });

  test("T32 stops without delay if a bot never answers the close", async (context) => {
    const { start } = await openServerSetup(context);
    const { child, exited, baseUrl } = await start();
    const { bot } = (await connectPlayers(baseUrl, 1))[0]!;
    bot.queue();
    await bot.waitFor("queued");
    bot.socket.pause();
    child.kill("SIGTERM");
    assert.equal(await Promise.race([exited, sleep(20_000, "it waits for the bot")]), 0);
    bot.socket.terminate();
  });

  test("T33 leaves usable data if stopped at any point during startup", async (context) => {
    const { start, data } = await openServerSetup(context);
    for (const delay of [0, 150, 300, 450, 600, 900]) {
      const { child, exited } = launchLadder(data);
      await sleep(delay);
      child.kill("SIGTERM");
      const exit = await exited;
      assert.ok(exit === 0 || exit === null, `after ${delay} ms: ${exit}`);
    }
    const { child, exited, baseUrl } = await start();
    await registerBot(baseUrl, "alpha");
    child.kill("SIGTERM");
    assert.equal(await exited, 0);
    assert.deepEqual((await readStored(data)).damage, []);
  });
});
