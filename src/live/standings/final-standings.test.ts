// Ladders that end: at the second, with final standings that are written once.
import assert from "node:assert/strict";
import { suite, test } from "node:test";

import { PUBLIC } from "#core/ladder/ladder.ts";
import type { LadderDefinition } from "#core/ladder/ladder.ts";
import type { Store } from "#data/store/store.ts";
import { localMatchmaker } from "#live/matchmaker/matchmaker-client.ts";
import { setStatus, testArena } from "#testing/fixtures/test-arena.ts";
import type { FakeBot, TestArena } from "#testing/fixtures/test-arena.ts";
import { changedStore } from "#testing/store-cases/changed-store.ts";
import { memoryStores } from "#testing/store-cases/memory-store.ts";
import { sampleAccount } from "#testing/store-cases/store-account-cases.ts";
import { sampleAudit, sampleTime } from "#testing/store-cases/store-samples.ts";

/** The clock of a test arena begins at noon on 2026-01-05. */
const CLOSING = "2026-01-05T12:05:00.000Z";
const BEFORE = "2026-01-05T12:04:59.600Z";
const AFTER = "2026-01-05T12:06:00.000Z";
const CUP: LadderDefinition = { ...PUBLIC, id: "cup", name: "Cup", closesAt: CLOSING };
const ANN = sampleAccount(1);
const FORMERLY = { at: sampleTime(0), until: sampleTime(9) };
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

async function queued(arena: TestArena, names: string[], plays: boolean): Promise<FakeBot[]> {
  const bots: FakeBot[] = [];
  for (const name of names) {
    if ((await arena.store.bots.byName(name)) === null) await arena.addBot(name);
    const bot = await arena.connect(name);
    bot.plays = plays;
    bot.say({ type: "queue", version: "v1", ladder_id: CUP.id });
    bots.push(bot);
  }
  await arena.pass(50);
  return bots;
}

/** A bot of Ann, who is a member. */
async function addAnns(arena: TestArena, name: string): Promise<void> {
  await arena.store.accounts.add(ANN, sampleAudit(3));
  await arena.store.accounts.setHandle(ANN.id, "ann", FORMERLY, sampleAudit(4));
  arena.ladders.admit(ANN.id, CUP.id);
  await arena.addBot(name, { owner: "ann", ownerId: ANN.id });
}

/** One rated game of rex and max. */
async function playedOnce(arena: TestArena): Promise<FakeBot[]> {
  const bots = await queued(arena, ["rex", "max"], true);
  await arena.until(() => bots.every((bot) => bot.told("end").length === 1));
  await arena.pass(1000);
  return bots;
}

const standings = async ({ store }: Pick<TestArena, "store">) =>
  (await store.ladders.standings(CUP.id)).map(({ rank, name }) => `${rank} ${name}`);

const finishedAt = async ({ store }: TestArena) =>
  (await store.ladders.byId(CUP.id))?.finishedAt ?? null;

const codes = (bot: FakeBot) => bot.told("error").map(({ code }) => code);

suite("a ladder's window", () => {
  test("ends at the second: who waits is told then, not at the next wave", async () => {
    const arena = await openCup(memoryStores()(), { limits: { wave_every_s: 10 } });
    const [late] = await queued(arena, ["late"], false);
    arena.clock.setWall(BEFORE);
    arena.arena.laddersChanged();
    await arena.pass(350);
    assert.deepEqual(codes(late!), []);
    await arena.pass(100);
    assert.deepEqual(codes(late!), ["ladder_closed"]);
    assert.equal(arena.arena.online()[0]?.state, "idle");
  });

  test("T45 is watched again when the wall clock jumps, either way", async () => {
    const arena = await openCup(memoryStores()());
    const [late] = await queued(arena, ["late"], false);
    arena.clock.setWall(BEFORE);
    await arena.pass(2100);
    assert.deepEqual(codes(late!), ["ladder_closed"]);
    arena.clock.setWall("2026-01-05T11:00:00.000Z");
    await arena.pass(2100);
    late!.say({ type: "queue", version: "v1", ladder_id: CUP.id });
    await arena.pass(60_000);
    assert.equal(late!.told("queued").length, 1, "it is over for good");
  });

  test("that is changed to end earlier ends then", async () => {
    const arena = await openCup(memoryStores()(), { limits: { wave_every_s: 10 } });
    const [late] = await queued(arena, ["late"], false);
    arena.ladders.put({ ...CUP, closesAt: "2026-01-05T12:00:01.000Z" });
    arena.arena.laddersChanged();
    await arena.pass(850);
    assert.deepEqual(codes(late!), []);
    await arena.pass(150);
    assert.deepEqual(codes(late!), ["ladder_closed"]);
  });

  test("is nothing to a member whose membership ends: it leaves the queue at once", async () => {
    const arena = await openCup(memoryStores()());
    await addAnns(arena, "ann");
    const [ann] = await queued(arena, ["ann"], false);
    arena.ladders.dismiss(ANN.id, CUP.id);
    arena.arena.laddersChanged();
    assert.deepEqual(codes(ann!), ["enrollment_required"]);
  });
});

