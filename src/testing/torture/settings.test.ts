// Changes settings during play, and checks that each change takes effect at the time stated in the
// settings table. The last test fails if a setting has no test in this file or in
// live/diagnostics/floods.test.ts.

import assert from "node:assert/strict";
import type { IncomingMessage } from "node:http";
import { test } from "node:test";

import { SETTING_NAMES } from "#core/limits/limits.ts";
import type { Limits, Overrides, SettingName } from "#core/limits/limits.ts";
import { openHumanMatches } from "#live/human-match/human-match-entry.ts";
import { findPracticeOpponent } from "#live/practice/find-practice-opponent.ts";
import {
  accountApi,
  addAgentKey,
  signUpAccount,
  sendRequest,
} from "#testing/fixtures/account-api.ts";
import { callTool } from "#testing/fixtures/mcp-messages.ts";
import { createFakeBot, startTwoBotMatch, testArena } from "#testing/fixtures/test-arena.ts";
import type { FakeBot, TestArena } from "#testing/fixtures/test-arena.ts";
import { openTestHouse } from "#testing/fixtures/test-house.ts";
import { createAccountClient } from "#testing/harness/account-client.ts";
import type { AccountClient } from "#testing/harness/account-client.ts";
import { serveLadder, createTemporaryFolder } from "#testing/harness/test-server.ts";

import { checkEmbeddedLimit, checkStarLimit, openReplayStore } from "./replay-retention.ts";

const ROOT = "root@example.org";

const coveredSettings = new Set<SettingName>(["floods_to_suspend", "flood_suspension_s"]);

function settingTest(
  names: readonly SettingName[],
  description: string,
  run: () => Promise<void>,
): void {
  for (const name of names) coveredSettings.add(name);
  test(`${names.join()} ${description}`, run);
}

const keysOf = (change: Overrides) => Object.keys(change) as SettingName[];

const countHellos = (bot: FakeBot): number => bot.receivedOfType("hello").length;

