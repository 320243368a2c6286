// Settings that change during play: each takes effect when its row of the table says, not before.
// The last test fails if a row of the table has no test here, or in live/diagnostics/floods.test.ts.

import assert from "node:assert/strict";
import type { IncomingMessage } from "node:http";
import { test } from "node:test";

import { SETTING_NAMES } from "#core/words/limits.ts";
import type { Limits, Overrides, SettingName } from "#core/words/limits.ts";
import { openPlay } from "#live/play/play.ts";
import { findOpponent } from "#live/practice/find-opponent.ts";
import { accountApi, addAgentKey, addPerson, ask } from "#testing/fixtures/account-api.ts";
import { useTool } from "#testing/fixtures/mcp-messages.ts";
import { fakeBot, pairedBots, testArena } from "#testing/fixtures/test-arena.ts";
import type { FakeBot, TestArena } from "#testing/fixtures/test-arena.ts";
import { openTestHouse } from "#testing/fixtures/test-house.ts";
import { personAt } from "#testing/harness/account-client.ts";
import type { AccountClient } from "#testing/harness/account-client.ts";
import { serveLadder, temporaryFolder } from "#testing/harness/test-server.ts";

import { checkEmbeds, checkStars, openStock } from "./kept-replays.ts";

const ROOT = "root@example.org";

const covered = new Set<SettingName>(["floods_to_suspend", "flood_suspension_s"]);

/** A test of some settings. */
function row(names: readonly SettingName[], what: string, run: () => Promise<void>): void {
  for (const name of names) covered.add(name);
  test(`${names.join()} ${what}`, run);
}

const keysOf = (change: Overrides) => Object.keys(change) as SettingName[];

const hellos = (bot: FakeBot): number => bot.told("hello").length;

async function queued(arena: TestArena, name: string, owner = name): Promise<FakeBot> {
  await arena.addBot(name, { owner });
  const bot = await arena.connect(name);
  bot.say({ type: "queue", version: "v1" });
  return bot;
}

type Deadlines = Record<string, number>;
const NEW_MATCHES: [change: Overrides, told: Deadlines][] = [
  [{ startup_s: 3 }, { startup_ms: 3000 }],
  [{ tick_s: 2.5 }, { tick_ms: 2500 }],
  [{ budget_s: 77 }, { budget_ms: 77_000 }],
  [{ reconnect_grace_s: 4 }, { reconnect_ms: 4000 }],
  [{ failed_ticks_to_disqualify: 2 }, { failed_ticks_to_disqualify: 2 }],
  [{ messages_per_tick: 1 }, { messages_per_tick: 1 }],
];
for (const [change, told] of NEW_MATCHES)
  row(keysOf(change), "changes for new matches, not for a running one", async () => {
    const arena = await testArena();
    const [alpha] = await pairedBots(arena);
    arena.settings.change(change);
    const [gamma] = [await queued(arena, "gamma"), await queued(arena, "delta")];
    await arena.until(() => hellos(gamma) === 1);
    alpha.leave();
    const back = await arena.connect("alpha");
    const deadlines = (bot: FakeBot) => bot.told("hello")[0]!.deadlines as Deadlines;
    assert.deepEqual(deadlines(back), deadlines(alpha));
    assert.deepEqual(deadlines(gamma), { ...deadlines(alpha), ...told });
  });

row(["messages_per_tick"], "cuts off a flood by the value its match began with", async () => {
  const arena = await testArena();
  const [alpha] = await pairedBots(arena);
  arena.settings.change({ messages_per_tick: 1 });
  const [gamma] = [await queued(arena, "gamma"), await queued(arena, "delta")];
  await arena.until(() => hellos(gamma) === 1);
  for (const bot of [alpha, gamma]) for (let frame = 0; frame < 5; frame += 1) bot.say("{}");
  assert.equal(alpha.ending(), null);
  assert.equal(gamma.ending(), "4009 rate_limited");
  assert.match(String(gamma.told("error").at(-1)!.message), /a bot may send 1 a tick/);
});

/** Bots that never say ready end a match after a second, and may meet again after another one. */
const QUICK: Partial<Limits> = { startup_s: 1, rematch_hold_s: 1 };
const HOLD_MS = 20_000;

