import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { StoreError } from "#data/store/errors.ts";
import type { Store } from "#data/store/store.ts";
import { mapMethods, memoryStore } from "#testing/store-cases/memory-store.ts";
import {
  addSamplePlayers,
  sampleId,
  sampleMatch,
  sampleSeat,
} from "#testing/store-cases/store-samples.ts";

import { followChanges } from "./changes.ts";
import type { Changes } from "./changes.ts";

const bot = (number: number) => sampleId("bot", number);

/** All numbers that a change could move. */
const numbersOf = (changes: Changes) => ({
  public: changes.matchesOn("public"),
  cup: changes.matchesOn("cup"),
  first: changes.matchesOf(bot(0)),
  second: changes.matchesOf(bot(1)),
  third: changes.matchesOf(bot(2)),
  seasons: changes.seasons(),
  turns: changes.turns(),
  replays: changes.replays(),
});

type Moved = (keyof ReturnType<typeof numbersOf>)[];
type Case = { name: string; change: (store: Store) => Promise<unknown>; moves: Moved };

const elsewhere = { ladderId: "cup", season: null };
const seats = [sampleSeat(1), sampleSeat(2, { fighter: "B" })];

const CASES: Case[] = [
  {
    name: "a match of two bots",
    change: (store) => store.saveMatch(sampleMatch(1)),
    moves: ["public", "first", "second"],
  },
  {
    name: "a match of others on another ladder",
    change: (store) => store.saveMatch(sampleMatch(1, { ...elsewhere, seats })),
    moves: ["cup", "second", "third"],
  },
  { name: "new seasons", change: (store) => store.openSeasons([]), moves: ["seasons"] },
  {
    name: "the end of a season",
    change: (store) => store.archiveSeason("2026-01", "2026-02-01T00:00:00.000Z", []),
    moves: ["seasons"],
  },
  { name: "turns counted late", change: (store) => store.carryTurns(1), moves: ["turns"] },
  {
    name: "replays let go",
    change: (store) => store.releaseReplays([bot(0)], 1, 1),
    moves: ["replays"],
  },
];

async function players(): Promise<Store> {
  const store = memoryStore();
  await addSamplePlayers(store, 3);
  return store;
}

describe("changes of the store", () => {
  for (const { name, change, moves } of CASES) {
    it(`${name}: moves ${moves.join(", ")} and nothing else`, async () => {
      const { store, changes } = followChanges(await players());
      const before = numbersOf(changes);
      await change(store);
      const after = numbersOf(changes);
      const moved = (Object.keys(after) as Moved).filter((key) => after[key] !== before[key]);
      assert.deepEqual(moved, moves);
    });

    it(`${name}: counts after a failure too, for it may be stored`, async () => {
      const failing = mapMethods(await players(), () => async () => {
        throw new StoreError("unavailable", "away");
      });
      const { store, changes } = followChanges(failing);
      await assert.rejects(change(store));
      for (const key of moves) assert.notEqual(numbersOf(changes)[key], 0);
    });
  }

  it("do not count before they are stored, but before their caller hears of it", async () => {
    const stored = Promise.withResolvers<void>();
    const { store, changes } = followChanges({ ...memoryStore(), saveMatch: () => stored.promise });
    const heard = store.saveMatch(sampleMatch(1)).then(() => changes.matchesOn("public"));
    assert.equal(changes.matchesOn("public"), 0);
    stored.resolve();
    assert.equal(await heard, 1);
  });

  it("do not count reads", async () => {
    const { store, changes } = followChanges(await players());
    await store.matches({ ladderId: "public", limit: 1, withStats: false });
    await store.bots();
    assert.ok(Object.values(numbersOf(changes)).every((number) => number === 0));
  });
});
