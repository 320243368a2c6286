import assert from "node:assert/strict";
import { suite, test } from "node:test";

import { HOUSE_POLICIES } from "#core/bot-policies/house-policies.ts";
import type { Policy, PolicyContext } from "#core/bot-policies/policy.ts";
import { PUBLIC_LADDER } from "#core/ladder/ladder.ts";
import type { LadderDefinition } from "#core/ladder/ladder.ts";
import type { Log } from "#live/arena/arena-deps.ts";
import { setArenaBotStatus, testArena } from "#testing/fixtures/test-arena.ts";
import type { FakeBot, TestArena } from "#testing/fixtures/test-arena.ts";
import { openLocalPool } from "#testing/simulation/local-pool.ts";
import type { LocalPool } from "#testing/simulation/local-pool.ts";
import { memoryStore } from "#testing/store-contract/memory-store.ts";
import { statusChange } from "#testing/store-contract/store-samples.ts";

import type { HouseMessage } from "./house-sessions.ts";
import { HouseWorkerClient } from "./house-worker-client.ts";
import { HOUSE_VERSION, openHouse, registerHouseBots } from "./house.ts";

type KiterObservation = Parameters<Policy["turn"]>[0];

const QUEUE = { type: "queue", version: "v1" };
const NAME = "house-kiter";

/** Long enough that matches don't end instantly. */
const PACE_MS = 50;

type OnMessage = (message: HouseMessage) => void;

function spawnKiter({ clock }: TestArena, onMessage: OnMessage): LocalPool {
  const deps = {
    label: HOUSE_VERSION,
    createPlayer: (hello: PolicyContext) => HOUSE_POLICIES.kiter(hello),
    delayTurn: (sendTurn: () => void) => void clock.after(PACE_MS, sendTurn),
    carry: queueMicrotask,
  };
  return openLocalPool<PolicyContext, KiterObservation>(deps, onMessage);
}

type HouseFixture = { arena: TestArena; id: string; workers: LocalPool[]; stop(): Promise<void> };

/** Starts only the kiter. Its worker runs on this thread. */
async function startHouse(
  limits = {},
  spawn = spawnKiter,
  store = memoryStore(),
): Promise<HouseFixture> {
  const arena = await testArena({ store, limits: { ping_interval_s: 5, ...limits } });
  const bots = await registerHouseBots(arena.store, arena.clock, ["kiter"]);
  const workers: LocalPool[] = [];
  const recordLog: Log["warn"] = (fields, text) => {
    arena.logEntries.push(fields);
    arena.log.push(text);
  };
  const deps = {
    arena: arena.arena,
    clock: arena.clock,
    ladders: arena.ladders,
    log: { info: recordLog, warn: recordLog, error: recordLog },
    health: arena.health,
    spawnWorker: (_: string, onMessage: OnMessage) => {
      const worker = spawn(arena, onMessage);
      workers.push(worker);
      return worker;
    },
  };
  const { stop } = openHouse(deps, bots);
  return { arena, id: bots[0]!.id, workers, stop };
}

const houseState = ({ arena }: TestArena) =>
  arena.onlineBots().find(({ house: fixture }) => fixture)?.state;

async function startMatchWithKiter(arena: TestArena): Promise<FakeBot> {
  await arena.addArenaBot("guest");
  const player = await arena.connect("guest");
  player.send(QUEUE);
  await arena.advanceUntil(() => player.receivedOfType("hello").length === 1);
  player.send({ type: "ready" });
  return player;
}

const LEAGUE: LadderDefinition = { ...PUBLIC_LADDER, id: "league", house: ["kiter"] };

const sessionStates = ({ arena }: TestArena) =>
  arena
    .onlineBots()
    .flatMap(({ ladderId, state }) => (ladderId === null ? [] : [`${ladderId} ${state}`]));