const AT_ONCE: Overrides[] = [
  { match_interval_s: 60 },
  { hourly_quota: 1 },
  { owner_daily_quota: 1 },
  { max_concurrent: 0 },
];
for (const change of AT_ONCE)
  row(keysOf(change), "holds the next match back at once, and releases it at once", async () => {
    const arena = await testArena({ limits: QUICK });
    const bots = await pairedBots(arena);
    arena.settings.change(change);
    await arena.until(() => bots.every((bot) => bot.told("end").length === 1));
    for (const bot of bots) bot.say({ type: "queue", version: "v1" });
    await arena.pass(HOLD_MS);
    assert.deepEqual(bots.map(hellos), [1, 1]);
    arena.settings.change({});
    await arena.until(() => bots.every((bot) => hellos(bot) === 2));
  });

row(
  ["owner_concurrency"],
  "changes at once: running matches go on, the next one waits",
  async () => {
    const arena = await testArena({ limits: { startup_s: 600 } });
    await pairedBots(arena);
    arena.settings.change({ owner_concurrency: 1 });
    const second = [await queued(arena, "alpha-2", "alpha"), await queued(arena, "beta-2", "beta")];
    await arena.pass(HOLD_MS);
    assert.equal(arena.arena.running().length, 1);
    assert.match(String(second[0]!.told("error")[0]!.message), /owner_concurrency \(1\)/);
    arena.settings.change({ owner_concurrency: 2 });
    await arena.until(() => arena.arena.running().length === 2);
  },
);

row(["max_concurrent"], "sets the reported capacity at once", async () => {
  const arena = await testArena();
  await pairedBots(arena);
  arena.settings.change({ max_concurrent: 0 });
  assert.deepEqual(arena.arena.capacity(), { running: 1, max: 0 });
});

row(["versions_per_day"], "changes at once, and a refusal names it", async () => {
  const arena = await testArena();
  const bot = await queued(arena, "alpha");
  await arena.pass(50);
  arena.settings.change({ versions_per_day: 1 });
  bot.say({ type: "queue", version: "v2" });
  await arena.pass(50);
  const { code, message } = bot.told("error")[0]!;
  assert.deepEqual(
    [code, message],
    ["version_limit", "A bot may make 1 new versions in 24 hours."],
  );
  arena.settings.change({});
  bot.say({ type: "queue", version: "v2" });
  await arena.pass(50);
  assert.equal(bot.told("queued").at(-1)!.version, "v2");
});

row(["messages_per_second"], "changes with the next connection", async () => {
  const arena = await testArena();
  await arena.addBot("alpha");
  const flood = (bot: FakeBot) => {
    for (let frame = 0; frame < 10; frame += 1) bot.say("{}");
    return bot.ending();
  };
  const before = await arena.connect("alpha");
  arena.settings.change({ messages_per_second: 9 });
  assert.equal(flood(before), null);
  assert.equal(flood(await arena.connect("alpha")), "4009 rate_limited");
});

row(["messages_per_second"], "changes at the end of a match", async () => {
  const arena = await testArena({ limits: QUICK });
  const [alpha] = await pairedBots(arena);
  arena.settings.change({ messages_per_second: 2 });
  await arena.until(() => alpha.told("end").length === 1);
  for (let frame = 0; frame < 3; frame += 1) alpha.say("{}");
  assert.equal(alpha.ending(), "4009 rate_limited");
});

row(["ping_interval_s"], "applies from the next round on", async () => {
  const arena = await testArena({ limits: { ping_interval_s: 5 } });
  await arena.addBot("alpha");
  const bot = await arena.connect("alpha");
  arena.settings.change({ ping_interval_s: 1 });
  await arena.pass(5000);
  assert.equal(bot.pings(), 1);
  await arena.pass(5500);
  assert.equal(bot.pings(), 6);
});

row(
  ["drain_timeout_s"],
  "moves the end of a drain in progress, and everybody is told",
  async () => {
    const arena = await testArena({
      limits: { drain_timeout_s: 600, tick_s: 100, startup_s: 500 },
    });
    const [alpha] = await pairedBots(arena);
    const drained = arena.arena.drain();
    await arena.pass(2000);
    arena.settings.change({ drain_timeout_s: 3 });
    await arena.pass(2000);
    assert.deepEqual(await drained, { abandoned: 1 });
    const [first, second, ...more] = alpha
      .told("server_draining")
      .map(({ drain_deadline }) => Date.parse(String(drain_deadline)));
    assert.deepEqual([first! - second!, more], [597_000, []]);
  },
);

