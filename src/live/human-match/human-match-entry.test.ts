import assert from "node:assert/strict";
import type { IncomingMessage } from "node:http";
import { suite, test } from "node:test";

import { StoreError } from "#data/store/errors.ts";
import {
  createFakeBot,
  setArenaBotStatus,
  readStoredReplay,
  testArena,
} from "#testing/fixtures/test-arena.ts";
import type { FakeBot, TestArena } from "#testing/fixtures/test-arena.ts";
import { openTestHouse } from "#testing/fixtures/test-house.ts";
import { memoryStore } from "#testing/store-contract/memory-store.ts";

import { openHumanMatches } from "./human-match-entry.ts";

const requestFrom = (address: string | null) => ({ url: address }) as unknown as IncomingMessage;
const TICK_MS = 500;

async function openFixture(limits = {}, store = memoryStore()) {
  const arena = await testArena({ limits: { play_tick_ms: TICK_MS, ...limits }, store });
  const { clock, health, settings } = arena;
  const { house, bots, pools: workers } = await openTestHouse(arena, ["kiter"]);
  const humanMatches = openHumanMatches(
    {
      arena: arena.arena,
      house,
      health,
      settings,
      store: arena.store,
      clock,
      callerOf: ({ url }) => url ?? null,
    },
    bots,
  );
  const connectHuman = async (
    address: string | null = null,
    opponent = "kiter",
  ): Promise<FakeBot> => {
    const { bot, connection, listen } = createFakeBot();
    listen(await humanMatches.connect(connection, opponent, requestFrom(address)));
    return bot;
  };
  await arena.advanceTime(1000);
  return { arena, knock: connectHuman, crews: workers, botId: bots[0]!.id, house };
}

type HumanMatchFixture = Awaited<ReturnType<typeof openFixture>>;

const codeOf = (human: FakeBot): unknown => human.receivedOfType("error")[0]?.code;

/** Starts a match and plays its first tick. */
async function startHumanMatch(
  { arena, knock: connectHuman }: HumanMatchFixture,
  address: string | null = null,
): Promise<FakeBot> {
  const human = await connectHuman(address);
  human.send({ type: "ready" });
  await arena.advanceUntil(() => human.receivedOfType("observation").length > 1);
  return human;
}

async function sendTurns(
  { arena }: HumanMatchFixture,
  human: FakeBot,
  ticks: number,
): Promise<void> {
  for (let tick = 0; tick < ticks; tick += 1) {
    human.send({ type: "turn", tick: human.receivedOfType("observation").length - 1 });
    await arena.advanceTime(TICK_MS);
  }
}

const storedMatchOf = ({ store }: TestArena, human: FakeBot) =>
  store.matches.byId(String(human.receivedOfType("hello")[0]?.match_id));

