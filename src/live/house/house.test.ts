import assert from "node:assert/strict";
import { suite, test } from "node:test";

import { PUBLIC } from "#core/ladder/ladder.ts";
import type { LadderDefinition } from "#core/ladder/ladder.ts";
import type { Policy, Facts } from "#core/policies/choice.ts";
import { HOUSE_MAKERS } from "#core/policies/house.ts";
import type { Log } from "#live/arena/deps.ts";
import { setStatus, testArena } from "#testing/fixtures/test-arena.ts";
import type { FakeBot, TestArena } from "#testing/fixtures/test-arena.ts";
import { openLocalCrew } from "#testing/simulation/local-crew.ts";
import type { LocalCrew } from "#testing/simulation/local-crew.ts";
import { memoryStore } from "#testing/store-cases/memory-store.ts";
import { toStatus } from "#testing/store-cases/store-samples.ts";

import type { CrewWord } from "./house-crew.ts";
import { CrewLine } from "./house-line.ts";
import { HOUSE_VERSION, openHouse, registerHouseBots } from "./house.ts";

type Seen = Parameters<Policy["turn"]>[0];

const QUEUE = { type: "queue", version: "v1" };
const NAME = "house-kiter";

/** Its turns take time, so that a match does. */
const PACE_MS = 50;

type Hear = (word: CrewWord) => void;

function hireKiter({ clock }: TestArena, hear: Hear): LocalCrew {
  const deps = {
    label: HOUSE_VERSION,
    createPlayer: (hello: Facts) => HOUSE_MAKERS.kiter(hello),
    pace: (call: () => void) => void clock.after(PACE_MS, call),
    carry: queueMicrotask,
  };
  return openLocalCrew<Facts, Seen>(deps, hear);
}

type KeptHouse = { arena: TestArena; id: string; crews: LocalCrew[]; stop(): Promise<void> };

/** Only the kiter, kept as in the product, with its crew in this thread. */
async function keepHouse(limits = {}, hire = hireKiter, store = memoryStore()): Promise<KeptHouse> {
  const arena = await testArena({ store, limits: { ping_interval_s: 5, ...limits } });
  const bots = await registerHouseBots(arena.store, arena.clock, ["kiter"]);
  const crews: LocalCrew[] = [];
  const note: Log["warn"] = (fields, text) => {
    arena.fields.push(fields);
    arena.log.push(text);
  };
  const deps = {
    arena: arena.arena,
    clock: arena.clock,
    ladders: arena.ladders,
    log: { info: note, warn: note, error: note },
    health: arena.health,
    hire: (_: string, hear: Hear) => {
      const crew = hire(arena, hear);
      crews.push(crew);
      return crew;
    },
  };
  const { stop } = openHouse(deps, bots);
  return { arena, id: bots[0]!.id, crews, stop };
}

const houseState = ({ arena }: TestArena) => arena.online().find(({ house }) => house)?.state;

/** A guest in a match with the kiter, for which it has said ready. */
async function meet(arena: TestArena): Promise<FakeBot> {
  await arena.addBot("guest");
  const guest = await arena.connect("guest");
  guest.say(QUEUE);
  await arena.until(() => guest.told("hello").length === 1);
  guest.say({ type: "ready" });
  return guest;
}

const LEAGUE: LadderDefinition = { ...PUBLIC, id: "league", house: ["kiter"] };

/** Where the house waits or plays. */
const placesOf = ({ arena }: TestArena) =>
  arena
    .online()
    .flatMap(({ ladderId, state }) => (ladderId === null ? [] : [`${ladderId} ${state}`]));

