import assert from "node:assert/strict";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { setImmediate as turnOfTheLoop, setTimeout } from "node:timers/promises";

import { PUBLIC } from "#core/ladder/ladder.ts";
import type { LadderDefinition } from "#core/ladder/ladder.ts";
import { FIXED, limitsWith } from "#core/words/limits.ts";
import type { Settings } from "#core/words/settings.ts";
import { openReplays } from "#data/files/replays.ts";
import type { Replays } from "#data/files/replays.ts";
import { StoreError } from "#data/store/errors.ts";
import type { Store } from "#data/store/store.ts";
import { openSettings } from "#server/configuration/settings.ts";
import { fakeClock } from "#testing/fixtures/fake-clock.ts";
import type { FakeClock } from "#testing/fixtures/fake-clock.ts";
import { changedStore } from "#testing/store-cases/changed-store.ts";
import type { StoreChanges } from "#testing/store-cases/changed-store.ts";
import { memoryStore } from "#testing/store-cases/memory-store.ts";
import {
  addSamplePlayers,
  sampleAudit,
  sampleId,
  sampleMatch,
  sampleSeat,
} from "#testing/store-cases/store-samples.ts";

import { openUpkeep } from "./jobs.ts";
import type { Upkeep } from "./jobs.ts";
import { openTrimming } from "./trimming.ts";

const PERIOD_MS = 600_000;
const TURNS = 5000;

const idOf = (number: number) => sampleId("match", number);

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "bout-upkeep-"));
});
after(() => rm(folder, { recursive: true }));

type World = {
  store: Store;
  replays: Replays;
  clock: FakeClock;
  log: string[];
  settings: Settings;
  /** In place of the ladders that there are. */
  ladders: LadderDefinition[];
  archived: Set<string>;
  open(sweep?: () => Promise<void>): Upkeep;
  /** Numbers of the matches that have a file, or that have one according to the store. */
  files(): Promise<number[]>;
  claimed(): Promise<number[]>;
};

const notMade = () => Promise.reject(new Error("no ladder is over"));

let worlds = 0;

async function world(changes: StoreChanges = {}, inner = memoryStore()): Promise<World> {
  const path = join(folder, String((worlds += 1)));
  const [replays, clock] = [await openReplays(path), fakeClock()];
  await addSamplePlayers(inner, 3);
  const store = changedStore(inner, changes);
  const log: string[] = [];
  const settings = openSettings(limitsWith({ replays_per_bot: 2 }));
  const ladders: LadderDefinition[] = [PUBLIC];
  const archived = new Set<string>();
  const around = {
    ladders: { all: () => ladders },
    archives: { ladders: async () => archived, sumOf: async () => null, make: notMade },
  };
  const note = (_fields: object, text: string) => void log.push(text);
  const numbersOf = (ids: string[]) =>
    ids.map((id) => Number.parseInt(id.slice(-11), 16)).toSorted((a, b) => a - b);
  return {
    store,
    replays,
    clock,
    log,
    settings,
    ladders,
    archived,
    open: (sweep) =>
      openUpkeep({
        store,
        trimming: openTrimming({ store, replays, settings, ...around }),
        clock,
        settings,
        events: { onLadder: () => [] },
        shown: (event) => event,
        ...around,
        sweep: sweep ?? null,
        letters: null,
        log: { info: note, warn: note, error: note },
      }),
    files: async () => numbersOf((await readdir(path)).map((name) => name.split(".")[0]!)),
    claimed: async () => numbersOf(await store.replays.ids()),
  };
}

/** Saves matches of bot 0 against another one, as the arena does: file first. */
async function play({ store, replays }: World, first: number, last: number, other = 1) {
  for (let number = first; number <= last; number += 1) {
    const seats = [sampleSeat(0), sampleSeat(other, { fighter: "B" })];
    await replays.write(idOf(number), new Uint8Array([number]));
    await store.matches.save(sampleMatch(number, { seats }));
  }
}