row(["house_concurrency"], "bounds games with house bots from the next wave on", async () => {
  const arena = await testArena({ limits: { house_concurrency: 0, startup_s: 600 } });
  const house = ["house-kiter", "house-brawler"];
  for (const name of house) {
    await arena.addBot(name, { house: true, owner: "house" });
    (await arena.connect(name)).say({ type: "queue", version: "v1" });
  }
  for (const name of ["alpha", "beta"]) await queued(arena, name, "team");
  await arena.pass(HOLD_MS);
  assert.equal(arena.arena.running().length, 0, "the two have one owner");
  arena.settings.change({ house_concurrency: 1 });
  await arena.until(() => arena.arena.running().length === 1);
  await arena.pass(HOLD_MS);
  assert.equal(arena.arena.running().length, 1);
  arena.settings.change({ house_concurrency: 2 });
  await arena.until(() => arena.arena.running().length === 2);
});

/** Fights for people, and a house to play them. */
async function openRing(limits: Partial<Limits>) {
  const arena = await testArena({ limits });
  const { house, bots } = await openTestHouse(arena, ["ts-starter"]);
  arena.arena.practiseAgainst(await findOpponent({ store: arena.store, house }, bots));
  const play = openPlay({ ...arena, house, callerOf: ({ url }) => url ?? null }, bots);
  await arena.pass(1000);
  const knock = async (address: string) => {
    const { bot, connection, listen } = fakeBot();
    const request = { url: address } as unknown as IncomingMessage;
    listen(await play.arrive(connection, "ts-starter", request));
    bot.say({ type: "ready" });
    return bot;
  };
  return { ...arena, knock };
}

row(["play_tick_ms"], "changes for new fights, not for a running one", async () => {
  const ring = await openRing({ play_tick_ms: 1000 });
  const first = await ring.knock("one");
  await ring.until(() => first.told("observation").length === 2);
  ring.settings.change({ play_tick_ms: 100 });
  const second = await ring.knock("two");
  await ring.until(() => second.told("observation").length === 1);
  const before = first.told("observation").length;
  await ring.pass(1000);
  assert.equal(first.told("observation").length, before + 1);
  assert.equal(second.told("observation").length, 11);
});

row(
  ["play_concurrent"],
  "lets more people in at once, and fewer without ending a fight",
  async () => {
    const ring = await openRing({ play_concurrent: 1 });
    const first = await ring.knock("one");
    const codeOf = (bot: FakeBot) => bot.told("error")[0]?.code;
    assert.equal(codeOf(await ring.knock("two")), "play_full");
    ring.settings.change({ play_concurrent: 2 });
    const second = await ring.knock("two");
    assert.deepEqual([first, second].map(hellos), [1, 1]);
    ring.settings.change({ play_concurrent: 1 });
    await ring.pass(1000);
    assert.deepEqual([first.ending(), second.ending()], [null, null]);
    assert.equal(codeOf(await ring.knock("three")), "play_full");
  },
);

row(["practice_concurrent"], "lets the next practice game begin in the next round", async () => {
  const hall = await openRing({ practice_concurrent: 1 });
  const bots: FakeBot[] = [];
  for (const name of ["alpha", "beta"]) {
    const { id } = await hall.addBot(name);
    assert.ok("practice" in hall.arena.askForPractice(id));
    const bot = await hall.connect(name);
    bot.say({ type: "queue", version: "v1" });
    bots.push(bot);
  }
  await hall.pass(5000);
  assert.deepEqual(bots.map(hellos), [1, 0]);
  hall.settings.change({ practice_concurrent: 2 });
  await hall.until(() => hellos(bots[1]!) === 1);
});

