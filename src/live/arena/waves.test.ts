import assert from "node:assert/strict";
import { suite, test } from "node:test";

import type { Limits } from "#core/limits/limits.ts";
import type { CreateMatchEngine } from "#live/match/match-engine.ts";
import { engineFactory } from "#live/match/shared-match-engine.ts";
import { localMatchmaker } from "#live/matchmaker/matchmaker-client.ts";
import { readStoredReplay, testArena } from "#testing/fixtures/test-arena.ts";
import type { FakeBot, TestArena } from "#testing/fixtures/test-arena.ts";

const QUEUE = { type: "queue", version: "v1" };

async function connectPlayers(
  arena: TestArena,
  owners: Record<string, string | undefined>,
  plays = false,
): Promise<Record<string, FakeBot>> {
  const bots: Record<string, FakeBot> = {};
  for (const [name, owner = name] of Object.entries(owners)) {
    await arena.addArenaBot(name, { owner, house: owner === "house" });
    bots[name] = await arena.connect(name);
    bots[name].autoPlays = plays;
    bots[name].send(QUEUE);
  }
  await arena.advanceTime(1);
  return bots;
}

const runningPairs = ({ arena }: TestArena) =>
  arena.runningMatches().map(({ names }) => names.toSorted().join("-"));

const states = ({ arena }: TestArena) =>
  Object.fromEntries(arena.onlineBots().map(({ name, state }) => [name, state]));

const errorCodes = (bot: FakeBot) => bot.receivedOfType("error").map(({ code }) => code);

suite("a wave", () => {
  test("runs every two seconds and pairs all waiting bots", async () => {
    const arena = await testArena();
    await connectPlayers(arena, { a: undefined, b: undefined });
    await arena.advanceTime(1900);
    assert.deepEqual(runningPairs(arena), []);
    await arena.advanceTime(150);
    assert.deepEqual(runningPairs(arena), ["a-b"]);
  });

  const forbiddenPairs: [name: string, owners: Record<string, string | undefined>][] = [
    ["two bots of one owner", { a: "Same", b: "sAME" }],
    ["two bots whose owner names differ only in spelling", { a: "Zoë", b: "ＺＯＥ\u0308" }],
    ["two house bots", { "house-kiter": "house", "house-brawler": "house" }],
    ["a single bot", { a: undefined }],
  ];
  for (const [name, owners] of forbiddenPairs)
    test(`never pairs ${name}`, async () => {
      const arena = await testArena();
      await connectPlayers(arena, owners);
      await arena.advanceTime(90_000);
      assert.deepEqual(runningPairs(arena), []);
    });

  test("doesn't call the matchmaker if only house bots are waiting", async () => {
    const requestSizes: string[] = [];
    const matchmaker = localMatchmaker();
    const { pair } = matchmaker;
    matchmaker.pair = (requests) => {
      requestSizes.push(...requests.map(({ waiting }) => `${waiting.length} wait`));
      return pair(requests);
    };
    const arena = await testArena({ matchmaker });
    await connectPlayers(arena, { "house-kiter": "house", "house-brawler": "house" });
    await arena.advanceTime(10_000);
    assert.deepEqual(requestSizes, []);
    await connectPlayers(arena, { a: undefined });
    await arena.advanceTime(2000);
    assert.deepEqual(requestSizes, ["3 wait"]);
  });

  test("logs each wave that had bots to pair, with its duration", async () => {
    const lines: object[] = [];
    const noop = () => {};
    const log = { info: noop, warn: noop, error: noop };
    const debug = (fields: object, text: string) => void lines.push({ ...fields, text });
    const arena = await testArena({ log: { ...log, debug } });
    await connectPlayers(arena, { a: undefined });
    await arena.advanceTime(10_000);
    assert.deepEqual(lines, []);
    await connectPlayers(arena, { b: undefined });
    await arena.advanceTime(2000);
    assert.deepEqual(lines, [{ waiting: 2, paired: 1, started: 1, ms: 0, text: "pairing wave" }]);
  });

  test("pairs two bots that have just met only after both have waited 10 seconds", async () => {
    const starts: number[] = [];
    const held: number[] = [];
    const matchmaker = localMatchmaker();
    const { pair } = matchmaker;
    matchmaker.pair = (requests) => {
      held.push(...requests[0]!.recentPairs.map(({ seconds }) => seconds));
      return pair(requests);
    };
    const arena = await testArena({ matchmaker });
    const { a, b } = await connectPlayers(arena, { a: undefined, b: undefined }, true);
    const both = [a, b];
    for (const round of [1, 2]) {
      await arena.advanceUntil(() =>
        both.every((bot) => bot!.receivedOfType("hello").length === round),
      );
      starts.push(arena.clock.now());
      await arena.advanceUntil(() =>
        both.every((bot) => bot!.receivedOfType("end").length === round),
      );
      starts.push(arena.clock.now());
      a!.send(QUEUE);
      await arena.advanceTime(3000);
      b!.send(QUEUE);
    }
    assert.ok(starts[2]! - starts[1]! >= 13e6, "the shorter wait counts");
    assert.ok(held.length > 0 && held.every((seconds) => seconds >= 3 && seconds < 10));
  });

  test("starts no more matches than the server can run", async () => {
    const arena = await testArena({ limits: { max_concurrent: 2 } });
    const names = ["a", "b", "c", "d", "e", "f"];
    const bots = await connectPlayers(
      arena,
      Object.fromEntries(names.map((name) => [name, undefined])),
    );
    await arena.advanceTime(4100);
    assert.deepEqual(arena.arena.capacity(), { running: 2, max: 2 });
    assert.equal(Object.values(states(arena)).filter((state) => state === "waiting").length, 2);
    assert.ok(Object.values(bots).every((bot) => errorCodes(bot).length === 0));
  });

  test("keeps the match interval between a bot's starts", async () => {
    const arena = await testArena({ limits: { match_interval_s: 30 } });
    const { a, b } = await connectPlayers(arena, { a: undefined, b: undefined }, true);
    await arena.advanceUntil(() => b!.receivedOfType("hello").length === 1);
    const first = arena.clock.now();
    await arena.advanceUntil(() => hasPlayed(a!) && hasPlayed(b!));
    b!.send(QUEUE);
    await connectPlayers(arena, { c: undefined });
    await arena.advanceUntil(() => b!.receivedOfType("hello").length === 2);
    assert.ok(arena.clock.now() - first >= 29.9e6);
  });

  test("starts no match for a bot that leaves during pairing", async () => {
    const matchmaker = localMatchmaker();
    const { pair } = matchmaker;
    const resolvers: (() => void)[] = [];
    matchmaker.pair = async (requests) => {
      const pairings = await pair(requests);
      await new Promise<void>((resolve) => resolvers.push(resolve));
      return pairings;
    };
    const arena = await testArena({ matchmaker });
    const bots = await connectPlayers(arena, {
      a: undefined,
      b: undefined,
      c: undefined,
      d: undefined,
    });
    await arena.advanceUntil(() => resolvers.length === 1);
    bots.a!.send({ type: "leave" });
    bots.b!.send(QUEUE);
    bots.c!.disconnect();
    resolvers[0]!();
    await arena.advanceTime(100);
    assert.deepEqual(runningPairs(arena), []);
    assert.deepEqual(states(arena), { a: "idle", b: "waiting", d: "waiting" });
    await arena.advanceUntil(() => resolvers.length === 2);
    resolvers[1]!();
    await arena.advanceTime(100);
    assert.deepEqual(runningPairs(arena), ["b-d"]);
  });

  test("runs again after a failed wave", async () => {
    const matchmaker = localMatchmaker();
    const { pair } = matchmaker;
    matchmaker.pair = () => {
      matchmaker.pair = pair;
      throw new Error("matchmaker fault");
    };
    const arena = await testArena({ matchmaker });
    await connectPlayers(arena, { a: undefined, b: undefined });
    await arena.advanceTime(4200);
    assert.deepEqual(arena.log, ["round failed"]);
    assert.deepEqual(runningPairs(arena), ["a-b"]);
  });
});

