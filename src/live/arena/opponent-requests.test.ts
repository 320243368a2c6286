import assert from "node:assert/strict";
import { suite, test } from "node:test";

import { localMatchmaker } from "#live/matchmaker/matchmaker-client.ts";
import {
  storeRequest,
  startRequestedMatch,
  sequentialIds,
  openRequestArena,
  QUEUE_MESSAGE,
  requestState,
} from "#testing/fixtures/request-arena.ts";
import type { RequestArena as Hall } from "#testing/fixtures/request-arena.ts";
import { setArenaBotStatus } from "#testing/fixtures/test-arena.ts";
import { memoryStore, memoryStores } from "#testing/store-contract/memory-store.ts";
import { sampleId } from "#testing/store-contract/store-samples.ts";
import { overrideStore } from "#testing/store-contract/store-with-changes.ts";

const pending = async ({ store }: Hall) => (await store.requests.pending()).map(({ id }) => id);

const matchStartOf = async ({ store, request }: Hall) =>
  (await store.requests.latest(request.eventId, request.accountId)).served?.started ?? null;

const runningPairs = ({ arena }: Hall) =>
  arena.runningMatches().map((match) => match.names.toSorted().join("-"));

async function playMatch(fixture: Hall): Promise<void> {
  for (const bot of [fixture.ownerBot, fixture.houseBot]) {
    bot.autoPlays = true;
    bot.send({ type: "ready" });
  }
  await servedMatch(fixture);
}

async function servedMatch(fixture: Hall): Promise<void> {
  await fixture.advanceUntil(() => fixture.ownerBot.receivedOfType("end").length > 0);
  await fixture.advanceTime(100);
}