/** Waits for everything that does not wait for the clock; files take their time. */
async function settle(isSo: () => Promise<boolean>): Promise<void> {
  for (let turn = 0; turn < TURNS; turn += 1) {
    if (await isSo()) return;
    await setTimeout(1);
  }
  assert.fail("it never came to be so");
}

describe("the trim of replays", () => {
  it("keeps the files of each bot's newest matches and removes all others", async () => {
    const here = await world();
    await play(here, 1, 3, 2);
    await play(here, 4, 9, 1);
    const upkeep = here.open();
    await settle(async () => here.log.length > 0);
    // Bot 2 keeps 2 and 3, the other two keep 8 and 9; match 1 is a highlight.
    assert.deepEqual(await here.files(), [1, 2, 3, 8, 9]);
    assert.deepEqual(await here.claimed(), [1, 2, 3, 8, 9]);
    assert.deepEqual(here.log, ["old replays were removed"]);
    assert.equal((await here.store.matches.ids()).length, 9);
    await upkeep.stop();
  });

  it("keeps from the next one on as many as replays_per_bot is then", async () => {
    const here = await world();
    await play(here, 1, 5);
    const upkeep = here.open();
    await settle(async () => here.log.length === 1 && here.clock.armed() === 3);
    here.settings.change({ replays_per_bot: 1 });
    await turnOfTheLoop();
    assert.deepEqual(await here.files(), [1, 4, 5]);
    here.clock.pass(PERIOD_MS);
    await settle(async () => here.log.length === 2);
    assert.deepEqual(await here.files(), [1, 5]);
    await upkeep.stop();
  });

  it("leaves those of an event's ladder alone until they are in its archive", async () => {
    const here = await world();
    const [opensAt, closesAt] = ["2026-05-04T09:00:00.000Z", "2026-05-04T22:00:00.000Z"];
    here.ladders[0] = { ...PUBLIC, opensAt, closesAt };
    here.settings.change({ replays_per_bot: 2, archive_replays: 5 });
    await play(here, 1, 9);
    const upkeep = here.open();
    await settle(async () => here.log.length === 1 && here.clock.armed() === 3);
    assert.deepEqual(await here.files(), [1, 5, 6, 7, 8, 9]);
    here.archived.add(PUBLIC.id);
    here.clock.pass(PERIOD_MS);
    await settle(async () => here.log.length === 2);
    assert.deepEqual(await here.files(), [1, 8, 9]);
    await upkeep.stop();
  });

  it("runs again after its period and not before", async () => {
    const here = await world();
    const upkeep = here.open();
    await settle(async () => here.clock.armed() === 3);
    await play(here, 1, 5);
    here.clock.pass(PERIOD_MS - 1);
    await turnOfTheLoop();
    assert.equal((await here.files()).length, 5);
    here.clock.pass(1);
    await settle(async () => here.log.length > 0);
    assert.deepEqual(await here.files(), [1, 4, 5]);
    await upkeep.stop();
    assert.equal(here.clock.armed(), 0);
  });

  it("continues where a failure stopped it", async () => {
    let calls = 0;
    const inner = memoryStore();
    const release: Store["replays"]["release"] = async (...values) => {
      if ((calls += 1) === 1) throw new StoreError("unavailable", "away");
      return inner.replays.release(...values);
    };
    const here = await world({ replays: { release } }, inner);
    await play(here, 1, 4);
    const upkeep = here.open();
    await settle(async () => here.log.length > 0 && here.clock.armed() > 0);
    assert.deepEqual(
      [here.log[0], (await here.files()).length],
      ["upkeep failed and is tried again", 4],
    );
    here.clock.pass(10_000);
    await settle(async () => here.log.length > 1);
    assert.deepEqual(await here.files(), [1, 3, 4]);
    await upkeep.stop();
  });

  it("T49 that is killed between store and file leaves what the next sweep removes", async () => {
    const here = await world();
    await play(here, 1, 40);
    // The store has dropped them, but the process never got to remove the files.
    const botIds = [0, 1].map((number) => sampleId("bot", number));
    await here.store.replays.release(botIds, 2, 100);
    assert.equal((await here.files()).length, 40);
    assert.deepEqual(await here.claimed(), [39, 40]);
    await here.replays.sweep(await here.store.replays.ids(), Infinity);
    assert.deepEqual(await here.files(), [39, 40]);
  });

  it("removes more than fits in one portion", async () => {
    const here = await world();
    await play(here, 1, 90);
    const upkeep = here.open();
    await settle(async () => here.log.length > 0);
    assert.deepEqual(await here.files(), [1, 89, 90]);
    await upkeep.stop();
  });
});