suite("house bots on several ladders", () => {
  test("share one worker and open a session on each ladder that lists them", async () => {
    const { arena, workers, stop } = await startHouse();
    arena.ladders.upsert(LEAGUE);
    arena.ladders.upsert({ ...LEAGUE, id: "humans", house: [] });
    await arena.advanceTime(3000);
    assert.deepEqual(sessionStates(arena).toSorted(), ["league waiting", "public waiting"]);
    assert.equal(workers.length, 1);
    await stop();
    assert.deepEqual(sessionStates(arena), []);
  });

  for (const change of [{ enabled: false }, { house: [] }])
    test(`leave a ladder after a change to ${JSON.stringify(change)} and return when it is reverted`, async () => {
      const { arena, workers, stop } = await startHouse();
      arena.ladders.upsert(LEAGUE);
      await arena.advanceTime(3000);
      arena.ladders.upsert({ ...LEAGUE, ...change });
      await arena.advanceTime(3000);
      assert.deepEqual(sessionStates(arena), ["public waiting"]);
      arena.ladders.upsert(LEAGUE);
      await arena.advanceTime(3000);
      assert.deepEqual(sessionStates(arena).toSorted(), ["league waiting", "public waiting"]);
      assert.equal(workers.length, 1);
      await stop();
    });

  test("leave a closed ladder after finishing their match", async () => {
    const { arena, stop } = await startHouse();
    arena.ladders.upsert(LEAGUE);
    await arena.advanceTime(3000);
    await arena.addArenaBot("guest");
    const player = await arena.connect("guest");
    player.autoPlays = true;
    player.send({ ...QUEUE, ladder_id: "league" });
    await arena.advanceUntil(() => player.receivedOfType("observation").length > 3);
    arena.ladders.upsert({ ...LEAGUE, enabled: false });
    await arena.advanceTime(1000);
    assert.ok(sessionStates(arena).includes("league playing"));
    await arena.advanceUntil(() => player.receivedOfType("end").length === 1);
    assert.equal(player.receivedOfType("end")[0]?.unrated_reason, "ladder_disabled");
    await arena.advanceTime(1000);
    assert.ok(
      !arena.arena.onlineBots().some(({ house: fixture, state }) => fixture && state === "idle"),
    );
    await stop();
  });

  test("return after a store error on their queue request", async () => {
    const store = memoryStore();
    let isStoreDown = true;
    const { byLabel } = store.versions;
    store.versions.byLabel = async (...args) => {
      if (isStoreDown) throw new Error("away");
      return byLabel(...args);
    };
    const { arena, stop } = await startHouse({}, spawnKiter, store);
    await arena.advanceTime(3000);
    assert.ok(!sessionStates(arena).includes("public waiting"));
    isStoreDown = false;
    await arena.advanceTime(3000);
    assert.deepEqual(sessionStates(arena), ["public waiting"]);
    await stop();
  });
});

suite("house bots", () => {
  test("play a match across many rounds of pings", async () => {
    const { arena, workers, stop } = await startHouse({ ping_interval_s: 0.5 });
    const player = await startMatchWithKiter(arena);
    player.autoPlays = true;
    player.send({ type: "turn", tick: 0 });
    await arena.advanceUntil(() => player.receivedOfType("end").length === 1);
    await arena.advanceTime(5000);
    assert.equal(houseState(arena), "waiting");
    assert.equal(workers.length, 1);
    assert.deepEqual(arena.log, []);
    await stop();
    assert.equal(houseState(arena), undefined);
  });

  test("restart at the next check if their worker hangs and continue their match", async () => {
    const { arena, workers, stop } = await startHouse();
    const player = await startMatchWithKiter(arena);
    const { match_id: matchId } = player.receivedOfType("hello")[0]!;
    workers[0]!.hang();
    player.autoPlays = true;
    player.send({ type: "turn", tick: 0 });
    await arena.advanceUntil(() => workers.length === 2);
    const { restarts, failed_turns } = arena.health.report().house;
    assert.equal(restarts, 1);
    assert.ok(failed_turns > 0);
    const reason = "no answer";
    const restartFields = arena.logEntries.filter(
      (_, client) => arena.log[client] === "restarting house bot",
    );
    assert.deepEqual(restartFields, [{ bot: NAME, matchIds: [matchId], reason }]);
    const failedTurnFields = arena.logEntries.filter(
      (_, at) => arena.log[at] === "house bot failed a turn",
    );
    assert.deepEqual(failedTurnFields[0], { bot: NAME, matchId, reason: "timeout" });
    await arena.advanceUntil(() => arena.arena.onlineBots().every(({ online }) => online));
    await arena.advanceTime(500);
    const failedTurnCount = arena.health.report().house.failed_turns;
    await arena.advanceTime(500);
    assert.equal(arena.health.report().house.failed_turns, failedTurnCount);
    assert.equal(arena.arena.runningMatches()[0]?.id, matchId);
    await stop();
  });

  test("stop a worker that never answers, even with no session to ping", async () => {
    const { arena, workers, stop } = await startHouse({}, (arena, onMessage) => {
      const worker = spawnKiter(arena, onMessage);
      worker.hang();
      return worker;
    });
    await arena.advanceTime(35_000);
    assert.equal(workers.length, 2);
    assert.deepEqual(arena.arena.onlineBots(), []);
    await stop();
  });
});