suite("an opponent request", () => {
  test("is served by a rated match in the next wave in which both bots are waiting", async () => {
    const fixture = await openRequestArena();
    await storeRequest(fixture);
    assert.equal(requestState(fixture), "pending");
    fixture.ownerBot.send(QUEUE_MESSAGE);
    await fixture.advanceTime(6000);
    assert.equal(
      fixture.ownerBot.receivedOfType("hello").length,
      0,
      "the house bot isn't waiting yet",
    );
    await startRequestedMatch(fixture);
    const { eventId, accountId } = fixture.request;
    const [match] = fixture.arena.runningMatches();
    assert.deepEqual(fixture.arena.opponentRequestState(eventId, accountId), {
      request: fixture.request,
      state: "playing",
      matchId: match!.id,
    });
    await playMatch(fixture);
    const end = fixture.ownerBot.receivedOfType("end")[0]!;
    assert.equal(end.rated, true);
    assert.equal(requestState(fixture), null);
    assert.deepEqual(await pending(fixture), []);
    const storedMatch = await fixture.store.matches.byId(String(end.match_id));
    assert.equal(await matchStartOf(fixture), storedMatch!.started);
  });

  test("makes the estimated wait end at the next wave, even on a full ladder", async () => {
    const fixture = await openRequestArena({ limits: { max_concurrent: 1 } });
    const join = async (name: string) => {
      await fixture.addArenaBot(name);
      const bot = await fixture.connect(name);
      bot.autoPlays = true;
      bot.send(QUEUE_MESSAGE);
    };
    fixture.ownerBot.send(QUEUE_MESSAGE);
    await fixture.advanceTime(30_000);
    await join("late");
    await servedMatch(fixture);
    await storeRequest(fixture);
    for (const name of ["old", "older", "oldest"]) await join(name);
    fixture.houseBot.send(QUEUE_MESSAGE);
    await fixture.advanceTime(20);
    fixture.ownerBot.send(QUEUE_MESSAGE);
    const seconds = fixture.ownerBot.receivedOfType("queued").at(-1)!.estimated_wait_s as number;
    assert.ok(seconds <= 2, `${seconds} s, although waits were 30 s so far`);
    await fixture.advanceUntil(() => requestState(fixture) !== "pending");
  });

  test("adds the rematch hold to the estimated wait", async () => {
    const fixture = await openRequestArena();
    fixture.ownerBot.send(QUEUE_MESSAGE);
    fixture.houseBot.send(QUEUE_MESSAGE);
    await servedMatch(fixture);
    await storeRequest(fixture);
    await fixture.addArenaBot("near");
    const thirdBot = await fixture.connect("near");
    thirdBot.send(QUEUE_MESSAGE);
    fixture.houseBot.send(QUEUE_MESSAGE);
    await fixture.advanceTime(20);
    fixture.ownerBot.send(QUEUE_MESSAGE);
    await fixture.advanceTime(20);
    const seconds = fixture.ownerBot.receivedOfType("queued").at(-1)!.estimated_wait_s as number;
    assert.ok(seconds >= 8, `${seconds} s: the rematch hold, regardless of other waiting bots`);
    const since = fixture.clock.now();
    await fixture.advanceUntil(() => fixture.ownerBot.receivedOfType("hello").length === 2);
    assert.ok(Math.abs((fixture.clock.now() - since) / 1e6 - seconds) < 2.1);
  });

  test("waits until its opponent's version is approved again", async () => {
    let approvedVersion = "v1";
    const fixture = await openRequestArena({
      isApproved: (_, kind, label) => `${kind} ${label}` === approvedVersion,
    });
    await storeRequest(fixture);
    for (const bot of [fixture.ownerBot, fixture.houseBot]) bot.send(QUEUE_MESSAGE);
    await fixture.advanceUntil(() => fixture.ownerBot.receivedOfType("end").length === 1);
    assert.deepEqual(
      await pending(fixture),
      [fixture.request.id],
      "their match was an ordinary one",
    );
    assert.equal(requestState(fixture), "pending");
    approvedVersion = "kiter v1";
    await fixture.advanceTime(11_000);
    for (const bot of [fixture.ownerBot, fixture.houseBot]) bot.send(QUEUE_MESSAGE);
    await fixture.advanceUntil(() => fixture.ownerBot.receivedOfType("end").length === 2);
    assert.deepEqual(await pending(fixture), []);
    const end = fixture.ownerBot.receivedOfType("end")[1]!;
    const served = await fixture.store.matches.byId(String(end.match_id));
    assert.equal(await matchStartOf(fixture), served!.started);
  });

  test("takes precedence over a pair that has waited longer", async () => {
    const fixture = await openRequestArena({ limits: { max_concurrent: 1 } });
    for (const name of ["old", "older"]) {
      await fixture.addArenaBot(name);
      const bot = await fixture.connect(name);
      bot.send(QUEUE_MESSAGE);
      await fixture.advanceTime(20);
    }
    await storeRequest(fixture);
    await startRequestedMatch(fixture);
    assert.deepEqual(runningPairs(fixture), ["Kiter-rex"]);
  });

  test("respects the rematch hold and starts a new hold for the pair", async () => {
    const fixture = await openRequestArena();
    fixture.ownerBot.send(QUEUE_MESSAGE);
    fixture.houseBot.send(QUEUE_MESSAGE);
    await servedMatch(fixture);
    await storeRequest(fixture);
    fixture.ownerBot.send(QUEUE_MESSAGE);
    fixture.houseBot.send(QUEUE_MESSAGE);
    await fixture.advanceTime(8000);
    assert.equal(fixture.ownerBot.receivedOfType("hello").length, 1);
    assert.equal(requestState(fixture), "pending");
    await fixture.advanceUntil(() => fixture.ownerBot.receivedOfType("end").length === 2);
    assert.deepEqual(await pending(fixture), []);
  });

  test("from the only player waits for the hold although three other house bots are waiting", async () => {
    const fixture = await openRequestArena();
    await startRequestedMatch(fixture);
    for (const name of ["house-brawler", "house-ts-starter", "house-champion"]) {
      await fixture.addArenaBot(name, { house: true, owner: "house" });
      const bot = await fixture.connect(name);
      bot.autoPlays = true;
      bot.send(QUEUE_MESSAGE);
    }
    await playMatch(fixture);
    await storeRequest(fixture);
    fixture.ownerBot.send(QUEUE_MESSAGE);
    fixture.houseBot.send(QUEUE_MESSAGE);
    await fixture.advanceTime(12_100);
    assert.equal(
      fixture.ownerBot.receivedOfType("hello").length,
      2,
      "it has met no other opponent",
    );
    assert.notEqual(requestState(fixture), "pending");
  });

  test("waits for server, owner and house bot capacity", async () => {
    for (const limits of [{ max_concurrent: 0 }, { hourly_quota: 0 }, { house_concurrency: 0 }]) {
      const fixture = await openRequestArena({ limits });
      await storeRequest(fixture);
      fixture.ownerBot.send(QUEUE_MESSAGE);
      fixture.houseBot.send(QUEUE_MESSAGE);
      await fixture.advanceTime(6000);
      assert.equal(fixture.ownerBot.receivedOfType("hello").length, 0, JSON.stringify(limits));
      assert.equal(requestState(fixture), "pending");
    }
  });

  test("stays pending after a void match and is served by the next match", async () => {
    const fixture = await openRequestArena();
    await storeRequest(fixture);
    fixture.ownerBot.autoPlays = false;
    fixture.houseBot.autoPlays = false;
    fixture.ownerBot.send(QUEUE_MESSAGE);
    fixture.houseBot.send(QUEUE_MESSAGE);
    await fixture.advanceUntil(() => fixture.ownerBot.receivedOfType("end").length === 1);
    assert.equal(fixture.ownerBot.receivedOfType("end")[0]?.voided, true);
    assert.equal(requestState(fixture), "pending");
    assert.deepEqual(await pending(fixture), [fixture.request.id]);
    fixture.ownerBot.autoPlays = true;
    fixture.houseBot.autoPlays = true;
    fixture.ownerBot.send(QUEUE_MESSAGE);
    fixture.houseBot.send(QUEUE_MESSAGE);
    await fixture.advanceUntil(() => fixture.ownerBot.receivedOfType("end").length === 2);
    assert.deepEqual(await pending(fixture), []);
  });

  test("survives disconnects and a restart, even while its match is running", async () => {
    const openStore = memoryStores();
    const first = await openRequestArena({ store: openStore() });
    await storeRequest(first);
    first.ownerBot.disconnect();
    await first.advanceTime(4000);
    assert.equal(requestState(first), "pending");
    await startRequestedMatch({ ...first, ownerBot: await first.connect("rex") });
    assert.equal(requestState(first), "playing");
    first.arena.stop();
    const second = await openRequestArena({ store: openStore(), newId: sequentialIds("b") });
    assert.equal(requestState(second), "pending");
    second.ownerBot.send(QUEUE_MESSAGE);
    second.houseBot.send(QUEUE_MESSAGE);
    await servedMatch(second);
    assert.deepEqual(await pending(second), []);
    second.arena.stop();
    const third = await openRequestArena({ store: openStore(), newId: sequentialIds("c") });
    assert.equal(requestState(third), null, "it is served once");
  });

  test("starts no match after it is cancelled, but a running match still serves it", async () => {
    const fixture = await openRequestArena();
    const { eventId, accountId, id } = fixture.request;
    await storeRequest(fixture);
    await fixture.store.requests.cancel(eventId, accountId);
    fixture.arena.onRequestCancelled(id);
    assert.equal(requestState(fixture), null);
    const secondRequest = { ...fixture.request, id: sampleId("request", 2) };
    await storeRequest(fixture, secondRequest);
    await startRequestedMatch(fixture);
    await fixture.store.requests.cancel(eventId, accountId);
    fixture.arena.onRequestCancelled(secondRequest.id);
    assert.equal(requestState(fixture), "playing");
    await playMatch(fixture);
    assert.equal(requestState(fixture), null);
    assert.ok((await matchStartOf(fixture)) !== null);
  });
});