async function queueBot(arena: TestArena, name: string, owner = name): Promise<FakeBot> {
  await arena.addArenaBot(name, { owner });
  const bot = await arena.connect(name);
  bot.send({ type: "queue", version: "v1" });
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
for (const [change, expectedDeadlines] of NEW_MATCHES)
  settingTest(keysOf(change), "changes for new matches, not for a running one", async () => {
    const arena = await testArena();
    const [alpha] = await startTwoBotMatch(arena);
    arena.settings.change(change);
    const [gamma] = [await queueBot(arena, "gamma"), await queueBot(arena, "delta")];
    await arena.advanceUntil(() => countHellos(gamma) === 1);
    alpha.disconnect();
    const reconnected = await arena.connect("alpha");
    const deadlines = (bot: FakeBot) => bot.receivedOfType("hello")[0]!.deadlines as Deadlines;
    assert.deepEqual(deadlines(reconnected), deadlines(alpha));
    assert.deepEqual(deadlines(gamma), { ...deadlines(alpha), ...expectedDeadlines });
  });

settingTest(["messages_per_tick"], "limits a flood by the value at its match's start", async () => {
  const arena = await testArena();
  const [alpha] = await startTwoBotMatch(arena);
  arena.settings.change({ messages_per_tick: 1 });
  const [gamma] = [await queueBot(arena, "gamma"), await queueBot(arena, "delta")];
  await arena.advanceUntil(() => countHellos(gamma) === 1);
  for (const bot of [alpha, gamma]) for (let frame = 0; frame < 5; frame += 1) bot.send("{}");
  assert.equal(alpha.closeReason(), null);
  assert.equal(gamma.closeReason(), "4009 rate_limited");
  assert.match(String(gamma.receivedOfType("error").at(-1)!.message), /Bots may send 1 per tick/);
});

/**
 * If no bot sends ready, a match ends after a second. A rematch is possible after another second.
 */
const SHORT_TIMEOUTS: Partial<Limits> = { startup_s: 1, rematch_hold_s: 1 };
const HOLD_MS = 20_000;

const IMMEDIATE_CHANGES: Overrides[] = [
  { match_interval_s: 60 },
  { hourly_quota: 1 },
  { owner_daily_quota: 1 },
  { max_concurrent: 0 },
];
for (const change of IMMEDIATE_CHANGES)
  settingTest(keysOf(change), "delays and releases the next match immediately", async () => {
    const arena = await testArena({ limits: SHORT_TIMEOUTS });
    const bots = await startTwoBotMatch(arena);
    arena.settings.change(change);
    await arena.advanceUntil(() => bots.every((bot) => bot.receivedOfType("end").length === 1));
    for (const bot of bots) bot.send({ type: "queue", version: "v1" });
    await arena.advanceTime(HOLD_MS);
    assert.deepEqual(bots.map(countHellos), [1, 1]);
    arena.settings.change({});
    await arena.advanceUntil(() => bots.every((bot) => countHellos(bot) === 2));
  });

settingTest(
  ["owner_concurrency"],
  "applies immediately: running matches continue, the next one waits",
  async () => {
    const arena = await testArena({ limits: { startup_s: 600 } });
    await startTwoBotMatch(arena);
    arena.settings.change({ owner_concurrency: 1 });
    const second = [
      await queueBot(arena, "alpha-2", "alpha"),
      await queueBot(arena, "beta-2", "beta"),
    ];
    await arena.advanceTime(HOLD_MS);
    assert.equal(arena.arena.runningMatches().length, 1);
    assert.match(String(second[0]!.receivedOfType("error")[0]!.message), /owner_concurrency \(1\)/);
    arena.settings.change({ owner_concurrency: 2 });
    await arena.advanceUntil(() => arena.arena.runningMatches().length === 2);
  },
);

settingTest(["max_concurrent"], "sets the reported capacity immediately", async () => {
  const arena = await testArena();
  await startTwoBotMatch(arena);
  arena.settings.change({ max_concurrent: 0 });
  assert.deepEqual(arena.arena.capacity(), { running: 1, max: 0 });
});

settingTest(["versions_per_day"], "applies immediately, and a refusal names it", async () => {
  const arena = await testArena();
  const bot = await queueBot(arena, "alpha");
  await arena.advanceTime(50);
  arena.settings.change({ versions_per_day: 1 });
  bot.send({ type: "queue", version: "v2" });
  await arena.advanceTime(50);
  const { code, message } = bot.receivedOfType("error")[0]!;
  assert.deepEqual(
    [code, message],
    ["version_limit", "A bot can create up to 1 new versions in 24 hours."],
  );
  arena.settings.change({});
  bot.send({ type: "queue", version: "v2" });
  await arena.advanceTime(50);
  assert.equal(bot.receivedOfType("queued").at(-1)!.version, "v2");
});

settingTest(["messages_per_second"], "applies to new connections", async () => {
  const arena = await testArena();
  await arena.addArenaBot("alpha");
  const sendUntilClosed = (bot: FakeBot) => {
    for (let frame = 0; frame < 10; frame += 1) bot.send("{}");
    return bot.closeReason();
  };
  const botBefore = await arena.connect("alpha");
  arena.settings.change({ messages_per_second: 9 });
  assert.equal(sendUntilClosed(botBefore), null);
  assert.equal(sendUntilClosed(await arena.connect("alpha")), "4009 rate_limited");
});

settingTest(["messages_per_second"], "applies at the end of a match", async () => {
  const arena = await testArena({ limits: SHORT_TIMEOUTS });
  const [alpha] = await startTwoBotMatch(arena);
  arena.settings.change({ messages_per_second: 2 });
  await arena.advanceUntil(() => alpha.receivedOfType("end").length === 1);
  for (let frame = 0; frame < 3; frame += 1) alpha.send("{}");
  assert.equal(alpha.closeReason(), "4009 rate_limited");
});

settingTest(["ping_interval_s"], "applies from the next round on", async () => {
  const arena = await testArena({ limits: { ping_interval_s: 5 } });
  await arena.addArenaBot("alpha");
  const bot = await arena.connect("alpha");
  arena.settings.change({ ping_interval_s: 1 });
  await arena.advanceTime(5000);
  assert.equal(bot.pingCount(), 1);
  await arena.advanceTime(5500);
  assert.equal(bot.pingCount(), 6);
});

settingTest(
  ["drain_timeout_s"],
  "moves the end of a drain in progress, and notifies all clients",
  async () => {
    const arena = await testArena({
      limits: { drain_timeout_s: 600, tick_s: 100, startup_s: 500 },
    });
    const [alpha] = await startTwoBotMatch(arena);
    const drained = arena.arena.drain();
    await arena.advanceTime(2000);
    arena.settings.change({ drain_timeout_s: 3 });
    await arena.advanceTime(2000);
    assert.deepEqual(await drained, { abandoned: 1 });
    const [first, second, ...otherDeadlines] = alpha
      .receivedOfType("server_draining")
      .map(({ drain_deadline }) => Date.parse(String(drain_deadline)));
    assert.deepEqual([first! - second!, otherDeadlines], [597_000, []]);
  },
);

settingTest(
  ["house_concurrency"],
  "limits games with house bots from the next wave on",
  async () => {
    const arena = await testArena({ limits: { house_concurrency: 0, startup_s: 600 } });
    const house = ["house-kiter", "house-brawler"];
    for (const name of house) {
      await arena.addArenaBot(name, { house: true, owner: "house" });
      (await arena.connect(name)).send({ type: "queue", version: "v1" });
    }
    for (const name of ["alpha", "beta"]) await queueBot(arena, name, "team");
    await arena.advanceTime(HOLD_MS);
    assert.equal(arena.arena.runningMatches().length, 0, "the two have one owner");
    arena.settings.change({ house_concurrency: 1 });
    await arena.advanceUntil(() => arena.arena.runningMatches().length === 1);
    await arena.advanceTime(HOLD_MS);
    assert.equal(arena.arena.runningMatches().length, 1);
    arena.settings.change({ house_concurrency: 2 });
    await arena.advanceUntil(() => arena.arena.runningMatches().length === 2);
  },
);

async function openRing(limits: Partial<Limits>) {
  const arena = await testArena({ limits });
  const { house, bots } = await openTestHouse(arena, ["ts-starter"]);
  arena.arena.setPracticeOpponent(await findPracticeOpponent({ store: arena.store, house }, bots));
  const play = openHumanMatches({ ...arena, house, callerOf: ({ url }) => url ?? null }, bots);
  await arena.advanceTime(1000);
  const connectFrom = async (address: string) => {
    const { bot, connection, listen } = createFakeBot();
    const request = { url: address } as unknown as IncomingMessage;
    listen(await play.connect(connection, "ts-starter", request));
    bot.send({ type: "ready" });
    return bot;
  };
  return { ...arena, knock: connectFrom };
}

settingTest(["play_tick_ms"], "applies to new human matches, not to a running one", async () => {
  const ring = await openRing({ play_tick_ms: 1000 });
  const first = await ring.knock("one");
  await ring.advanceUntil(() => first.receivedOfType("observation").length === 2);
  ring.settings.change({ play_tick_ms: 100 });
  const second = await ring.knock("two");
  await ring.advanceUntil(() => second.receivedOfType("observation").length === 1);
  const botBefore = first.receivedOfType("observation").length;
  await ring.advanceTime(1000);
  assert.equal(first.receivedOfType("observation").length, botBefore + 1);
  assert.equal(second.receivedOfType("observation").length, 11);
});

settingTest(
  ["play_concurrent"],
  "admits more people immediately, and fewer without ending a match",
  async () => {
    const ring = await openRing({ play_concurrent: 1 });
    const first = await ring.knock("one");
    const codeOf = (bot: FakeBot) => bot.receivedOfType("error")[0]?.code;
    assert.equal(codeOf(await ring.knock("two")), "play_full");
    ring.settings.change({ play_concurrent: 2 });
    const second = await ring.knock("two");
    assert.deepEqual([first, second].map(countHellos), [1, 1]);
    ring.settings.change({ play_concurrent: 1 });
    await ring.advanceTime(1000);
    assert.deepEqual([first.closeReason(), second.closeReason()], [null, null]);
    assert.equal(codeOf(await ring.knock("three")), "play_full");
  },
);

settingTest(
  ["watch_delay_ticks"],
  "releases the frames of live matches earlier immediately",
  async () => {
    const world = await testArena({ limits: { watch_delay_ticks: 1000 } });
    const bots = await startTwoBotMatch(world);
    for (const bot of bots) bot.send({ type: "ready" });
    await world.advanceTime(50);
    const sent: string[] = [];
    const sendEncoded = (frame: Buffer) => void sent.push(frame.toString("latin1"));
    const connection = { sendEncoded, close: () => {}, terminate: () => {}, bufferedBytes: 0 };
    const matchId = world.arena.runningMatches()[0]!.id;
    world.arena.watch(connection, { matchId }, null);
    await world.advanceTime(4000);
    const hasFrames = () => sent.some((text) => text.includes('"type":"frames"'));
    assert.equal(hasFrames(), false);
    world.settings.change({ watch_delay_ticks: 0 });
    await world.advanceTime(200);
    assert.equal(hasFrames(), true);
  },
);

settingTest(
  ["practice_concurrent"],
  "lets the next practice match begin in the next round",
  async () => {
    const practiceRing = await openRing({ practice_concurrent: 1 });
    const bots: FakeBot[] = [];
    for (const name of ["alpha", "beta"]) {
      const { id } = await practiceRing.addArenaBot(name);
      assert.ok("practice" in practiceRing.arena.requestPractice(id));
      const bot = await practiceRing.connect(name);
      bot.send({ type: "queue", version: "v1" });
      bots.push(bot);
    }
    await practiceRing.advanceTime(5000);
    assert.deepEqual(bots.map(countHellos), [1, 0]);
    practiceRing.settings.change({ practice_concurrent: 2 });
    await practiceRing.advanceUntil(() => countHellos(bots[1]!) === 1);
  },
);

settingTest(
  ["replays_per_bot", "archive_replays"],
  "change nothing until the next cleanup",
  async () => {
    const { settings, trimming, kept: countReplays } = await openReplayStore();
    assert.equal(await countReplays(), 10);
    assert.deepEqual(await trimming.run(), { removed: 3, bytes: 3 });
    settings.change({ replays_per_bot: 2, archive_replays: 3 });
    assert.equal(await countReplays(), 7);
    assert.deepEqual(await trimming.run(), { removed: 2, bytes: 2 });
    settings.change({ replays_per_bot: 2, archive_replays: 1 });
    assert.equal(await trimming.forecast(settings.current()), 2);
    assert.deepEqual(await trimming.run(), { removed: 2, bytes: 2 });
    assert.equal(await countReplays(), 3);
  },
);

settingTest(["starred_replays"], "applies to the next star", checkStarLimit);

settingTest(["embedded_replays"], "changes nothing until the next cleanup", checkEmbeddedLimit);

settingTest(["bots_per_owner"], "applies to the next registration", async () => {
  const api = accountApi();
  const { token } = await signUpAccount(api, "ada");
  const make = async (name: string) =>
    (await sendRequest(api, ["POST", "/api/account/bots"], { token, payload: { name } })).told;
  api.liveSettings.change({ bots_per_owner: 1 });
  assert.deepEqual([await make("one"), await make("two")], ["201", "409 bot_limit"]);
  api.liveSettings.change({ bots_per_owner: 2 });
  assert.equal(await make("two"), "201");
});

settingTest(["registration_open"], "closes and opens all three ways to register", async () => {
  const api = accountApi();
  const { token } = await signUpAccount(api, "ada");
  const key = await addAgentKey(api, token);
  const registerEveryWay = async (createVersion: string) => [
    (
      await sendRequest(api, ["POST", "/api/bots"], {
        token: key,
        payload: { name: `b${createVersion}` },
      })
    ).told,
    (
      await sendRequest(api, ["POST", "/api/account/bots"], {
        token,
        payload: { name: `a${createVersion}` },
      })
    ).told,
    (await callTool(api, key, "register_bot", { name: `m${createVersion}` })) as unknown,
  ];
  api.liveSettings.change({ registration_open: false });
  const closedCode = "403 registration_closed";
  assert.deepEqual(await registerEveryWay("1"), [closedCode, closedCode, "registration_closed"]);
  api.liveSettings.change({});
  const [byKey, byBrowser, byTool] = await registerEveryWay("2");
  assert.deepEqual([byKey, byBrowser, (byTool as { name: string }).name], ["201", "201", "m2"]);
});

async function withServer<T>(data: string, use: (person: AccountClient) => Promise<T>): Promise<T> {
  const server = await serveLadder(data, ["--accounts", "embedded", "--admin-email", ROOT]);
  try {
    return await use(await createAccountClient(server.baseUrl));
  } finally {
    await server.shutDown();
  }
}

settingTest(
  ["signup_open"],
  "closes sign-up at the embedded provider, also after a restart",
  async () => {
    await using folder = new AsyncDisposableStack();
    const { path, remove } = await createTemporaryFolder();
    folder.defer(remove);
    const signUp = async ({ requestProvider }: AccountClient) => {
      const person = { email: "ada@example.org", password: "correct horse battery" };
      const { status, body } = await requestProvider("POST", "/signup", person);
      return [status, body["code"]];
    };
    const settings = async ({ requestLadder, signIn }: AccountClient, body?: object) =>
      (
        await requestLadder(body === undefined ? "GET" : "PUT", "/api/admin/settings", {
          token: await signIn(ROOT),
          ...(body && { body }),
        })
      ).body;
    await withServer(path, async (person) => {
      await person.signUpAndConfirm(ROOT, path);
      const overrides = { signup_open: false, tick_s: 2 };
      await settings(person, { revision: 0, overrides, ladders: {} });
      assert.deepEqual(await signUp(person), [422, "signup_disabled"]);
    });
    await withServer(path, async (person) => {
      assert.deepEqual(await signUp(person), [422, "signup_disabled"]);
      const { revision, overrides } = await settings(person);
      assert.deepEqual([revision, overrides], [1, { tick_s: 2, signup_open: false }]);
      const ladders = { public: { max_concurrent: 3 } };
      await settings(person, { revision: 1, overrides: {}, ladders });
      assert.deepEqual(await signUp(person), [200, undefined]);
    });
    const { ladders, capacity } = await withServer(path, (person) => settings(person));
    assert.deepEqual(ladders, { public: { max_concurrent: 3 } });
    assert.equal((capacity as { max_concurrent: number }[])[0]?.max_concurrent, 3);
  },
);

test("every row of the settings table has a test", () => {
  assert.deepEqual([...coveredSettings].toSorted(), SETTING_NAMES.toSorted());
});