suite("a suspended house bot", () => {
  test("stops its worker and returns within 2 s of reactivation", async () => {
    const fixture = await startHouse();
    const { arena, workers, stop } = fixture;
    await arena.advanceUntil(() => houseState(arena) === "waiting");
    await setArenaBotStatus(fixture.arena, fixture.id, "suspended");
    assert.equal(houseState(arena), undefined);
    for (let second = 0; second < 30; second += 1) {
      await arena.advanceTime(1000);
      assert.equal(houseState(arena), undefined);
    }
    await setArenaBotStatus(fixture.arena, fixture.id, "active");
    await arena.advanceTime(2000);
    assert.equal(houseState(arena), "waiting");
    assert.equal(workers.length, 1);
    assert.deepEqual(arena.log, []);
    await stop();
  });

  test("is refused at server start", async () => {
    const arena = await testArena();
    const { id } = await arena.addArenaBot(NAME, { house: true, status: "suspended" });
    const kiter = await arena.connect(NAME);
    assert.equal(kiter.closeReason(), "4004 suspended");
    await arena.store.bots.setStatus(id, statusChange("banned"));
    assert.equal((await arena.connect(NAME)).closeReason(), "4005 banned");
  });

  test("makes its running match void, at no cost to the opponent", async () => {
    const fixture = await startHouse();
    const { arena, stop } = fixture;
    const player = await startMatchWithKiter(arena);
    player.autoPlays = true;
    player.send({ type: "turn", tick: 0 });
    await arena.advanceUntil(() => player.receivedOfType("observation").length > 3);
    await setArenaBotStatus(fixture.arena, fixture.id, "suspended");
    await arena.advanceUntil(() => player.receivedOfType("end").length === 1);
    const { match_id, voided, winner, reason, rating_change } = player.receivedOfType("end")[0]!;
    assert.deepEqual([voided, winner, rating_change], [true, null, null]);
    assert.equal(reason, "server_fault");
    const storedMatch = await arena.store.matches.byId(String(match_id));
    assert.deepEqual([storedMatch?.voided, storedMatch?.reason], [true, "server_fault"]);
    player.send(QUEUE);
    await arena.advanceTime(10_000);
    assert.deepEqual(arena.arena.runningMatches(), []);
    assert.deepEqual(arena.health.report().house, { restarts: 0, failed_turns: 0 });
    await stop();
  });
});

suite("two sessions of one house bot", () => {
  test("play two opponents at the same time, independently", async () => {
    const arena = await testArena({ limits: { ping_interval_s: 5 } });
    const { id: botId } = (await registerHouseBots(arena.store, arena.clock, ["kiter"]))[0]!;
    const client = new HouseWorkerClient((onMessage) => spawnKiter(arena, onMessage));
    for (const slot of [0, 1]) {
      const connection = client.openSession("public");
      const listener = await arena.arena.connectHouseBot(
        { botId, ladderId: "public", slot },
        connection,
      );
      connection.attachListener(listener!);
    }
    const players: FakeBot[] = [];
    for (const name of ["one", "two"]) {
      await arena.addArenaBot(name, { owner: "ada" });
      const player = await arena.connect(name);
      player.autoPlays = true;
      player.send(QUEUE);
      players.push(player);
    }
    await arena.advanceUntil(() => arena.arena.runningMatches().length === 2);
    const sessions = arena.arena.onlineBots().filter(({ house: fixture }) => fixture);
    assert.equal(new Set(sessions.map(({ matchId }) => matchId)).size, 2);
    await arena.advanceUntil(() =>
      players.every((player) => player.receivedOfType("end").length > 0),
    );
    assert.deepEqual(arena.health.report().house, { restarts: 0, failed_turns: 0 });
    for (const player of players) assert.equal(player.receivedOfType("end")[0]!.voided, undefined);
  });

  test("both end when the bot is suspended", async () => {
    const arena = await testArena();
    const { id: botId } = (await registerHouseBots(arena.store, arena.clock, ["kiter"]))[0]!;
    const client = new HouseWorkerClient((onMessage) => spawnKiter(arena, onMessage));
    const sessions = [0, 1].map(() => client.openSession("public"));
    for (const [slot, session] of sessions.entries())
      session.attachListener(
        (await arena.arena.connectHouseBot({ botId, ladderId: "public", slot }, session))!,
      );
    await arena.advanceUntil(() =>
      arena.arena.onlineBots().every(({ state }) => state === "waiting"),
    );
    assert.equal(arena.arena.onlineBots().length, 2);
    await setArenaBotStatus(arena, botId, "suspended");
    await Promise.all(sessions.map(({ closed }) => closed));
    assert.deepEqual(arena.arena.onlineBots(), []);
    assert.equal(client.hasExited, false);
  });
});