suite("a request is closed", () => {
  const removals: [what: string, go: (fixture: Hall) => unknown][] = [
    [
      "its bot is retired",
      (fixture) => setArenaBotStatus(fixture, fixture.request.botId, "retired"),
    ],
    ["its bot is banned", (fixture) => setArenaBotStatus(fixture, fixture.request.botId, "banned")],
    [
      "its bot is deleted",
      async (fixture) => {
        await fixture.store.bots.delete(fixture.request.botId);
        fixture.arena.onBotDeleted(fixture.request.botId);
      },
    ],
    [
      "its bot has another owner",
      async ({ store, arena, request }) => {
        const bot = (await store.bots.byId(request.botId))!;
        arena.onBotChanged({ ...bot, ownerId: "anon:bob" });
      },
    ],
  ];
  for (const [title, removeBot] of removals)
    test(`when ${title}`, async () => {
      const fixture = await openRequestArena();
      await storeRequest(fixture);
      await removeBot(fixture);
      assert.equal(requestState(fixture), null);
      await fixture.advanceTime(2100);
      assert.deepEqual(await pending(fixture), []);
    });

  test("when its event closes", async () => {
    let isOpen = true;
    const fixture = await openRequestArena({ isEventOpen: () => isOpen });
    await storeRequest(fixture);
    await fixture.advanceTime(4100);
    assert.equal(requestState(fixture), "pending");
    isOpen = false;
    fixture.ownerBot.send(QUEUE_MESSAGE);
    fixture.houseBot.send(QUEUE_MESSAGE);
    await fixture.advanceTime(2100);
    assert.equal(requestState(fixture), null);
    assert.deepEqual(await pending(fixture), []);
  });

  test("and reported as null as soon as its event closes", async () => {
    let isOpen = true;
    const fixture = await openRequestArena({ isEventOpen: () => isOpen });
    await storeRequest(fixture);
    isOpen = false;
    assert.equal(requestState(fixture), null);
  });

  test("but not when its bot is suspended", async () => {
    const fixture = await openRequestArena();
    await storeRequest(fixture);
    await setArenaBotStatus(fixture, fixture.request.botId, "suspended");
    await fixture.advanceTime(4100);
    assert.equal(requestState(fixture), "pending");
  });

  test("at startup if its bot is gone or its event has closed", async () => {
    const openStore = memoryStores();
    const first = await openRequestArena({ store: openStore() });
    await storeRequest(first);
    first.arena.stop();
    const second = await openRequestArena({
      store: openStore(),
      newId: sequentialIds("b"),
      isEventOpen: () => false,
    });
    await second.advanceTime(2100);
    assert.deepEqual(await pending(second), []);
  });

  test("once the store is reachable again", async () => {
    const store = memoryStore();
    let failures = 2;
    const fixture = await openRequestArena({
      store: overrideStore(store, {
        requests: {
          cancelById: async (id) => {
            if (failures-- > 0) throw new Error("unreachable");
            return store.requests.cancelById(id);
          },
        },
      }),
    });
    await storeRequest(fixture);
    await setArenaBotStatus(fixture, fixture.request.botId, "retired");
    await fixture.advanceTime(6100);
    assert.deepEqual(await pending(fixture), []);
    assert.deepEqual(
      new Set(fixture.log),
      new Set(["could not close opponent requests; retrying"]),
    );
  });
});

