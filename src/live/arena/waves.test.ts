import assert from "node:assert/strict";
import { suite, test } from "node:test";

import type { Limits } from "#core/words/limits.ts";
import { engineFights } from "#live/match/engine-fight.ts";
import type { Fights } from "#live/match/fight-port.ts";
import { localMatchmaker } from "#live/matchmaker/matchmaker-client.ts";
import { storedReplay, testArena } from "#testing/fixtures/test-arena.ts";
import type { FakeBot, TestArena } from "#testing/fixtures/test-arena.ts";

const QUEUE = { type: "queue", version: "v1" };

/** Connects bots and queues each. A bot without a given owner has its own. They play on request. */
async function players(
  arena: TestArena,
  owners: Record<string, string | undefined>,
  plays = false,
): Promise<Record<string, FakeBot>> {
  const bots: Record<string, FakeBot> = {};
  for (const [name, owner = name] of Object.entries(owners)) {
    await arena.addBot(name, { owner, house: owner === "house" });
    bots[name] = await arena.connect(name);
    bots[name].plays = plays;
    bots[name].say(QUEUE);
  }
  await arena.pass(1);
  return bots;
}

const opponents = ({ arena }: TestArena) =>
  arena.running().map(({ names }) => names.toSorted().join("-"));

const states = ({ arena }: TestArena) =>
  Object.fromEntries(arena.online().map(({ name, state }) => [name, state]));

/** The codes of the errors that a bot was told. */
const errors = (bot: FakeBot) => bot.told("error").map(({ code }) => code);