suite("a human match", () => {
  test("stores nothing if it ends before the first played tick", async () => {
    const fixture = await openFixture();
    const { arena, knock: connectHuman } = fixture;
    const earlyLeaver = await connectHuman();
    earlyLeaver.disconnect();
    const lateLeaver = await connectHuman();
    lateLeaver.send({ type: "ready" });
    await arena.advanceUntil(() => lateLeaver.receivedOfType("observation").length > 0);
    lateLeaver.disconnect();
    const idleHuman = await connectHuman();
    await arena.advanceUntil(() => idleHuman.receivedOfType("end").length > 0);
    const [end] = idleHuman.receivedOfType("end");
    assert.deepEqual([end?.voided, end?.reason, end?.winner], [true, "forfeit", null]);
    await arena.advanceTime(100);
    for (const human of [earlyLeaver, lateLeaver, idleHuman])
      assert.equal(await storedMatchOf(arena, human), null);
    assert.equal(arena.replays.size, 0);
    assert.deepEqual(arena.arena.runningMatches(), []);
  });

  test("is forfeited after play_silent_ticks without a message, even during a drain", async () => {
    for (const isDraining of [false, true]) {
      const fixture = await openFixture({ play_silent_ticks: 4 });
      const { arena } = fixture;
      const human = await startHumanMatch(fixture);
      const deadlines = human.receivedOfType("hello")[0]?.deadlines as Record<string, number>;
      assert.equal(deadlines.failed_ticks_to_disqualify, 4);
      await sendTurns(fixture, human, 6);
      const observationsBefore = human.receivedOfType("observation").length;
      if (isDraining) void arena.arena.drain();
      await arena.advanceTime(3 * TICK_MS);
      assert.equal(human.receivedOfType("end").length, 0);
      await arena.advanceTime(TICK_MS + 100);
      const [end] = human.receivedOfType("end");
      assert.deepEqual([end?.winner, end?.reason], ["B", "forfeit"]);
      assert.equal(human.receivedOfType("observation").length, observationsBefore + 4);
      assert.deepEqual(human.closeReason(), "1000 the match is over");
      assert.equal((await storedMatchOf(arena, human))?.finalTick, observationsBefore + 3);
      await arena.advanceTime(1000);
    }
  });

  test("explains the message limit in plain language", async () => {
    const fixture = await openFixture();
    const human = await startHumanMatch(fixture);
    for (let frames = 0; frames < 6; frames += 1) human.send({ type: "turn", tick: 1 });
    assert.equal(human.closeReason(), "4009 rate_limited");
    const text = String(human.receivedOfType("error")[0]?.message);
    assert.match(text, /Pages may send 5 per tick/);
    assert.doesNotMatch(text, /bot/);
    await fixture.arena.advanceTime(100);
  });

  test("lasts play_tick_ms per tick, with no extra delay for the house bot", async () => {
    const fixture = await openFixture();
    const { arena } = fixture;
    const human = await startHumanMatch(fixture);
    await arena.advanceTime(3 * TICK_MS);
    assert.equal(human.receivedOfType("observation").length, 5);
    human.disconnect();
    await arena.advanceTime(100);
    const replay = readStoredReplay(arena, String(human.receivedOfType("hello")[0]?.match_id));
    assert.ok(replay.ticks.some(({ turns: [, bot] }) => JSON.stringify(bot) !== "{}"));
    assert.deepEqual(replay.header.mode, "human");
  });

  test("keeps its tick length when the setting changes", async () => {
    const fixture = await openFixture();
    const { arena } = fixture;
    const human = await startHumanMatch(fixture);
    arena.settings.change({ play_tick_ms: 50 });
    await arena.advanceTime(TICK_MS);
    assert.equal(human.receivedOfType("observation").length, 3);
    human.disconnect();
    const nextHuman = await startHumanMatch(fixture);
    const { length } = nextHuman.receivedOfType("observation");
    await arena.advanceTime(TICK_MS);
    assert.equal(nextHuman.receivedOfType("observation").length, length + 10);
  });

  test("is void immediately if the house bot is suspended or its thread dies", async () => {
    for (const [title, breakHouse] of [
      ["suspended", (fixture) => setArenaBotStatus(fixture.arena, fixture.botId, "suspended")],
      ["dead", async (fixture) => fixture.crews[0]!.terminate()],
    ] satisfies [string, (fixture: HumanMatchFixture) => Promise<void>][]) {
      const fixture = await openFixture();
      const human = await startHumanMatch(fixture);
      await breakHouse(fixture);
      await fixture.arena.advanceTime(100);
      const [end] = human.receivedOfType("end");
      assert.deepEqual([end?.voided, end?.reason], [true, "server_fault"], title);
      assert.equal((await storedMatchOf(fixture.arena, human))?.voided, true);
      assert.deepEqual(fixture.arena.arena.runningMatches(), []);
    }
  });

  test("waits while the store is full, and no other match starts", async () => {
    const store = memoryStore();
    const fixture = await openFixture({}, store);
    const { arena, knock: connectHuman } = fixture;
    const human = await startHumanMatch(fixture);
    const { save } = store.matches;
    store.matches.save = async () => {
      throw new StoreError("full", "disk full");
    };
    human.disconnect();
    await arena.advanceTime(100);
    assert.equal(codeOf(await connectHuman()), "server_busy");
    assert.equal(arena.arena.runningMatches().length, 1);
    store.matches.save = save;
    await arena.advanceTime(3000);
    assert.equal((await storedMatchOf(arena, human))?.reason, "forfeit");
    assert.deepEqual(arena.panics, []);
  });

  test("is forfeited by a page that stops reading, and the page is disconnected", async () => {
    const fixture = await openFixture();
    const human = await startHumanMatch(fixture);
    human.unreadBytes = 1024 * 1024;
    await fixture.arena.advanceTime(TICK_MS);
    assert.equal(human.closeReason(), "cut off");
    assert.equal((await storedMatchOf(fixture.arena, human))?.reason, "forfeit");
  });

  test("leaves no timer, session or metric behind", async () => {
    const fixture = await openFixture();
    const { arena } = fixture;
    const stateBefore = [
      arena.clock.armedTimers(),
      arena.arena.onlineBots(),
      arena.health.report().turns,
    ];
    const human = await startHumanMatch(fixture);
    human.disconnect();
    await arena.advanceTime(1000);
    assert.equal(human.closeReason(), "left");
    assert.deepEqual(
      [arena.clock.armedTimers(), arena.arena.onlineBots(), arena.health.report().turns],
      stateBefore,
    );
    assert.equal(arena.health.report().games.count, 0);
  });
});