suite("final standings", () => {
  test("are written when the last match has ended, and stay as they are", async () => {
    const arena = await openCup(memoryStores()());
    const [rex] = await playedOnce(arena);
    await queued(arena, ["tim", "tom"], false);
    await arena.until(() => arena.arena.running().length === 1);
    arena.clock.setWall(CLOSING);
    await arena.pass(4100);
    assert.equal(await finishedAt(arena), null, "a match is still on");
    await arena.until(() => arena.arena.running().length === 0);
    await arena.pass(4100);
    assert.ok((await finishedAt(arena))! > CLOSING);
    const places = await standings(arena);
    assert.equal(places.length, 2);
    assert.equal(arena.arena.board(CUP.id).size, 2, "its ratings can still be seen");
    const winner = (await arena.store.ladders.standings(CUP.id))[0]!;
    await setStatus(arena, winner.botId, "banned");
    await arena.pass(4100);
    assert.deepEqual(await standings(arena), places);
    rex!.say({ type: "queue", version: "v1", ladder_id: CUP.id });
    assert.deepEqual(codes(rex!).at(-1), "ladder_closed");
  });

  test("leave out bots of accounts that are no active members", async () => {
    const arena = await openCup(memoryStores()());
    await addAnns(arena, "rex");
    await playedOnce(arena);
    arena.ladders.dismiss(ANN.id, CUP.id);
    arena.clock.setWall(AFTER);
    await arena.pass(4100);
    assert.deepEqual(await standings(arena), ["1 max"]);
  });

  test("are written by the next server when none ran, and the ladder never opens again", async () => {
    const open = memoryStores();
    const first = await openCup(open(), { newId: ids("a") });
    await playedOnce(first);
    first.arena.stop();
    const store = open();
    const closed = { ...CUP, closesAt: "2026-01-05T11:00:00.000Z" };
    await store.ladders.change(CUP.id, { closesAt: closed.closesAt }, sampleAudit(2));
    const second = await openCup(store, { newId: ids("b") });
    const places = await standings(second);
    assert.equal(places.length, 2);
    const at = await finishedAt(second);
    second.clock.setWall("2026-01-05T10:00:00.000Z");
    const [rex] = await queued(second, ["rex"], false);
    assert.deepEqual(codes(rex!), ["ladder_closed"]);
    second.arena.stop();
    const third = await openCup(open(), { newId: ids("c") });
    assert.deepEqual([await finishedAt(third), await standings(third)], [at, places]);
    assert.equal(third.arena.board(CUP.id).size, 2);
  });

  test("are tried again while the store is out of reach", async () => {
    const store = memoryStores()();
    let failures = 2;
    const arena = await openCup(
      changedStore(store, {
        ladders: {
          finish: async (...values) => {
            if (failures-- > 0) throw new Error("out of reach");
            return store.ladders.finish(...values);
          },
        },
      }),
    );
    await playedOnce(arena);
    arena.clock.setWall(AFTER);
    await arena.pass(8100);
    assert.equal((await standings(arena)).length, 2);
    assert.deepEqual(new Set(arena.log), new Set(["a ladder could not be finished yet"]));
  });

  test("free the matchmaker, which compares two versions again when asked", async () => {
    const matchmaker = localMatchmaker();
    const forgotten: string[] = [];
    const arena = await openCup(memoryStores()(), {
      matchmaker: {
        ...matchmaker,
        forget: (one) => {
          forgotten.push(one.ladderId);
          return matchmaker.forget(one);
        },
      },
    });
    await playedOnce(arena);
    const [one, other] = [...arena.arena.board(CUP.id).keys()];
    const compare = () => arena.arena.compare(CUP.id, [one!, other!]);
    const before = await compare();
    arena.clock.setWall(AFTER);
    await arena.pass(4100);
    assert.deepEqual(forgotten, ["cup"]);
    assert.deepEqual((await matchmaker.board({ ladderId: CUP.id, season: null })).lines, []);
    const [again, twice] = await Promise.all([compare(), compare()]);
    assert.deepEqual(again.games, before.games);
    assert.deepEqual(again, twice);
  });
});

test("a ladder that is deleted leaves nothing in the matchmaker", async () => {
  const arena = await openCup(memoryStores()());
  assert.ok(arena.arena.board(CUP.id));
  arena.ladders.drop(CUP.id);
  await arena.pass(4100);
  arena.ladders.put(CUP);
  await arena.pass(4100);
  assert.equal(arena.arena.board(CUP.id).size, 0);
});

test("boards of ladders that are over are read four at a time at a start", async () => {
  const store = memoryStores()();
  const cups = Array.from({ length: 6 }, (_, at) => ({
    ...CUP,
    id: `cup-${at}`,
    finishedAt: CLOSING,
  }));
  const reading = new Set<string>();
  const together: string[][] = [];
  const pairs: Store["figures"]["pairs"] = async (competition) => {
    reading.add(competition.ladderId);
    together.push([...reading]);
    await new Promise((resolve) => void setImmediate(resolve));
    reading.delete(competition.ladderId);
    return store.figures.pairs(competition);
  };
  const arena = await testArena({
    store: changedStore(store, { figures: { pairs } }),
    ladders: cups,
  });
  const [, ...reads] = together;
  assert.deepEqual(reads[3], ["cup-0", "cup-1", "cup-2", "cup-3"]);
  assert.equal(reads.length, cups.length, "each is read once");
  assert.ok(reads.every(({ length }) => length <= 4));
  for (const { id } of cups) assert.equal(arena.arena.board(id).size, 0);
});