suite("a wave", () => {
  test("comes every two seconds and pairs whoever waits", async () => {
    const arena = await testArena();
    await players(arena, { a: undefined, b: undefined });
    await arena.pass(1900);
    assert.deepEqual(opponents(arena), []);
    await arena.pass(150);
    assert.deepEqual(opponents(arena), ["a-b"]);
  });

  const forbidden: [name: string, owners: Record<string, string | undefined>][] = [
    ["two bots of one owner", { a: "Same", b: "sAME" }],
    ["two bots of one owner written in two ways", { a: "Zoë", b: "ＺＯＥ\u0308" }],
    ["two house bots", { "house-kiter": "house", "house-brawler": "house" }],
    ["a bot alone", { a: undefined }],
  ];
  for (const [name, owners] of forbidden)
    test(`never pairs ${name}`, async () => {
      const arena = await testArena();
      await players(arena, owners);
      await arena.pass(90_000);
      assert.deepEqual(opponents(arena), []);
    });

  test("asks the matchmaker nothing where only the house waits", async () => {
    const asked: string[] = [];
    const matchmaker = localMatchmaker();
    const { pair } = matchmaker;
    matchmaker.pair = (requests) => {
      asked.push(...requests.map(({ waiting }) => `${waiting.length} wait`));
      return pair(requests);
    };
    const arena = await testArena({ matchmaker });
    await players(arena, { "house-kiter": "house", "house-brawler": "house" });
    await arena.pass(10_000);
    assert.deepEqual(asked, []);
    await players(arena, { a: undefined });
    await arena.pass(2000);
    assert.deepEqual(asked, ["3 wait"]);
  });

  test("logs each wave in which bots could be paired, with how long it took", async () => {
    const lines: object[] = [];
    const quiet = () => {};
    const log = { info: quiet, warn: quiet, error: quiet };
    const debug = (fields: object, text: string) => void lines.push({ ...fields, text });
    const arena = await testArena({ log: { ...log, debug } });
    await players(arena, { a: undefined });
    await arena.pass(10_000);
    assert.deepEqual(lines, []);
    await players(arena, { b: undefined });
    await arena.pass(2000);
    assert.deepEqual(lines, [{ waiting: 2, paired: 1, started: 1, ms: 0, text: "pairing wave" }]);
  });

  test("pairs two that just met only when both have waited ten seconds since", async () => {
    const starts: number[] = [];
    const held: number[] = [];
    const matchmaker = localMatchmaker();
    const { pair } = matchmaker;
    matchmaker.pair = (requests) => {
      held.push(...requests[0]!.met.map(({ seconds }) => seconds));
      return pair(requests);
    };
    const arena = await testArena({ matchmaker });
    const { a, b } = await players(arena, { a: undefined, b: undefined }, true);
    const both = [a, b];
    for (const round of [1, 2]) {
      await arena.until(() => both.every((bot) => bot!.told("hello").length === round));
      starts.push(arena.clock.now());
      await arena.until(() => both.every((bot) => bot!.told("end").length === round));
      starts.push(arena.clock.now());
      a!.say(QUEUE);
      await arena.pass(3000);
      b!.say(QUEUE);
    }
    assert.ok(starts[2]! - starts[1]! >= 13e6, "the shorter wait counts");
    assert.ok(held.length > 0 && held.every((seconds) => seconds >= 3 && seconds < 10));
  });

  test("starts no more matches than the server may have", async () => {
    const arena = await testArena({ limits: { max_concurrent: 2 } });
    const names = ["a", "b", "c", "d", "e", "f"];
    const bots = await players(arena, Object.fromEntries(names.map((name) => [name, undefined])));
    await arena.pass(4100);
    assert.deepEqual(arena.arena.capacity(), { running: 2, max: 2 });
    assert.equal(Object.values(states(arena)).filter((state) => state === "waiting").length, 2);
    assert.ok(Object.values(bots).every((bot) => errors(bot).length === 0));
  });

  test("keeps a bot's starts apart by the match interval", async () => {
    const arena = await testArena({ limits: { match_interval_s: 30 } });
    const { a, b } = await players(arena, { a: undefined, b: undefined }, true);
    await arena.until(() => b!.told("hello").length === 1);
    const first = arena.clock.now();
    await arena.until(() => played(a!) && played(b!));
    b!.say(QUEUE);
    await players(arena, { c: undefined });
    await arena.until(() => b!.told("hello").length === 2);
    assert.ok(arena.clock.now() - first >= 29.9e6);
  });

  test("drags nobody into a match who left while the matchmaker was thinking", async () => {
    const matchmaker = localMatchmaker();
    const { pair } = matchmaker;
    const thinking: (() => void)[] = [];
    matchmaker.pair = async (requests) => {
      const paired = await pair(requests);
      await new Promise<void>((resolve) => thinking.push(resolve));
      return paired;
    };
    const arena = await testArena({ matchmaker });
    const bots = await players(arena, { a: undefined, b: undefined, c: undefined, d: undefined });
    await arena.until(() => thinking.length === 1);
    bots.a!.say({ type: "leave" });
    bots.b!.say(QUEUE);
    bots.c!.leave();
    thinking[0]!();
    await arena.pass(100);
    assert.deepEqual(opponents(arena), []);
    assert.deepEqual(states(arena), { a: "idle", b: "waiting", d: "waiting" });
    await arena.until(() => thinking.length === 2);
    thinking[1]!();
    await arena.pass(100);
    assert.deepEqual(opponents(arena), ["b-d"]);
  });

  test("goes on after one that failed", async () => {
    const matchmaker = localMatchmaker();
    const { pair } = matchmaker;
    matchmaker.pair = () => {
      matchmaker.pair = pair;
      throw new Error("the matchmaker stumbles");
    };
    const arena = await testArena({ matchmaker });
    await players(arena, { a: undefined, b: undefined });
    await arena.pass(4200);
    assert.deepEqual(arena.log, ["a round failed"]);
    assert.deepEqual(opponents(arena), ["a-b"]);
  });
});

const played = (bot: FakeBot) => bot.told("end").length === 1;

