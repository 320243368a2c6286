import assert from "node:assert/strict";
import { suite, test } from "node:test";

import { PUBLIC_LADDER } from "#core/ladder/ladder.ts";
import type { LadderDefinition } from "#core/ladder/ladder.ts";
import type { Store } from "#data/store/store.ts";
import { localMatchmaker } from "#live/matchmaker/matchmaker-client.ts";
import { setArenaBotStatus, testArena } from "#testing/fixtures/test-arena.ts";
import type { FakeBot, TestArena } from "#testing/fixtures/test-arena.ts";
import { memoryStores } from "#testing/store-contract/memory-store.ts";
import { sampleAccount } from "#testing/store-contract/store-account-cases.ts";
import { sampleAudit, sampleTime } from "#testing/store-contract/store-samples.ts";
import { overrideStore } from "#testing/store-contract/store-with-changes.ts";

/** Test clocks start at 2026-01-05T12:00:00Z. */
const CLOSING = "2026-01-05T12:05:00.000Z";
const BEFORE = "2026-01-05T12:04:59.600Z";
const AFTER = "2026-01-05T12:06:00.000Z";
const CUP: LadderDefinition = { ...PUBLIC_LADDER, id: "cup", name: "Cup", closesAt: CLOSING };
const ANN = sampleAccount(1);
const RENAME_TIMES = { at: sampleTime(0), until: sampleTime(9) };
const LIMITS = { qualifying_games: 1 };

async function openCup(
  store: Store,
  changes: Parameters<typeof testArena>[0] = {},
): Promise<TestArena> {
  await store.ladders.add(CUP, null, sampleAudit(1));
  const ladders = await store.ladders.list();
  return testArena({ store, ladders, limits: LIMITS, ...changes });
}

const ids = (prefix: string) => {
  let count = 0;
  return () =>
    `01900000-0000-7000-8${prefix.padStart(3, "0")}-${String(++count).padStart(12, "0")}`;
};

async function connectAndQueue(
  arena: TestArena,
  names: string[],
  plays: boolean,
): Promise<FakeBot[]> {
  const bots: FakeBot[] = [];
  for (const name of names) {
    if ((await arena.store.bots.byName(name)) === null) await arena.addArenaBot(name);
    const bot = await arena.connect(name);
    bot.autoPlays = plays;
    bot.send({ type: "queue", version: "v1", ladder_id: CUP.id });
    bots.push(bot);
  }
  await arena.advanceTime(50);
  return bots;
}

async function addAnnsBot(arena: TestArena, name: string): Promise<void> {
  await arena.store.accounts.add(ANN, sampleAudit(3));
  await arena.store.accounts.setHandle(ANN.id, "ann", RENAME_TIMES, sampleAudit(4));
  arena.ladders.addMember(ANN.id, CUP.id);
  await arena.addArenaBot(name, { owner: "ann", ownerId: ANN.id });
}

async function playOnce(arena: TestArena): Promise<FakeBot[]> {
  const bots = await connectAndQueue(arena, ["rex", "max"], true);
  await arena.advanceUntil(() => bots.every((bot) => bot.receivedOfType("end").length === 1));
  await arena.advanceTime(1000);
  return bots;
}

const readStandings = async ({ store }: Pick<TestArena, "store">) =>
  (await store.ladders.standings(CUP.id)).map(({ rank, name }) => `${rank} ${name}`);

const finishedAt = async ({ store }: TestArena) =>
  (await store.ladders.byId(CUP.id))?.finishedAt ?? null;

const codes = (bot: FakeBot) => bot.receivedOfType("error").map(({ code }) => code);