const hasPlayed = (bot: FakeBot) => bot.receivedOfType("end").length === 1;

suite("a quota", () => {
  type QuotaCase = [reason: string, limits: Partial<Limits>];
  const cases: QuotaCase[] = [
    ["hourly_quota", { hourly_quota: 1 }],
    ["owner_daily_quota", { owner_daily_quota: 1 }],
  ];
  for (const [reason, limits] of cases)
    test(`${reason} holds back a bot, which stays queued and is notified every 5 minutes`, async () => {
      const arena = await testArena({ limits: limits });
      const { a, b } = await connectPlayers(arena, { a: undefined, b: undefined }, true);
      await arena.advanceUntil(() => hasPlayed(a!) && hasPlayed(b!));
      for (const bot of [a, b]) bot!.send(QUEUE);
      await arena.advanceTime(290_000);
      assert.deepEqual(states(arena), { a: "waiting", b: "waiting" });
      assert.deepEqual(errorCodes(a!), ["quota_exceeded"]);
      assert.match(String(a!.receivedOfType("error")[0]!.message), new RegExp(`${reason} \\(1\\)`));
      await arena.advanceTime(20_000);
      assert.deepEqual(errorCodes(a!), ["quota_exceeded", "quota_exceeded"]);
      const audit = await arena.store.audit.list({ kind: "bot.throttled", limit: 10 });
      assert.deepEqual(
        audit.map(({ subject, detail }) => [subject?.name, detail]).toSorted(),
        ["a", "a", "b", "b"].map((name) => [name, { reason }]),
      );
      assert.equal(a!.closeReason(), null);
    });

  test("allows another match after an hour", async () => {
    const arena = await testArena({ limits: { hourly_quota: 1, ping_interval_s: 100_000 } });
    const { a, b } = await connectPlayers(arena, { a: undefined, b: undefined }, true);
    await arena.advanceUntil(() => hasPlayed(a!) && hasPlayed(b!));
    for (const bot of [a, b]) bot!.send(QUEUE);
    arena.clock.advance(3_600_000);
    await arena.advanceTime(4000);
    await arena.advanceUntil(() => a!.receivedOfType("end").length === 2);
  });

  test("on concurrent matches counts all of an owner's bots but no house bots", async () => {
    const arena = await testArena({ limits: { owner_concurrency: 1 } });
    const bots = await connectPlayers(arena, {
      a1: "A",
      a2: "a",
      b: undefined,
      "house-kiter": "house",
      "house-brawler": "house",
    });
    await arena.advanceTime(4200);
    assert.equal(runningPairs(arena).length, 2);
    const waiting = Object.entries(states(arena)).filter(([, state]) => state === "waiting");
    const [held] = waiting[0]!;
    assert.ok(held === "a1" || held === "a2", held);
    assert.equal(waiting.length, 1);
    assert.deepEqual(errorCodes(bots[held]!), ["quota_exceeded"]);
    assert.match(
      String(bots[held]!.receivedOfType("error")[0]!.message),
      /owner_concurrency \(1\)/,
    );
    assert.deepEqual(Object.values(bots).flatMap(errorCodes), ["quota_exceeded"]);
  });
});

