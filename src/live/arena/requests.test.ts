// Opponent requests: from the moment they are stored to the match that serves them.
import assert from "node:assert/strict";
import { suite, test } from "node:test";

import { localMatchmaker } from "#live/matchmaker/matchmaker-client.ts";
import { ask, begun, ids, openHall, QUEUE, stateOf } from "#testing/fixtures/request-hall.ts";
import type { RequestHall as Hall } from "#testing/fixtures/request-hall.ts";
import { setStatus } from "#testing/fixtures/test-arena.ts";
import { changedStore } from "#testing/store-cases/changed-store.ts";
import { memoryStore, memoryStores } from "#testing/store-cases/memory-store.ts";
import { sampleId } from "#testing/store-cases/store-samples.ts";

const pending = async ({ store }: Hall) => (await store.requests.pending()).map(({ id }) => id);

const started = async ({ store, request }: Hall) =>
  (await store.requests.latest(request.eventId, request.accountId)).served?.started ?? null;

const names = ({ arena }: Hall) => arena.running().map((match) => match.names.toSorted().join("-"));

async function play(hall: Hall): Promise<void> {
  for (const bot of [hall.rex, hall.kiter]) {
    bot.plays = true;
    bot.say({ type: "ready" });
  }
  await served(hall);
}

async function served(hall: Hall): Promise<void> {
  await hall.until(() => hall.rex.told("end").length > 0);
  await hall.pass(100);
}

