import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";

import { openStore } from "#server/composition/open-store.ts";
import type { Heard } from "#testing/fixtures/message-check.ts";
import { BotClient, register } from "#testing/harness/bot-client.ts";
import { getJson, ready, replayOf, statsIn } from "#testing/harness/duel.ts";
import { launchLadder, spawnLadder, temporaryFolder } from "#testing/harness/test-server.ts";
import type { LadderProcess } from "#testing/harness/test-server.ts";

type Hooks = { after(call: () => Promise<void>): void };

type House = {
  data: string;
  /** Starts a server on the data. It is killed at the end of the test if it still runs. */
  start(flags?: readonly string[]): Promise<LadderProcess>;
};

async function houseFor(hooks: Hooks): Promise<House> {
  const folder = await temporaryFolder();
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

async function players(baseUrl: string, count: number): Promise<Player[]> {
  const names = Array.from({ length: count }, (_, number) => `player-${number}`);
  return Promise.all(
    names.map(async (name) => {
      const token = await register(baseUrl, name);
      return { name, token, bot: await BotClient.connect(baseUrl, token) };
    }),
  );
}

/** Answers every observation after a delay in ms. */
function playSlowly({ bot }: Player, delay: number): void {
  bot.socket.on("message", (data) => {
    const message = JSON.parse((data as Buffer).toString()) as { type: string; tick: number };
    if (message.type !== "observation") return;
    setTimeout(() => bot.say({ type: "turn", tick: message.tick }), delay);
  });
}

/** All queue, meet and begin. */
async function beginAll(all: readonly Player[]): Promise<Heard[]> {
  for (const { bot } of all) bot.queue();
  const hellos = await Promise.all(all.map(({ bot }) => bot.next("hello")));
  ready(...all.map(({ bot }) => bot));
  return hellos;
}

const played = (bot: BotClient, tick: number) =>
  bot.next("observation", (seen) => seen.tick === tick);

/** The database content of a stopped server. */
async function storedIn(data: string): Promise<{ ids: string[]; damage: string[] }> {
  const store = await openStore({ data });
  try {
    return { ids: await store.matches.ids(), damage: await store.database.faults() };
  } finally {
    await store.close();
  }
}

suite("a server process", { concurrency: 2 }, () => {
  test("T10 stopped in the middle of a match and continued charges no failed tick", async (context) => {
    const { start } = await houseFor(context);
    const { baseUrl, child } = await start(["--tick-seconds", "1.5"]);
    const all = await players(baseUrl, 2);
    for (const player of all) playSlowly(player, 5);
    const hellos = await beginAll(all);
    for (const tick of [10, 40]) {
      await played(all[0]!.bot, tick);
      child.kill("SIGSTOP");
      await sleep(2500);
      child.kill("SIGCONT");
    }
    const end = await all[0]!.bot.next("end");
    assert.notEqual(end.reason, "disqualification");
    for (const hello of hellos) assert.deepEqual(statsIn(end, hello).server_idles, {});
    await replayOf(baseUrl, end);
  });

  test("T29 killed with matches running leaves nobody stuck, and every end that was told", async (context) => {
    const { start, data } = await houseFor(context);
    const first = await start();
    const all = await players(first.baseUrl, 8);
    // One match is over before the kill; the others are not.
    for (const player of all) playSlowly(player, 40);
    const hellos = await beginAll(all);
    const told = Promise.any(all.map(({ bot }) => bot.next("end")));
    const quick = all.filter((_, seat) => hellos[seat]!.match_id === hellos[0]!.match_id);
    for (const { bot } of quick) bot.autoplay();
    for (const { bot } of quick) bot.say({ type: "turn", tick: 0 });
    const end = await told;
    first.child.kill("SIGKILL");
    assert.equal(await first.exited, null);
    await Promise.all(all.map(({ bot }) => bot.closed));
    const { ids, damage } = await storedIn(data);
    assert.ok(ids.includes(end.match_id as string));
    assert.ok(ids.length < 4, "the kill came in the middle of matches");
    assert.deepEqual(damage, []);

    const second = await start();
    const { online } = await getJson<{ online: object[] }>(second.baseUrl, "/api/status");
    assert.deepEqual(online, []);
    await replayOf(second.baseUrl, end);
    const again = await Promise.all(
      all.map(async (player) => {
        return { ...player, bot: await BotClient.connect(second.baseUrl, player.token) };
      }),
    );
    for (const { bot } of again) bot.autoplay();
    await beginAll(again);
    await Promise.all(again.map(({ bot }) => bot.next("end")));
    const matches = await getJson<{ id: string }[]>(second.baseUrl, "/api/matches");
    assert.equal(matches.length, ids.length + 4);
  });

  test("T31 asked to stop plays its matches to the end, stores and tells them, and exits with 0", async (context) => {
    const { start, data } = await houseFor(context);
    const { baseUrl, child, exited } = await start();
    const all = await players(baseUrl, 6);
    for (const player of all) playSlowly(player, 8);
    await beginAll(all);
    const token = await register(baseUrl, "idle");
    const idle = await BotClient.connect(baseUrl, token);
    idle.queue();
    await idle.next("queued");
    await played(all[0]!.bot, 5);
    child.kill("SIGTERM");
    const { drain_deadline } = await idle.next("server_draining");
    for (const { bot } of all)
      assert.equal((await bot.next("server_draining")).drain_deadline, drain_deadline);
    idle.queue();
    assert.equal((await idle.next("server_draining")).drain_deadline, drain_deadline);
    const newcomer = await BotClient.connect(baseUrl, token);
    assert.equal((await newcomer.next("server_draining")).drain_deadline, drain_deadline);
    assert.equal((await idle.closed).code, 4003);
    const status = await getJson<{ draining: boolean; matches: object[] }>(baseUrl, "/api/status");
    assert.deepEqual([status.draining, status.matches.length], [true, 3]);
    const ends = await Promise.all(all.map(({ bot }) => bot.next("end")));
    assert.ok(ends.every(({ reason }) => reason !== "forfeit" && reason !== "disqualification"));
    for (const bot of [...all.map((player) => player.bot), newcomer]) {
      assert.deepEqual(await bot.closed, { code: 1012, reason: "server restarting" });
      assert.ok(bot.heard.every(({ type }) => type !== "hello"));
    }
    assert.equal(await exited, 0);
    const { ids } = await storedIn(data);
    assert.deepEqual(ids.toSorted(), [...new Set(ends.map(({ match_id }) => match_id))].toSorted());
  });

  for (const how of ["time is over", "second signal comes"] as const)
    test(`T32 asked to stop ends soon when the drain's ${how}, without a half result`, async (context) => {
      const { start, data } = await houseFor(context);
      const flags = ["--tick-seconds", "600"];
      const over = [...flags, "--drain-timeout", "0.5"];
      const { child, exited, baseUrl } = await start(how === "time is over" ? over : flags);
      const all = await players(baseUrl, 2);
      await beginAll(all);
      await played(all[0]!.bot, 0);
      child.kill("SIGTERM");
      await all[0]!.bot.next("server_draining");
      if (how !== "time is over") child.kill("SIGTERM");
      assert.equal(await exited, 1);
      const closed = await Promise.all(all.map(({ bot }) => bot.closed));
      const code = how === "time is over" ? 1012 : 1006;
      assert.deepEqual(
        closed.map((close) => close.code),
        [code, code],
      );
      assert.ok(all.every(({ bot }) => bot.heard.every(({ type }) => type !== "end")));
      assert.deepEqual(await storedIn(data), { ids: [], damage: [] });
    });

  test("T32 a bot that never answers the close does not hold the server up", async (context) => {
    const { start } = await houseFor(context);
    const { child, exited, baseUrl } = await start();
    const { bot } = (await players(baseUrl, 1))[0]!;
    bot.queue();
    await bot.next("queued");
    bot.socket.pause();
    child.kill("SIGTERM");
    assert.equal(await Promise.race([exited, sleep(20_000, "it waits for the bot")]), 0);
    bot.socket.terminate();
  });

  test("T33 stopped at any moment of its start leaves data on which the next one starts", async (context) => {
    const { start, data } = await houseFor(context);
    for (const delay of [0, 150, 300, 450, 600, 900]) {
      const { child, exited } = launchLadder(data);
      await sleep(delay);
      child.kill("SIGTERM");
      const exit = await exited;
      assert.ok(exit === 0 || exit === null, `after ${delay} ms: ${exit}`);
    }
    const { child, exited, baseUrl } = await start();
    await register(baseUrl, "alpha");
    child.kill("SIGTERM");
    assert.equal(await exited, 0);
    assert.deepEqual((await storedIn(data)).damage, []);
  });
});