test("a wave applies the configured rematch hold", async () => {
  for (const [rematch_hold_s, starts] of [
    [2, 2],
    [20, 1],
  ] as const) {
    const arena = await testArena({ limits: { rematch_hold_s } });
    const bots = await connectPlayers(arena, { a: undefined, b: undefined }, true);
    await arena.advanceUntil(() =>
      Object.values(bots).every((bot) => bot.receivedOfType("end").length === 1),
    );
    for (const bot of Object.values(bots)) bot.send(QUEUE);
    await arena.advanceTime(8000);
    assert.deepEqual(
      Object.values(bots).map((bot) => bot.receivedOfType("hello").length),
      [starts, starts],
    );
  }
});

suite("T35 a server fault in one match", () => {
  test("during setup leaves both bots queued and other matches running", async () => {
    const createEngine = engineFactory();
    let createdCount = 0;
    const failingEngines: CreateMatchEngine = (setup) => {
      createdCount += 1;
      if (createdCount === 2) throw new Error("a fault");
      return createEngine(setup);
    };
    const arena = await testArena({ createEngine: failingEngines });
    const names = ["a", "b", "c", "d", "e", "f"];
    await connectPlayers(arena, Object.fromEntries(names.map((name) => [name, undefined])));
    await arena.advanceTime(2100);
    assert.deepEqual(arena.log, ["could not start match"]);
    assert.equal(runningPairs(arena).length, 2);
    await arena.advanceTime(2100);
    assert.equal(runningPairs(arena).length, 3);
  });

  test("during play voids it but keeps its finished ticks, and other matches stay rated", async () => {
    const arena = await testArena();
    const names = ["a", "b", "c", "d"];
    const owners = Object.fromEntries(names.map((name) => [name, undefined]));
    const bots = await connectPlayers(arena, owners, true);
    // A throwing connection causes the fault while the match handles an event.
    const broken = bots.a;
    let isFirstRead = true;
    Object.defineProperty(broken, "unreadBytes", {
      get: () => {
        if (isFirstRead && broken!.receivedOfType("observation").length === 8) {
          isFirstRead = false;
          throw new Error("a fault");
        }
        return 0;
      },
    });
    await arena.advanceUntil(() => Object.values(bots).every(hasPlayed));
    const endMessages = names.map((name) => bots[name]!.receivedOfType("end")[0]!);
    const voided = endMessages.filter(({ reason }) => reason === "server_fault");
    assert.equal(voided.length, 2);
    assert.equal(voided[0]!.match_id, broken!.receivedOfType("end")[0]!.match_id);
    for (const end of voided)
      assert.deepEqual([end.voided, end.rating_change, end.stats], [true, null, null]);
    assert.ok(
      endMessages
        .filter((end) => !voided.includes(end))
        .every(({ rating_change }) => rating_change !== null),
    );
    assert.deepEqual(arena.log, ["match failed and is void"]);
    const storedMatch = await arena.store.matches.byId(voided[0]!.match_id as string);
    assert.deepEqual(
      [storedMatch?.reason, storedMatch?.voided, storedMatch?.finalTick],
      ["server_fault", true, 7],
    );
    assert.equal(readStoredReplay(arena, voided[0]!.match_id as string).ticks.length, 7);
  });
});
