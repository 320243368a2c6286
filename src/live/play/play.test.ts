import assert from "node:assert/strict";
import type { IncomingMessage } from "node:http";
import { suite, test } from "node:test";

import { StoreError } from "#data/store/errors.ts";
import { fakeBot, setStatus, storedReplay, testArena } from "#testing/fixtures/test-arena.ts";
import type { FakeBot, TestArena } from "#testing/fixtures/test-arena.ts";
import { openTestHouse } from "#testing/fixtures/test-house.ts";
import { memoryStore } from "#testing/store-cases/memory-store.ts";

import { openPlay } from "./play.ts";

/** The address of a request, as these tests put it. */
const from = (address: string | null) => ({ url: address }) as unknown as IncomingMessage;
const TICK_MS = 500;

/** Fights for people against the kiter, whose crew is in this thread. */
async function openRing(limits = {}, store = memoryStore()) {
  const arena = await testArena({ limits: { play_tick_ms: TICK_MS, ...limits }, store });
  const { clock, health, settings } = arena;
  const { house, bots, crews } = await openTestHouse(arena, ["kiter"]);
  const play = openPlay(
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
  const knock = async (address: string | null = null, opponent = "kiter"): Promise<FakeBot> => {
    const { bot, connection, listen } = fakeBot();
    listen(await play.arrive(connection, opponent, from(address)));
    return bot;
  };
  await arena.pass(1000);
  return { arena, knock, crews, botId: bots[0]!.id, house };
}

type Ring = Awaited<ReturnType<typeof openRing>>;

const codeOf = (person: FakeBot): unknown => person.told("error")[0]?.code;

/** A fight whose first tick is played. */
async function begin({ arena, knock }: Ring, address: string | null = null): Promise<FakeBot> {
  const person = await knock(address);
  person.say({ type: "ready" });
  await arena.until(() => person.told("observation").length > 1);
  return person;
}

/** Says something in each of some ticks. */
async function stayFor({ arena }: Ring, person: FakeBot, ticks: number): Promise<void> {
  for (let tick = 0; tick < ticks; tick += 1) {
    person.say({ type: "turn", tick: person.told("observation").length - 1 });
    await arena.pass(TICK_MS);
  }
}

const storedOf = ({ store }: TestArena, person: FakeBot) =>
  store.matches.byId(String(person.told("hello")[0]?.match_id));

suite("a fight of a person", () => {
  test("that ends before its first played tick leaves nothing behind", async () => {
    const ring = await openRing();
    const { arena, knock } = ring;
    const left = await knock();
    left.leave();
    const late = await knock();
    late.say({ type: "ready" });
    await arena.until(() => late.told("observation").length > 0);
    late.leave();
    const idle = await knock();
    await arena.until(() => idle.told("end").length > 0);
    const [end] = idle.told("end");
    assert.deepEqual([end?.voided, end?.reason, end?.winner], [true, "forfeit", null]);
    await arena.pass(100);
    for (const person of [left, late, idle]) assert.equal(await storedOf(arena, person), null);
    assert.equal(arena.replays.size, 0);
    assert.deepEqual(arena.arena.running(), []);
  });

  test("is lost after play_silent_ticks without a word, also during a drain", async () => {
    for (const isDraining of [false, true]) {
      const ring = await openRing({ play_silent_ticks: 4 });
      const { arena } = ring;
      const person = await begin(ring);
      const deadlines = person.told("hello")[0]?.deadlines as Record<string, number>;
      assert.equal(deadlines.failed_ticks_to_disqualify, 4);
      await stayFor(ring, person, 6);
      const spoken = person.told("observation").length;
      if (isDraining) void arena.arena.drain();
      await arena.pass(3 * TICK_MS);
      assert.equal(person.told("end").length, 0);
      await arena.pass(TICK_MS + 100);
      const [end] = person.told("end");
      assert.deepEqual([end?.winner, end?.reason], ["B", "forfeit"]);
      assert.equal(person.told("observation").length, spoken + 4);
      assert.deepEqual(person.ending(), "1000 the fight is over");
      assert.equal((await storedOf(arena, person))?.finalTick, spoken + 3);
      await arena.pass(1000);
    }
  });

  test("that sends too much is told so in words for people", async () => {
    const ring = await openRing();
    const person = await begin(ring);
    for (let frames = 0; frames < 6; frames += 1) person.say({ type: "turn", tick: 1 });
    assert.equal(person.ending(), "4009 rate_limited");
    const text = String(person.told("error")[0]?.message);
    assert.match(text, /a page may send 5 messages a tick/);
    assert.doesNotMatch(text, /bot/);
    await ring.arena.pass(100);
  });

  test("has a tick each play_tick_ms, in which a house bot is not held back", async () => {
    const ring = await openRing();
    const { arena } = ring;
    const person = await begin(ring);
    await arena.pass(3 * TICK_MS);
    assert.equal(person.told("observation").length, 5);
    person.leave();
    await arena.pass(100);
    const replay = storedReplay(arena, String(person.told("hello")[0]?.match_id));
    assert.ok(replay.ticks.some(({ turns: [, bot] }) => JSON.stringify(bot) !== "{}"));
    assert.deepEqual(replay.header.mode, "human");
  });

  test("keeps the tick that it began with", async () => {
    const ring = await openRing();
    const { arena } = ring;
    const person = await begin(ring);
    arena.settings.change({ play_tick_ms: 50 });
    await arena.pass(TICK_MS);
    assert.equal(person.told("observation").length, 3);
    person.leave();
    const next = await begin(ring);
    const { length } = next.told("observation");
    await arena.pass(TICK_MS);
    assert.equal(next.told("observation").length, length + 10);
  });

  test("is void if the house bot is suspended or its thread dies, and nobody waits", async () => {
    for (const [how, act] of [
      ["suspended", (ring) => setStatus(ring.arena, ring.botId, "suspended")],
      ["dead", async (ring) => ring.crews[0]!.end()],
    ] satisfies [string, (ring: Ring) => Promise<void>][]) {
      const ring = await openRing();
      const person = await begin(ring);
      await act(ring);
      await ring.arena.pass(100);
      const [end] = person.told("end");
      assert.deepEqual([end?.voided, end?.reason], [true, "server_fault"], how);
      assert.equal((await storedOf(ring.arena, person))?.voided, true);
      assert.deepEqual(ring.arena.arena.running(), []);
    }
  });

  test("waits for a store that is full, and nobody begins another meanwhile", async () => {
    const store = memoryStore();
    const ring = await openRing({}, store);
    const { arena, knock } = ring;
    const person = await begin(ring);
    const { save } = store.matches;
    store.matches.save = async () => {
      throw new StoreError("full", "no room");
    };
    person.leave();
    await arena.pass(100);
    assert.equal(codeOf(await knock()), "server_busy");
    assert.equal(arena.arena.running().length, 1);
    store.matches.save = save;
    await arena.pass(3000);
    assert.equal((await storedOf(arena, person))?.reason, "forfeit");
    assert.deepEqual(arena.panics, []);
  });

  test("that does not read is cut off, and given up", async () => {
    const ring = await openRing();
    const person = await begin(ring);
    person.unread = 1024 * 1024;
    await ring.arena.pass(TICK_MS);
    assert.equal(person.ending(), "cut off");
    assert.equal((await storedOf(ring.arena, person))?.reason, "forfeit");
  });

  test("leaves no timer, session or figure behind", async () => {
    const ring = await openRing();
    const { arena } = ring;
    const before = [arena.clock.armed(), arena.arena.online(), arena.health.report().turns];
    const person = await begin(ring);
    person.leave();
    await arena.pass(1000);
    assert.equal(person.ending(), "left");
    assert.deepEqual(
      [arena.clock.armed(), arena.arena.online(), arena.health.report().turns],
      before,
    );
    assert.equal(arena.health.report().games.count, 0);
  });
});

suite("no fight begins", () => {
  test("while the event loop is late, and the next one a moment after", async () => {
    const { arena, knock } = await openRing();
    for (let pause = 0; pause < 10; pause += 1) arena.clock.stall(200);
    const refused = await knock();
    assert.deepEqual([codeOf(refused), refused.ending()], ["server_busy", "4013 server_busy"]);
    await arena.pass(4000);
    assert.equal((await knock()).told("hello").length, 1);
  });

  test("beyond play_concurrent, nor a second one of an address", async () => {
    const { arena, knock } = await openRing({ play_concurrent: 2 });
    const first = await knock("one");
    assert.equal(codeOf(await knock("one")), "already_fighting");
    await knock("two");
    assert.equal(codeOf(await knock("three")), "play_full");
    first.leave();
    await arena.pass(100);
    assert.equal((await knock("one")).told("hello").length, 1);
    arena.settings.change({ play_concurrent: 3 });
    assert.equal((await knock("three")).told("hello").length, 1);
  });

  test("more than play_starts_per_minute from one address, each of which leaves", async () => {
    const { arena, knock } = await openRing({ play_starts_per_minute: 3 });
    for (let starts = 0; starts < 3; starts += 1) (await knock("one")).leave();
    const hasty = await knock("one");
    assert.deepEqual([codeOf(hasty), hasty.ending()], ["rate_limited", "4009 rate_limited"]);
    assert.match(String(hasty.told("error")[0]?.message), /3 a minute may be\. Try again in 20 s/);
    assert.equal((await knock("two")).told("hello").length, 1);
    await arena.pass(20_000);
    assert.equal((await knock("one")).told("hello").length, 1);
  });

  test("a second one of an address, but for one that has left while its end is saved", async () => {
    const store = memoryStore();
    const ring = await openRing({}, store);
    const { arena, knock } = ring;
    const { save } = store.matches;
    const saves: (() => void)[] = [];
    store.matches.save = async (match) => {
      await new Promise<void>((resolve) => saves.push(resolve));
      return save.call(store.matches, match);
    };
    const person = await begin(ring, "one");
    assert.equal(codeOf(await knock("one")), "already_fighting");
    person.leave();
    await arena.pass(100);
    assert.equal(saves.length, 1);
    const again = await knock("one");
    assert.equal(again.told("hello").length, 1);
    saves[0]!();
    await arena.pass(100);
    assert.equal(codeOf(await knock("one")), "already_fighting");
    assert.equal((await storedOf(arena, person))?.reason, "forfeit");
  });

  test("against somebody who is not of this house, or must not play", async () => {
    const { arena, knock, botId } = await openRing();
    for (const opponent of ["champion", "house-kiter", ""])
      assert.equal(codeOf(await knock(null, opponent)), "unknown_opponent");
    await setStatus(arena, botId, "suspended");
    assert.equal(codeOf(await knock()), "unknown_opponent");
    assert.deepEqual(arena.arena.running(), []);
  });

  test("while a crew that died is hired again", async () => {
    const { arena, knock, crews } = await openRing();
    crews[0]!.end();
    await Promise.resolve();
    assert.equal(codeOf(await knock()), "server_busy");
    await arena.pass(3000);
    assert.equal((await knock()).told("hello").length, 1);
  });

  test("once the server drains", async () => {
    const { arena, knock } = await openRing();
    void arena.arena.drain();
    const late = await knock();
    assert.equal(late.told("server_draining").length, 1);
    assert.equal(late.ending(), "1012 server restarting");
    await arena.pass(1000);
  });
});