suite("a human match is refused", () => {
  test("while the event loop is late, and allowed again shortly afterwards", async () => {
    const { arena, knock: connectHuman } = await openFixture();
    for (let pause = 0; pause < 10; pause += 1) arena.clock.stall(200);
    const refusedHuman = await connectHuman();
    assert.deepEqual(
      [codeOf(refusedHuman), refusedHuman.closeReason()],
      ["server_busy", "4013 server_busy"],
    );
    await arena.advanceTime(4000);
    assert.equal((await connectHuman()).receivedOfType("hello").length, 1);
  });

  test("if play_concurrent is reached or the address is already playing", async () => {
    const { arena, knock: connectHuman } = await openFixture({ play_concurrent: 2 });
    const first = await connectHuman("one");
    assert.equal(codeOf(await connectHuman("one")), "already_fighting");
    await connectHuman("two");
    assert.equal(codeOf(await connectHuman("three")), "play_full");
    first.disconnect();
    await arena.advanceTime(100);
    assert.equal((await connectHuman("one")).receivedOfType("hello").length, 1);
    arena.settings.change({ play_concurrent: 3 });
    assert.equal((await connectHuman("three")).receivedOfType("hello").length, 1);
  });

  test("after play_starts_per_minute from one address, even if every player leaves", async () => {
    const { arena, knock: connectHuman } = await openFixture({ play_starts_per_minute: 3 });
    for (let starts = 0; starts < 3; starts += 1) (await connectHuman("one")).disconnect();
    const throttledHuman = await connectHuman("one");
    assert.deepEqual(
      [codeOf(throttledHuman), throttledHuman.closeReason()],
      ["rate_limited", "4009 rate_limited"],
    );
    assert.match(
      String(throttledHuman.receivedOfType("error")[0]?.message),
      /limit: 3 a minute.*Try again in 20 s/,
    );
    assert.equal((await connectHuman("two")).receivedOfType("hello").length, 1);
    await arena.advanceTime(20_000);
    assert.equal((await connectHuman("one")).receivedOfType("hello").length, 1);
  });

  test("for an address with a running match, but not while the result for a player who left is being saved", async () => {
    const store = memoryStore();
    const fixture = await openFixture({}, store);
    const { arena, knock: connectHuman } = fixture;
    const { save } = store.matches;
    const pendingSaves: (() => void)[] = [];
    store.matches.save = async (match) => {
      await new Promise<void>((resolve) => pendingSaves.push(resolve));
      return save.call(store.matches, match);
    };
    const human = await startHumanMatch(fixture, "one");
    assert.equal(codeOf(await connectHuman("one")), "already_fighting");
    human.disconnect();
    await arena.advanceTime(100);
    assert.equal(pendingSaves.length, 1);
    const reconnected = await connectHuman("one");
    assert.equal(reconnected.receivedOfType("hello").length, 1);
    pendingSaves[0]!();
    await arena.advanceTime(100);
    assert.equal(codeOf(await connectHuman("one")), "already_fighting");
    assert.equal((await storedMatchOf(arena, human))?.reason, "forfeit");
  });

  test("for an unknown opponent or one that may not play", async () => {
    const { arena, knock: connectHuman, botId } = await openFixture();
    for (const opponent of ["champion", "house-kiter", ""])
      assert.equal(codeOf(await connectHuman(null, opponent)), "unknown_opponent");
    await setArenaBotStatus(arena, botId, "suspended");
    assert.equal(codeOf(await connectHuman()), "unknown_opponent");
    assert.deepEqual(arena.arena.runningMatches(), []);
  });

  test("while a crashed worker is restarting", async () => {
    const { arena, knock: connectHuman, crews: workers } = await openFixture();
    workers[0]!.terminate();
    await Promise.resolve();
    assert.equal(codeOf(await connectHuman()), "server_busy");
    await arena.advanceTime(3000);
    assert.equal((await connectHuman()).receivedOfType("hello").length, 1);
  });

  test("during a drain", async () => {
    const { arena, knock: connectHuman } = await openFixture();
    void arena.arena.drain();
    const lateLeaver = await connectHuman();
    assert.equal(lateLeaver.receivedOfType("server_draining").length, 1);
    assert.equal(lateLeaver.closeReason(), "1012 server restarting");
    await arena.advanceTime(1000);
  });
});