suite("an opponent request", () => {
  test("is served by the next wave in which both wait, rated, and then is over", async () => {
    const hall = await openHall();
    await ask(hall);
    assert.equal(stateOf(hall), "pending");
    hall.rex.say(QUEUE);
    await hall.pass(6000);
    assert.equal(hall.rex.told("hello").length, 0, "the house bot does not wait yet");
    await begun(hall);
    const { eventId, accountId } = hall.request;
    const [match] = hall.arena.running();
    assert.deepEqual(hall.arena.requestOf(eventId, accountId), {
      request: hall.request,
      state: "playing",
      matchId: match!.id,
    });
    await play(hall);
    const end = hall.rex.told("end")[0]!;
    assert.equal(end.rated, true);
    assert.equal(stateOf(hall), null);
    assert.deepEqual(await pending(hall), []);
    const stored = await hall.store.matches.byId(String(end.match_id));
    assert.equal(await started(hall), stored!.started);
  });

  test("is what a bot is told to wait for: the next wave, however full the ladder is", async () => {
    const hall = await openHall({ limits: { max_concurrent: 1 } });
    const join = async (name: string) => {
      await hall.addBot(name);
      const bot = await hall.connect(name);
      bot.plays = true;
      bot.say(QUEUE);
    };
    hall.rex.say(QUEUE);
    await hall.pass(30_000);
    await join("late");
    await served(hall);
    await ask(hall);
    for (const name of ["old", "older", "oldest"]) await join(name);
    hall.kiter.say(QUEUE);
    await hall.pass(20);
    hall.rex.say(QUEUE);
    const seconds = hall.rex.told("queued").at(-1)!.estimated_wait_s as number;
    assert.ok(seconds <= 2, `${seconds} s, where waits were 30 s so far`);
    await hall.until(() => stateOf(hall) !== "pending");
  });

  test("that has to wait out a hold is announced with it", async () => {
    const hall = await openHall();
    hall.rex.say(QUEUE);
    hall.kiter.say(QUEUE);
    await served(hall);
    await ask(hall);
    await hall.addBot("near");
    const near = await hall.connect("near");
    near.say(QUEUE);
    hall.kiter.say(QUEUE);
    await hall.pass(20);
    hall.rex.say(QUEUE);
    await hall.pass(20);
    const seconds = hall.rex.told("queued").at(-1)!.estimated_wait_s as number;
    assert.ok(seconds >= 8, `${seconds} s: the two rest for their game, whoever else waits`);
    const since = hall.clock.now();
    await hall.until(() => hall.rex.told("hello").length === 2);
    assert.ok(Math.abs((hall.clock.now() - since) / 1e6 - seconds) < 2.1);
  });

  test("waits until the version with which its opponent plays is approved again", async () => {
    let approved = "v1";
    const hall = await openHall({
      isApproved: (_, kind, label) => `${kind} ${label}` === approved,
    });
    await ask(hall);
    for (const bot of [hall.rex, hall.kiter]) bot.say(QUEUE);
    await hall.until(() => hall.rex.told("end").length === 1);
    assert.deepEqual(await pending(hall), [hall.request.id], "their game was one like any other");
    assert.equal(stateOf(hall), "pending");
    approved = "kiter v1";
    await hall.pass(11_000);
    for (const bot of [hall.rex, hall.kiter]) bot.say(QUEUE);
    await hall.until(() => hall.rex.told("end").length === 2);
    assert.deepEqual(await pending(hall), []);
    const end = hall.rex.told("end")[1]!;
    const served = await hall.store.matches.byId(String(end.match_id));
    assert.equal(await started(hall), served!.started);
  });

  test("comes before a pair that has waited longer", async () => {
    const hall = await openHall({ limits: { max_concurrent: 1 } });
    for (const name of ["old", "older"]) {
      await hall.addBot(name);
      const bot = await hall.connect(name);
      bot.say(QUEUE);
      await hall.pass(20);
    }
    await ask(hall);
    await begun(hall);
    assert.deepEqual(names(hall), ["Kiter-rex"]);
  });

  test("waits out the hold of the two, and their games until then", async () => {
    const hall = await openHall();
    hall.rex.say(QUEUE);
    hall.kiter.say(QUEUE);
    await served(hall);
    await ask(hall);
    hall.rex.say(QUEUE);
    hall.kiter.say(QUEUE);
    await hall.pass(8000);
    assert.equal(hall.rex.told("hello").length, 1);
    assert.equal(stateOf(hall), "pending");
    await hall.until(() => hall.rex.told("end").length === 2);
    assert.deepEqual(await pending(hall), []);
  });

  test("of a lone player comes when the hold is over, with three other house bots about", async () => {
    const hall = await openHall();
    await begun(hall);
    for (const name of ["house-brawler", "house-ts-starter", "house-champion"]) {
      await hall.addBot(name, { house: true, owner: "house" });
      const bot = await hall.connect(name);
      bot.plays = true;
      bot.say(QUEUE);
    }
    await play(hall);
    await ask(hall);
    hall.rex.say(QUEUE);
    hall.kiter.say(QUEUE);
    await hall.pass(12_100);
    assert.equal(hall.rex.told("hello").length, 2, "it has met nobody else");
    assert.notEqual(stateOf(hall), "pending");
  });

  test("waits for room: of the server, of the owner, and of the house", async () => {
    for (const limits of [{ max_concurrent: 0 }, { hourly_quota: 0 }, { house_concurrency: 0 }]) {
      const hall = await openHall({ limits });
      await ask(hall);
      hall.rex.say(QUEUE);
      hall.kiter.say(QUEUE);
      await hall.pass(6000);
      assert.equal(hall.rex.told("hello").length, 0, JSON.stringify(limits));
      assert.equal(stateOf(hall), "pending");
    }
  });

  test("stays pending after a void match, and is served by another one", async () => {
    const hall = await openHall();
    await ask(hall);
    hall.rex.plays = false;
    hall.kiter.plays = false;
    hall.rex.say(QUEUE);
    hall.kiter.say(QUEUE);
    await hall.until(() => hall.rex.told("end").length === 1);
    assert.equal(hall.rex.told("end")[0]?.voided, true);
    assert.equal(stateOf(hall), "pending");
    assert.deepEqual(await pending(hall), [hall.request.id]);
    hall.rex.plays = true;
    hall.kiter.plays = true;
    hall.rex.say(QUEUE);
    hall.kiter.say(QUEUE);
    await hall.until(() => hall.rex.told("end").length === 2);
    assert.deepEqual(await pending(hall), []);
  });

  test("outlives disconnects and a restart, also one in the middle of its match", async () => {
    const open = memoryStores();
    const first = await openHall({ store: open() });
    await ask(first);
    first.rex.leave();
    await first.pass(4000);
    assert.equal(stateOf(first), "pending");
    await begun({ ...first, rex: await first.connect("rex") });
    assert.equal(stateOf(first), "playing");
    first.arena.stop();
    const second = await openHall({ store: open(), newId: ids("b") });
    assert.equal(stateOf(second), "pending");
    second.rex.say(QUEUE);
    second.kiter.say(QUEUE);
    await served(second);
    assert.deepEqual(await pending(second), []);
    second.arena.stop();
    const third = await openHall({ store: open(), newId: ids("c") });
    assert.equal(stateOf(third), null, "it is served once");
  });

  test("that is cancelled starts nothing; a game that has begun goes on and serves it", async () => {
    const hall = await openHall();
    const { eventId, accountId, id } = hall.request;
    await ask(hall);
    await hall.store.requests.cancel(eventId, accountId);
    hall.arena.requestCancelled(id);
    assert.equal(stateOf(hall), null);
    const again = { ...hall.request, id: sampleId("request", 2) };
    await ask(hall, again);
    await begun(hall);
    await hall.store.requests.cancel(eventId, accountId);
    hall.arena.requestCancelled(again.id);
    assert.equal(stateOf(hall), "playing");
    await play(hall);
    assert.equal(stateOf(hall), null);
    assert.ok((await started(hall)) !== null);
  });
});