suite("a ladder's window", () => {
  test("closes on time: waiting bots are notified immediately, not in the next wave", async () => {
    const arena = await openCup(memoryStores()(), { limits: { wave_every_s: 10 } });
    const [lateBot] = await connectAndQueue(arena, ["late"], false);
    arena.clock.setWall(BEFORE);
    arena.arena.onLaddersChanged();
    await arena.advanceTime(350);
    assert.deepEqual(codes(lateBot!), []);
    await arena.advanceTime(100);
    assert.deepEqual(codes(lateBot!), ["ladder_closed"]);
    assert.equal(arena.arena.onlineBots()[0]?.state, "idle");
  });

  test("T45 adapts when the wall clock jumps forward, and stays closed when it jumps back", async () => {
    const arena = await openCup(memoryStores()());
    const [lateBot] = await connectAndQueue(arena, ["late"], false);
    arena.clock.setWall(BEFORE);
    await arena.advanceTime(2100);
    assert.deepEqual(codes(lateBot!), ["ladder_closed"]);
    arena.clock.setWall("2026-01-05T11:00:00.000Z");
    await arena.advanceTime(2100);
    lateBot!.send({ type: "queue", version: "v1", ladder_id: CUP.id });
    await arena.advanceTime(60_000);
    assert.equal(lateBot!.receivedOfType("queued").length, 1, "it stays closed");
  });

  test("closes at the new time when shortened", async () => {
    const arena = await openCup(memoryStores()(), { limits: { wave_every_s: 10 } });
    const [lateBot] = await connectAndQueue(arena, ["late"], false);
    arena.ladders.upsert({ ...CUP, closesAt: "2026-01-05T12:00:01.000Z" });
    arena.arena.onLaddersChanged();
    await arena.advanceTime(850);
    assert.deepEqual(codes(lateBot!), []);
    await arena.advanceTime(150);
    assert.deepEqual(codes(lateBot!), ["ladder_closed"]);
  });

  test("removes a bot from the queue immediately when its owner's membership ends", async () => {
    const arena = await openCup(memoryStores()());
    await addAnnsBot(arena, "ann");
    const [annsBot] = await connectAndQueue(arena, ["ann"], false);
    arena.ladders.removeMember(ANN.id, CUP.id);
    arena.arena.onLaddersChanged();
    assert.deepEqual(codes(annsBot!), ["enrollment_required"]);
  });
});