suite("a requested pair", () => {
  let isApproved = true;
  const changesBefore: [what: string, change: (fixture: Hall) => void][] = [
    ["was cancelled", ({ arena, request }) => arena.onRequestCancelled(request.id)],
    ["lost its opponent's approval", () => void (isApproved = false)],
  ];
  for (const [title, change] of changesBefore)
    test(`doesn't serve a request that ${title} during pairing`, async () => {
      isApproved = true;
      const matchmaker = localMatchmaker();
      const fixture: Hall = await openRequestArena({
        isApproved: () => isApproved,
        matchmaker: {
          ...matchmaker,
          pair: async (requests) => {
            const pairings = await matchmaker.pair(requests);
            if (pairings[0]?.reasons.ground === "requested") change(fixture);
            return pairings;
          },
        },
      });
      await storeRequest(fixture);
      fixture.ownerBot.send(QUEUE_MESSAGE);
      fixture.houseBot.send(QUEUE_MESSAGE);
      await fixture.advanceTime(2050);
      assert.equal(fixture.ownerBot.receivedOfType("hello").length, 0);
      await fixture.advanceTime(2100);
      assert.equal(
        fixture.ownerBot.receivedOfType("hello").length,
        1,
        "it is paired like any other",
      );
    });
});

test("limits house bot matches without keeping other bots from playing", async () => {
  const pairs: number[] = [];
  const matchmaker = localMatchmaker();
  const fixture = await openRequestArena({
    limits: { house_concurrency: 1 },
    matchmaker: {
      ...matchmaker,
      pair: async (requests) => {
        const pairings = await matchmaker.pair(requests);
        pairs.push(pairings.length);
        return pairings;
      },
    },
  });
  await fixture.addArenaBot("house-brawler", { house: true, owner: "house" });
  const brawler = await fixture.connect("house-brawler");
  for (const name of ["max", "tim"]) {
    await fixture.addArenaBot(name);
    (await fixture.connect(name)).send(QUEUE_MESSAGE);
  }
  for (const bot of [fixture.ownerBot, fixture.houseBot, brawler]) bot.send(QUEUE_MESSAGE);
  await fixture.advanceTime(2100);
  const houseMatches = fixture.arena.runningMatches().filter(({ names }) => names.some(isHouse));
  assert.deepEqual(
    [fixture.arena.runningMatches().length, houseMatches.length, pairs[0]],
    [2, 1, 2],
  );
  await fixture.advanceTime(4000);
  assert.equal(fixture.arena.runningMatches().length, 2);
});

const isHouse = (name: string) => ["Kiter", "Brawler"].includes(name);