suite("a request is given up", () => {
  const gone: [what: string, go: (hall: Hall) => unknown][] = [
    ["its bot is retired", (hall) => setStatus(hall, hall.request.botId, "retired")],
    ["its bot is banned", (hall) => setStatus(hall, hall.request.botId, "banned")],
    [
      "its bot is deleted",
      async (hall) => {
        await hall.store.bots.delete(hall.request.botId);
        hall.arena.botDeleted(hall.request.botId);
      },
    ],
    [
      "its bot has another owner",
      async ({ store, arena, request }) => {
        const bot = (await store.bots.byId(request.botId))!;
        arena.botChanged({ ...bot, ownerId: "anon:bob" });
      },
    ],
  ];
  for (const [what, go] of gone)
    test(`when ${what}`, async () => {
      const hall = await openHall();
      await ask(hall);
      await go(hall);
      assert.equal(stateOf(hall), null);
      await hall.pass(2100);
      assert.deepEqual(await pending(hall), []);
    });

  test("when its event closes, and only then", async () => {
    let isOpen = true;
    const hall = await openHall({ isEventOpen: () => isOpen });
    await ask(hall);
    await hall.pass(4100);
    assert.equal(stateOf(hall), "pending");
    isOpen = false;
    hall.rex.say(QUEUE);
    hall.kiter.say(QUEUE);
    await hall.pass(2100);
    assert.equal(stateOf(hall), null);
    assert.deepEqual(await pending(hall), []);
  });

  test("is null as soon as its event closes", async () => {
    let isOpen = true;
    const hall = await openHall({ isEventOpen: () => isOpen });
    await ask(hall);
    isOpen = false;
    assert.equal(stateOf(hall), null);
  });

  test("not while its bot is suspended: that may end", async () => {
    const hall = await openHall();
    await ask(hall);
    await setStatus(hall, hall.request.botId, "suspended");
    await hall.pass(4100);
    assert.equal(stateOf(hall), "pending");
  });

  test("at the next start when its bot is gone or its event closed meanwhile", async () => {
    const open = memoryStores();
    const first = await openHall({ store: open() });
    await ask(first);
    first.arena.stop();
    const second = await openHall({
      store: open(),
      newId: ids("b"),
      isEventOpen: () => false,
    });
    await second.pass(2100);
    assert.deepEqual(await pending(second), []);
  });

  test("once the store can be reached", async () => {
    const store = memoryStore();
    let failures = 2;
    const hall = await openHall({
      store: changedStore(store, {
        requests: {
          drop: async (id) => {
            if (failures-- > 0) throw new Error("out of reach");
            return store.requests.drop(id);
          },
        },
      }),
    });
    await ask(hall);
    await setStatus(hall, hall.request.botId, "retired");
    await hall.pass(6100);
    assert.deepEqual(await pending(hall), []);
    assert.deepEqual(new Set(hall.log), new Set(["a request could not be given up yet"]));
  });
});

suite("while the matchmaker makes its match, none begins for a request", () => {
  let isApproved = true;
  const changes: [what: string, change: (hall: Hall) => void][] = [
    ["was cancelled", ({ arena, request }) => arena.requestCancelled(request.id)],
    ["lost its opponent's approval", () => void (isApproved = false)],
  ];
  for (const [what, change] of changes)
    test(`that ${what}`, async () => {
      isApproved = true;
      const matchmaker = localMatchmaker();
      const hall: Hall = await openHall({
        isApproved: () => isApproved,
        matchmaker: {
          ...matchmaker,
          pair: async (requests) => {
            const paired = await matchmaker.pair(requests);
            if (paired[0]?.reasons.ground === "requested") change(hall);
            return paired;
          },
        },
      });
      await ask(hall);
      hall.rex.say(QUEUE);
      hall.kiter.say(QUEUE);
      await hall.pass(2050);
      assert.equal(hall.rex.told("hello").length, 0);
      await hall.pass(2100);
      assert.equal(hall.rex.told("hello").length, 1, "it is paired like any other");
    });
});

test("games with house bots are bounded, and nobody is kept from another game for one", async () => {
  const pairs: number[] = [];
  const matchmaker = localMatchmaker();
  const hall = await openHall({
    limits: { house_concurrency: 1 },
    matchmaker: {
      ...matchmaker,
      pair: async (requests) => {
        const paired = await matchmaker.pair(requests);
        pairs.push(paired.length);
        return paired;
      },
    },
  });
  await hall.addBot("house-brawler", { house: true, owner: "house" });
  const brawler = await hall.connect("house-brawler");
  for (const name of ["max", "tim"]) {
    await hall.addBot(name);
    (await hall.connect(name)).say(QUEUE);
  }
  for (const bot of [hall.rex, hall.kiter, brawler]) bot.say(QUEUE);
  await hall.pass(2100);
  const withHouse = hall.arena.running().filter(({ names }) => names.some(isHouse));
  assert.deepEqual([hall.arena.running().length, withHouse.length, pairs[0]], [2, 1, 2]);
  await hall.pass(4000);
  assert.equal(hall.arena.running().length, 2);
});

const isHouse = (name: string) => ["Kiter", "Brawler"].includes(name);