row(["replays_per_bot", "archive_replays"], "change nothing until the next cleanup", async () => {
  const { settings, trimming, kept } = await openStock();
  assert.equal(await kept(), 10);
  assert.deepEqual(await trimming.run(), { removed: 3, bytes: 3 });
  settings.change({ replays_per_bot: 2, archive_replays: 3 });
  assert.equal(await kept(), 7);
  assert.deepEqual(await trimming.run(), { removed: 2, bytes: 2 });
  settings.change({ replays_per_bot: 2, archive_replays: 1 });
  assert.equal(await trimming.forecast(settings.current()), 2);
  assert.deepEqual(await trimming.run(), { removed: 2, bytes: 2 });
  assert.equal(await kept(), 3);
});

row(["starred_replays"], "counts at the next star", checkStars);

row(["embedded_replays"], "changes nothing until the next cleanup", checkEmbeds);

row(["bots_per_owner"], "counts at the next registration", async () => {
  const api = accountApi();
  const { token } = await addPerson(api, "ada");
  const make = async (name: string) =>
    (await ask(api, ["POST", "/api/account/bots"], { token, payload: { name } })).told;
  api.live.change({ bots_per_owner: 1 });
  assert.deepEqual([await make("one"), await make("two")], ["201", "409 bot_limit"]);
  api.live.change({ bots_per_owner: 2 });
  assert.equal(await make("two"), "201");
});

row(["registration_open"], "closes all three ways to register, and opens them", async () => {
  const api = accountApi();
  const { token } = await addPerson(api, "ada");
  const key = await addAgentKey(api, token);
  const ways = async (mark: string) => [
    (await ask(api, ["POST", "/api/bots"], { token: key, payload: { name: `b${mark}` } })).told,
    (await ask(api, ["POST", "/api/account/bots"], { token, payload: { name: `a${mark}` } })).told,
    (await useTool(api, key, "register_bot", { name: `m${mark}` })) as unknown,
  ];
  api.live.change({ registration_open: false });
  const closed = "403 registration_closed";
  assert.deepEqual(await ways("1"), [closed, closed, "registration_closed"]);
  api.live.change({});
  const [byKey, byBrowser, byTool] = await ways("2");
  assert.deepEqual([byKey, byBrowser, (byTool as { name: string }).name], ["201", "201", "m2"]);
});

/** What one run of a server over a data folder gives. */
async function served<T>(data: string, use: (person: AccountClient) => Promise<T>): Promise<T> {
  const server = await serveLadder(data, ["--accounts", "embedded", "--admin-email", ROOT]);
  try {
    return await use(await personAt(server.baseUrl));
  } finally {
    await server.shutDown();
  }
}

row(
  ["signup_open"],
  "closes the sign-up of the embedded provider, also after a restart",
  async () => {
    await using folder = new AsyncDisposableStack();
    const { path, remove } = await temporaryFolder();
    folder.defer(remove);
    const signUp = async ({ identity }: AccountClient) => {
      const person = { email: "ada@example.org", password: "correct horse battery" };
      const { status, body } = await identity("POST", "/signup", person);
      return [status, body["code"]];
    };
    const settings = async ({ ladder, signIn }: AccountClient, body?: object) =>
      (
        await ladder(body === undefined ? "GET" : "PUT", "/api/admin/settings", {
          token: await signIn(ROOT),
          ...(body && { body }),
        })
      ).body;
    await served(path, async (person) => {
      await person.join(ROOT, path);
      const overrides = { signup_open: false, tick_s: 2 };
      await settings(person, { revision: 0, overrides, ladders: {} });
      assert.deepEqual(await signUp(person), [422, "signup_disabled"]);
    });
    await served(path, async (person) => {
      assert.deepEqual(await signUp(person), [422, "signup_disabled"]);
      const { revision, overrides } = await settings(person);
      assert.deepEqual([revision, overrides], [1, { tick_s: 2, signup_open: false }]);
      const ladders = { public: { max_concurrent: 3 } };
      await settings(person, { revision: 1, overrides: {}, ladders });
      assert.deepEqual(await signUp(person), [200, undefined]);
    });
    const { ladders, capacity } = await served(path, (person) => settings(person));
    assert.deepEqual(ladders, { public: { max_concurrent: 3 } });
    assert.equal((capacity as { max_concurrent: number }[])[0]?.max_concurrent, 3);
  },
);

test("every row of the table of settings is tested here", () => {
  assert.deepEqual([...covered].toSorted(), SETTING_NAMES.toSorted());
});