suite("on several ladders the house", () => {
  test("has a session of one crew on each that lists the bot", async () => {
    const { arena, crews, stop } = await keepHouse();
    arena.ladders.put(LEAGUE);
    arena.ladders.put({ ...LEAGUE, id: "humans", house: [] });
    await arena.pass(3000);
    assert.deepEqual(placesOf(arena).toSorted(), ["league waiting", "public waiting"]);
    assert.equal(crews.length, 1);
    await stop();
    assert.deepEqual(placesOf(arena), []);
  });

  for (const change of [{ enabled: false }, { house: [] }])
    test(`leaves one that changes to ${JSON.stringify(change)}, and comes back`, async () => {
      const { arena, crews, stop } = await keepHouse();
      arena.ladders.put(LEAGUE);
      await arena.pass(3000);
      arena.ladders.put({ ...LEAGUE, ...change });
      await arena.pass(3000);
      assert.deepEqual(placesOf(arena), ["public waiting"]);
      arena.ladders.put(LEAGUE);
      await arena.pass(3000);
      assert.deepEqual(placesOf(arena).toSorted(), ["league waiting", "public waiting"]);
      assert.equal(crews.length, 1);
      await stop();
    });

  test("plays its match to the end when the ladder closes, and then leaves", async () => {
    const { arena, stop } = await keepHouse();
    arena.ladders.put(LEAGUE);
    await arena.pass(3000);
    await arena.addBot("guest");
    const guest = await arena.connect("guest");
    guest.plays = true;
    guest.say({ ...QUEUE, ladder_id: "league" });
    await arena.until(() => guest.told("observation").length > 3);
    arena.ladders.put({ ...LEAGUE, enabled: false });
    await arena.pass(1000);
    assert.ok(placesOf(arena).includes("league playing"));
    await arena.until(() => guest.told("end").length === 1);
    assert.equal(guest.told("end")[0]?.unrated_reason, "ladder_disabled");
    await arena.pass(1000);
    assert.ok(!arena.arena.online().some(({ house, state }) => house && state === "idle"));
    await stop();
  });

  test("comes back after a queue that the store could not look up", async () => {
    const store = memoryStore();
    let isAway = true;
    const { byLabel } = store.versions;
    store.versions.byLabel = async (...asked) => {
      if (isAway) throw new Error("away");
      return byLabel(...asked);
    };
    const { arena, stop } = await keepHouse({}, hireKiter, store);
    await arena.pass(3000);
    assert.ok(!placesOf(arena).includes("public waiting"));
    isAway = false;
    await arena.pass(3000);
    assert.deepEqual(placesOf(arena), ["public waiting"]);
    await stop();
  });
});

suite("the house", () => {
  test("plays a match through many rounds of pings", async () => {
    const { arena, crews, stop } = await keepHouse({ ping_interval_s: 0.5 });
    const guest = await meet(arena);
    guest.plays = true;
    guest.say({ type: "turn", tick: 0 });
    await arena.until(() => guest.told("end").length === 1);
    await arena.pass(5000);
    assert.equal(houseState(arena), "waiting");
    assert.equal(crews.length, 1);
    assert.deepEqual(arena.log, []);
    await stop();
    assert.equal(houseState(arena), undefined);
  });

  test("notices a crew that hangs at the next check, and another goes on with its match", async () => {
    const { arena, crews, stop } = await keepHouse();
    const guest = await meet(arena);
    const { match_id: matchId } = guest.told("hello")[0]!;
    crews[0]!.hang();
    guest.plays = true;
    guest.say({ type: "turn", tick: 0 });
    await arena.until(() => crews.length === 2);
    const { restarts, failed_turns } = arena.health.report().house;
    assert.equal(restarts, 1);
    assert.ok(failed_turns > 0);
    const reason = "it does not answer";
    const told = arena.fields.filter((_, line) => arena.log[line] === "a house bot starts again");
    assert.deepEqual(told, [{ bot: NAME, matchIds: [matchId], reason }]);
    const turns = arena.fields.filter((_, at) => arena.log[at] === "a turn of a house bot failed");
    assert.deepEqual(turns[0], { bot: NAME, matchId, reason: "timeout" });
    await arena.until(() => arena.arena.online().every(({ online }) => online));
    await arena.pass(500);
    const failed = arena.health.report().house.failed_turns;
    await arena.pass(500);
    assert.equal(arena.health.report().house.failed_turns, failed);
    assert.equal(arena.arena.running()[0]?.id, matchId);
    await stop();
  });

  test("a crew that never answers is given up, though it has no session to ping", async () => {
    const { arena, crews, stop } = await keepHouse({}, (own, hear) => {
      const crew = hireKiter(own, hear);
      crew.hang();
      return crew;
    });
    await arena.pass(35_000);
    assert.equal(crews.length, 2);
    assert.deepEqual(arena.arena.online(), []);
    await stop();
  });
});