suite("a quota", () => {
  type QuotaCase = [reason: string, limits: Partial<Limits>];
  const cases: QuotaCase[] = [
    ["hourly_quota", { hourly_quota: 1 }],
    ["owner_daily_quota", { owner_daily_quota: 1 }],
  ];
  for (const [reason, limits] of cases)
    test(`${reason} holds a bot back, which stays queued and hears of it every five minutes`, async () => {
      const arena = await testArena({ limits: limits });
      const { a, b } = await players(arena, { a: undefined, b: undefined }, true);
      await arena.until(() => played(a!) && played(b!));
      for (const bot of [a, b]) bot!.say(QUEUE);
      await arena.pass(290_000);
      assert.deepEqual(states(arena), { a: "waiting", b: "waiting" });
      assert.deepEqual(errors(a!), ["quota_exceeded"]);
      assert.match(String(a!.told("error")[0]!.message), new RegExp(`${reason} \\(1\\)`));
      await arena.pass(20_000);
      assert.deepEqual(errors(a!), ["quota_exceeded", "quota_exceeded"]);
      const audit = await arena.store.audit.list({ kind: "bot.throttled", limit: 10 });
      assert.deepEqual(
        audit.map(({ subject, detail }) => [subject?.name, detail]).toSorted(),
        ["a", "a", "b", "b"].map((name) => [name, { reason }]),
      );
      assert.equal(a!.ending(), null);
    });

  test("ends: the bot plays again when its hour is over", async () => {
    const arena = await testArena({ limits: { hourly_quota: 1, ping_interval_s: 100_000 } });
    const { a, b } = await players(arena, { a: undefined, b: undefined }, true);
    await arena.until(() => played(a!) && played(b!));
    for (const bot of [a, b]) bot!.say(QUEUE);
    arena.clock.pass(3_600_000);
    await arena.pass(4000);
    await arena.until(() => a!.told("end").length === 2);
  });

  test("of matches at once counts all bots of an owner, and not those of the house", async () => {
    const arena = await testArena({ limits: { owner_concurrency: 1 } });
    const bots = await players(arena, {
      a1: "A",
      a2: "a",
      b: undefined,
      "house-kiter": "house",
      "house-brawler": "house",
    });
    await arena.pass(4200);
    assert.equal(opponents(arena).length, 2);
    const waiting = Object.entries(states(arena)).filter(([, state]) => state === "waiting");
    const [held] = waiting[0]!;
    assert.ok(held === "a1" || held === "a2", held);
    assert.equal(waiting.length, 1);
    assert.deepEqual(errors(bots[held]!), ["quota_exceeded"]);
    assert.match(String(bots[held]!.told("error")[0]!.message), /owner_concurrency \(1\)/);
    assert.deepEqual(Object.values(bots).flatMap(errors), ["quota_exceeded"]);
  });
});

test("the hold of a wave is that of the table of limits", async () => {
  for (const [rematch_hold_s, starts] of [
    [2, 2],
    [20, 1],
  ] as const) {
    const arena = await testArena({ limits: { rematch_hold_s } });
    const bots = await players(arena, { a: undefined, b: undefined }, true);
    await arena.until(() => Object.values(bots).every((bot) => bot.told("end").length === 1));
    for (const bot of Object.values(bots)) bot.say(QUEUE);
    await arena.pass(8000);
    assert.deepEqual(
      Object.values(bots).map((bot) => bot.told("hello").length),
      [starts, starts],
    );
  }
});

suite("T35 a fault of the server in one match", () => {
  test("when it is made leaves its bots in the queue, and the others play", async () => {
    const makeFight = engineFights();
    let made = 0;
    const fights: Fights = (setup) => {
      made += 1;
      if (made === 2) throw new Error("a fault");
      return makeFight(setup);
    };
    const arena = await testArena({ fights });
    const names = ["a", "b", "c", "d", "e", "f"];
    await players(arena, Object.fromEntries(names.map((name) => [name, undefined])));
    await arena.pass(2100);
    assert.deepEqual(arena.log, ["a match could not be started"]);
    assert.equal(opponents(arena).length, 2);
    await arena.pass(2100);
    assert.equal(opponents(arena).length, 3);
  });

  test("while it is played voids it, with its finished ticks; the others are rated", async () => {
    const arena = await testArena();
    const names = ["a", "b", "c", "d"];
    const owners = Object.fromEntries(names.map((name) => [name, undefined]));
    const bots = await players(arena, owners, true);
    // A connection that throws is a fault in the middle of this match's own event.
    const broken = bots.a;
    let isSound = true;
    Object.defineProperty(broken, "unread", {
      get: () => {
        if (isSound && broken!.told("observation").length === 8) {
          isSound = false;
          throw new Error("a fault");
        }
        return 0;
      },
    });
    await arena.until(() => Object.values(bots).every(played));
    const ends = names.map((name) => bots[name]!.told("end")[0]!);
    const voided = ends.filter(({ reason }) => reason === "server_fault");
    assert.equal(voided.length, 2);
    assert.equal(voided[0]!.match_id, broken!.told("end")[0]!.match_id);
    for (const end of voided)
      assert.deepEqual([end.voided, end.rating_change, end.stats], [true, null, null]);
    assert.ok(
      ends
        .filter((end) => !voided.includes(end))
        .every(({ rating_change }) => rating_change !== null),
    );
    assert.deepEqual(arena.log, ["a match failed and is void"]);
    const stored = await arena.store.matches.byId(voided[0]!.match_id as string);
    assert.deepEqual(
      [stored?.reason, stored?.voided, stored?.finalTick],
      ["server_fault", true, 7],
    );
    assert.equal(storedReplay(arena, voided[0]!.match_id as string).ticks.length, 7);
  });
});