describe("the carrying over of older statistics", () => {
  it("goes step by step, with a pause after each, until none is left", async () => {
    const steps = [50, 50, 3, 0];
    let taken = 0;
    const here = await world({ figures: { carryTurns: async () => steps[taken++]! } });
    const upkeep = here.open();
    for (let step = 1; step <= steps.length; step += 1) {
      const isLast = step === steps.length;
      await settle(async () => taken === step && here.clock.armed() === (isLast ? 3 : 4));
      here.clock.pass(99);
      await turnOfTheLoop();
      assert.equal(taken, step);
      here.clock.pass(1);
    }
    await settle(async () => here.clock.armed() === 3);
    here.clock.pass(10_000);
    await turnOfTheLoop();
    assert.equal(taken, steps.length);
    await upkeep.stop();
  });

  it("ends when the upkeep stops", async () => {
    const { promise, resolve } = Promise.withResolvers<number>();
    const here = await world({ figures: { carryTurns: () => promise } });
    const upkeep = here.open();
    let isStopped = false;
    const stopped = upkeep.stop().then(() => (isStopped = true));
    await turnOfTheLoop();
    assert.equal(isStopped, false);
    resolve(50);
    await stopped;
    assert.equal(here.clock.armed(), 0);
  });
});

it("sweeps what embedded accounts no longer need at once and each hour, also after a failure", async () => {
  const here = await world();
  let sweeps = 0;
  const upkeep = here.open(async () => {
    sweeps += 1;
    if (sweeps === 2) throw new Error("the disk is full");
  });
  await settle(async () => sweeps === 1 && here.clock.armed() === 3);
  here.clock.pass(3_599_000);
  assert.equal(sweeps, 1);
  here.clock.pass(1000);
  await settle(async () => here.log.includes("upkeep failed and is tried again"));
  here.clock.pass(10_000);
  await settle(async () => sweeps === 3);
  await upkeep.stop();
});

it("forgets what was in letters that ended long ago, step by step, whether or not letters are sent", async () => {
  const here = await world();
  const left = [500, 500, 12];
  const asked: string[] = [];
  here.store.deliveries.sweep = async (before) => {
    asked.push(before);
    return left.shift() ?? 0;
  };
  const upkeep = here.open();
  await settle(async () => left.length === 0);
  const keptMs = FIXED.mail_details_days * 86_400_000;
  const before = new Date(here.clock.wall().getTime() - keptMs).toISOString();
  assert.deepEqual(asked, Array(3).fill(before));
  await upkeep.stop();
});

it("forgets the audit of a year ago, and of throttled bots of weeks ago", async () => {
  const here = await world();
  const [today = "", ...past] = [0, 15, 15, 401].map((days) =>
    new Date(here.clock.wall().getTime() - days * 86_400_000).toISOString(),
  );
  await here.store.audit.add([
    sampleAudit(1, { at: today, kind: "bot.throttled" }),
    sampleAudit(2, { at: past[0]!, kind: "bot.throttled" }),
    sampleAudit(3, { at: past[1]! }),
    sampleAudit(4, { at: past[2]! }),
  ]);
  const upkeep = here.open();
  await settle(async () => (await here.store.audit.list({ limit: 9 })).length === 2);
  const kept = await here.store.audit.list({ limit: 9 });
  assert.deepEqual(
    kept.map(({ id }) => id),
    [sampleAudit(1).id, sampleAudit(3).id],
  );
  await upkeep.stop();
});