suite("a house bot that is suspended", () => {
  test("stays away with its crew, and is back within 2 s of its activation", async () => {
    const house = await keepHouse();
    const { arena, crews, stop } = house;
    await arena.until(() => houseState(arena) === "waiting");
    await setStatus(house.arena, house.id, "suspended");
    assert.equal(houseState(arena), undefined);
    for (let second = 0; second < 30; second += 1) {
      await arena.pass(1000);
      assert.equal(houseState(arena), undefined);
    }
    await setStatus(house.arena, house.id, "active");
    await arena.pass(2000);
    assert.equal(houseState(arena), "waiting");
    assert.equal(crews.length, 1);
    assert.deepEqual(arena.log, []);
    await stop();
  });

  test("is not let in at the start of a server either", async () => {
    const arena = await testArena();
    const { id } = await arena.addBot(NAME, { house: true, status: "suspended" });
    const kiter = await arena.connect(NAME);
    assert.equal(kiter.ending(), "4004 suspended");
    await arena.store.bots.setStatus(id, toStatus("banned"));
    assert.equal((await arena.connect(NAME)).ending(), "4005 banned");
  });

  test("leaves its match void, which costs the guest nothing", async () => {
    const house = await keepHouse();
    const { arena, stop } = house;
    const guest = await meet(arena);
    guest.plays = true;
    guest.say({ type: "turn", tick: 0 });
    await arena.until(() => guest.told("observation").length > 3);
    await setStatus(house.arena, house.id, "suspended");
    await arena.until(() => guest.told("end").length === 1);
    const { match_id, voided, winner, reason, rating_change } = guest.told("end")[0]!;
    assert.deepEqual([voided, winner, rating_change], [true, null, null]);
    assert.equal(reason, "server_fault");
    const stored = await arena.store.matches.byId(String(match_id));
    assert.deepEqual([stored?.voided, stored?.reason], [true, "server_fault"]);
    guest.say(QUEUE);
    await arena.pass(10_000);
    assert.deepEqual(arena.arena.running(), []);
    assert.deepEqual(arena.health.report().house, { restarts: 0, failed_turns: 0 });
    await stop();
  });
});

suite("two sessions of one house bot", () => {
  test("play two guests at once, each independently", async () => {
    const arena = await testArena({ limits: { ping_interval_s: 5 } });
    const { id: botId } = (await registerHouseBots(arena.store, arena.clock, ["kiter"]))[0]!;
    const line = new CrewLine((hear) => hireKiter(arena, hear));
    for (const slot of [0, 1]) {
      const connection = line.open("public");
      const listener = await arena.arena.welcome({ botId, ladderId: "public", slot }, connection);
      connection.flowTo(listener!);
    }
    const guests: FakeBot[] = [];
    for (const name of ["one", "two"]) {
      await arena.addBot(name, { owner: "ada" });
      const guest = await arena.connect(name);
      guest.plays = true;
      guest.say(QUEUE);
      guests.push(guest);
    }
    await arena.until(() => arena.arena.running().length === 2);
    const sessions = arena.arena.online().filter(({ house }) => house);
    assert.equal(new Set(sessions.map(({ matchId }) => matchId)).size, 2);
    await arena.until(() => guests.every((guest) => guest.told("end").length > 0));
    assert.deepEqual(arena.health.report().house, { restarts: 0, failed_turns: 0 });
    for (const guest of guests) assert.equal(guest.told("end")[0]!.voided, undefined);
  });

  test("end together when the bot is suspended", async () => {
    const arena = await testArena();
    const { id: botId } = (await registerHouseBots(arena.store, arena.clock, ["kiter"]))[0]!;
    const line = new CrewLine((hear) => hireKiter(arena, hear));
    const sessions = [0, 1].map(() => line.open("public"));
    for (const [slot, session] of sessions.entries())
      session.flowTo((await arena.arena.welcome({ botId, ladderId: "public", slot }, session))!);
    await arena.until(() => arena.arena.online().every(({ state }) => state === "waiting"));
    assert.equal(arena.arena.online().length, 2);
    await setStatus(arena, botId, "suspended");
    await Promise.all(sessions.map(({ lost }) => lost));
    assert.deepEqual(arena.arena.online(), []);
    assert.equal(line.isOver, false);
  });
});