suite("final standings", () => {
  test("are written after the last match and never change", async () => {
    const arena = await openCup(memoryStores()());
    const [rex] = await playOnce(arena);
    await connectAndQueue(arena, ["tim", "tom"], false);
    await arena.advanceUntil(() => arena.arena.runningMatches().length === 1);
    arena.clock.setWall(CLOSING);
    await arena.advanceTime(4100);
    assert.equal(await finishedAt(arena), null, "a match is still running");
    await arena.advanceUntil(() => arena.arena.runningMatches().length === 0);
    await arena.advanceTime(4100);
    assert.ok((await finishedAt(arena))! > CLOSING);
    const expectedStandings = await readStandings(arena);
    assert.equal(expectedStandings.length, 2);
    assert.equal(arena.arena.board(CUP.id).size, 2, "its ratings are still visible");
    const winner = (await arena.store.ladders.standings(CUP.id))[0]!;
    await setArenaBotStatus(arena, winner.botId, "banned");
    await arena.advanceTime(4100);
    assert.deepEqual(await readStandings(arena), expectedStandings);
    rex!.send({ type: "queue", version: "v1", ladder_id: CUP.id });
    assert.deepEqual(codes(rex!).at(-1), "ladder_closed");
  });

  test("exclude bots of accounts without an active membership", async () => {
    const arena = await openCup(memoryStores()());
    await addAnnsBot(arena, "rex");
    await playOnce(arena);
    arena.ladders.removeMember(ANN.id, CUP.id);
    arena.clock.setWall(AFTER);
    await arena.advanceTime(4100);
    assert.deepEqual(await readStandings(arena), ["1 max"]);
  });

  test("are written by the next server process, and the ladder stays closed", async () => {
    const openStore = memoryStores();
    const first = await openCup(openStore(), { newId: ids("a") });
    await playOnce(first);
    first.arena.stop();
    const store = openStore();
    const closedCup = { ...CUP, closesAt: "2026-01-05T11:00:00.000Z" };
    await store.ladders.change(CUP.id, { closesAt: closedCup.closesAt }, sampleAudit(2));
    const second = await openCup(store, { newId: ids("b") });
    const expectedStandings = await readStandings(second);
    assert.equal(expectedStandings.length, 2);
    const at = await finishedAt(second);
    second.clock.setWall("2026-01-05T10:00:00.000Z");
    const [rex] = await connectAndQueue(second, ["rex"], false);
    assert.deepEqual(codes(rex!), ["ladder_closed"]);
    second.arena.stop();
    const third = await openCup(openStore(), { newId: ids("c") });
    assert.deepEqual(
      [await finishedAt(third), await readStandings(third)],
      [at, expectedStandings],
    );
    assert.equal(third.arena.board(CUP.id).size, 2);
  });

  test("are retried while the store is unreachable", async () => {
    const store = memoryStores()();
    let failures = 2;
    const arena = await openCup(
      overrideStore(store, {
        ladders: {
          finish: async (...values) => {
            if (failures-- > 0) throw new Error("unreachable");
            return store.ladders.finish(...values);
          },
        },
      }),
    );
    await playOnce(arena);
    arena.clock.setWall(AFTER);
    await arena.advanceTime(8100);
    assert.equal((await readStandings(arena)).length, 2);
    assert.deepEqual(new Set(arena.log), new Set(["could not write final standings; retrying"]));
  });

  test("free the matchmaker's memory, and versions can still be compared", async () => {
    const matchmaker = localMatchmaker();
    const droppedLadders: string[] = [];
    const arena = await openCup(memoryStores()(), {
      matchmaker: {
        ...matchmaker,
        drop: (firstVersion) => {
          droppedLadders.push(firstVersion.ladderId);
          return matchmaker.drop(firstVersion);
        },
      },
    });
    await playOnce(arena);
    const [one, secondVersion] = [...arena.arena.board(CUP.id).keys()];
    const compareBoth = () => arena.arena.compareVersions(CUP.id, [one!, secondVersion!]);
    const comparisonBefore = await compareBoth();
    arena.clock.setWall(AFTER);
    await arena.advanceTime(4100);
    assert.deepEqual(droppedLadders, ["cup"]);
    assert.deepEqual((await matchmaker.board({ ladderId: CUP.id, season: null })).lines, []);
    const [comparisonAgain, comparisonTwice] = await Promise.all([compareBoth(), compareBoth()]);
    assert.deepEqual(comparisonAgain.games, comparisonBefore.games);
    assert.deepEqual(comparisonAgain, comparisonTwice);
  });
});

test("a deleted ladder leaves nothing in the matchmaker", async () => {
  const arena = await openCup(memoryStores()());
  assert.ok(arena.arena.board(CUP.id));
  arena.ladders.remove(CUP.id);
  await arena.advanceTime(4100);
  arena.ladders.upsert(CUP);
  await arena.advanceTime(4100);
  assert.equal(arena.arena.board(CUP.id).size, 0);
});

test("boards of finished ladders are loaded four at a time at startup", async () => {
  const store = memoryStores()();
  const cups = Array.from({ length: 6 }, (_, at) => ({
    ...CUP,
    id: `cup-${at}`,
    finishedAt: CLOSING,
  }));
  const openReads = new Set<string>();
  const concurrentReads: string[][] = [];
  const pairs: Store["stats"]["pairs"] = async (competition) => {
    openReads.add(competition.ladderId);
    concurrentReads.push([...openReads]);
    await new Promise((resolve) => void setImmediate(resolve));
    openReads.delete(competition.ladderId);
    return store.stats.pairs(competition);
  };
  const arena = await testArena({
    store: overrideStore(store, { stats: { pairs } }),
    ladders: cups,
  });
  const [, ...laterReads] = concurrentReads;
  assert.deepEqual(laterReads[3], ["cup-0", "cup-1", "cup-2", "cup-3"]);
  assert.equal(laterReads.length, cups.length, "each is read once");
  assert.ok(laterReads.every(({ length }) => length <= 4));
  for (const { id } of cups) assert.equal(arena.arena.board(id).size, 0);
});
