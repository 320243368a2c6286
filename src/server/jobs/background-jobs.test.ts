import assert from "node:assert/strict";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { setImmediate as turnOfTheLoop, setTimeout } from "node:timers/promises";

import { PUBLIC_LADDER } from "#core/ladder/ladder.ts";
import type { LadderDefinition } from "#core/ladder/ladder.ts";
import { FIXED_LIMITS, limitsWith } from "#core/limits/limits.ts";
import type { LiveSettings } from "#core/limits/settings.ts";
import { openReplays } from "#data/files/replays.ts";
import type { Replays } from "#data/files/replays.ts";
import { StoreError } from "#data/store/errors.ts";
import type { Store } from "#data/store/store.ts";
import { openSettings } from "#server/configuration/settings.ts";
import { fakeClock } from "#testing/fixtures/fake-clock.ts";
import type { FakeClock } from "#testing/fixtures/fake-clock.ts";
import { memoryStore } from "#testing/store-contract/memory-store.ts";
import {
  addSamplePlayers,
  sampleAudit,
  sampleId,
  sampleMatch,
  sampleSeat,
} from "#testing/store-contract/store-samples.ts";
import { overrideStore } from "#testing/store-contract/store-with-changes.ts";
import type { StoreOverrides } from "#testing/store-contract/store-with-changes.ts";

import { startBackgroundJobs } from "./background-jobs.ts";
import type { BackgroundJobs } from "./background-jobs.ts";
import { openReplayTrimming } from "./replay-trimming.ts";

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
  settings: LiveSettings;
  ladders: LadderDefinition[];
  archivedLadders: Set<string>;
  open(sweep?: () => Promise<void>): BackgroundJobs;
  /**
   * Returns the numbers of the matches with a replay file. `storedNumbers` returns the numbers of
   * the matches that should have one, according to the store.
   */
  files(): Promise<number[]>;
  storedNumbers(): Promise<number[]>;
};

const rejectArchive = () => Promise.reject(new Error("no ladder is finished"));

let worlds = 0;

async function world(changes: StoreOverrides = {}, inner = memoryStore()): Promise<World> {
  const path = join(folder, String((worlds += 1)));
  const [replays, clock] = [await openReplays(path), fakeClock()];
  await addSamplePlayers(inner, 3);
  const store = overrideStore(inner, changes);
  const log: string[] = [];
  const settings = openSettings(limitsWith({ replays_per_bot: 2 }));
  const ladders: LadderDefinition[] = [PUBLIC_LADDER];
  const archivedLadders = new Set<string>();
  const surroundings = {
    ladders: { list: () => ladders },
    archives: {
      ladders: async () => archivedLadders,
      checksum: async () => null,
      make: rejectArchive,
    },
  };
  const recordLog = (_fields: object, text: string) => void log.push(text);
  const numbersOf = (ids: string[]) =>
    ids.map((id) => Number.parseInt(id.slice(-11), 16)).toSorted((a, b) => a - b);
  return {
    store,
    replays,
    clock,
    log,
    settings,
    ladders,
    archivedLadders,
    open: (sweep) =>
      startBackgroundJobs({
        store,
        trimming: openReplayTrimming({ store, replays, settings, ...surroundings }),
        clock,
        settings,
        events: { onLadder: () => [] },
        toPublicView: (event) => event,
        ...surroundings,
        sweep: sweep ?? null,
        optionalEmails: null,
        log: { info: recordLog, warn: recordLog, error: recordLog },
      }),
    files: async () => numbersOf((await readdir(path)).map((name) => name.split(".")[0]!)),
    storedNumbers: async () => numbersOf(await store.replays.ids()),
  };
}

/**
 * Saves matches between bot 0 and another bot. As in the arena, the replay file is written first.
 */
async function saveMatches(
  { store, replays }: World,
  first: number,
  last: number,
  opponentIndex = 1,
) {
  for (let number = first; number <= last; number += 1) {
    const seats = [sampleSeat(0), sampleSeat(opponentIndex, { fighter: "B" })];
    await replays.write(idOf(number), new Uint8Array([number]));
    await store.matches.save(sampleMatch(number, { seats }));
  }
}

/**
 * Waits until a condition holds without advancing the clock, because file operations take real
 * time.
 */
async function waitUntil(isReached: () => Promise<boolean>): Promise<void> {
  for (let turn = 0; turn < TURNS; turn += 1) {
    if (await isReached()) return;
    await setTimeout(1);
  }
  assert.fail("condition never met");
}

describe("replay trimming", () => {
  it("keeps the replay files of each bot's newest matches and removes all other files", async () => {
    const fixture = await world();
    await saveMatches(fixture, 1, 3, 2);
    await saveMatches(fixture, 4, 9, 1);
    const backgroundJobs = fixture.open();
    await waitUntil(async () => fixture.log.length > 0);
    // Matches 2 and 3 are bot 2's newest, and matches 8 and 9 are the other two bots' newest. Match
    // 1 is a highlight.
    assert.deepEqual(await fixture.files(), [1, 2, 3, 8, 9]);
    assert.deepEqual(await fixture.storedNumbers(), [1, 2, 3, 8, 9]);
    assert.deepEqual(fixture.log, ["old replays removed"]);
    assert.equal((await fixture.store.matches.ids()).length, 9);
    await backgroundJobs.stop();
  });

  it("applies a changed replays_per_bot in the next run", async () => {
    const fixture = await world();
    await saveMatches(fixture, 1, 5);
    const backgroundJobs = fixture.open();
    await waitUntil(async () => fixture.log.length === 1 && fixture.clock.armedTimers() === 3);
    fixture.settings.change({ replays_per_bot: 1 });
    await turnOfTheLoop();
    assert.deepEqual(await fixture.files(), [1, 4, 5]);
    fixture.clock.advance(PERIOD_MS);
    await waitUntil(async () => fixture.log.length === 2);
    assert.deepEqual(await fixture.files(), [1, 5]);
    await backgroundJobs.stop();
  });

  it("keeps replays of an event's ladder until the ladder is archived", async () => {
    const fixture = await world();
    const [opensAt, closesAt] = ["2026-05-04T09:00:00.000Z", "2026-05-04T22:00:00.000Z"];
    fixture.ladders[0] = { ...PUBLIC_LADDER, opensAt, closesAt };
    fixture.settings.change({ replays_per_bot: 2, archive_replays: 5 });
    await saveMatches(fixture, 1, 9);
    const backgroundJobs = fixture.open();
    await waitUntil(async () => fixture.log.length === 1 && fixture.clock.armedTimers() === 3);
    assert.deepEqual(await fixture.files(), [1, 5, 6, 7, 8, 9]);
    fixture.archivedLadders.add(PUBLIC_LADDER.id);
    fixture.clock.advance(PERIOD_MS);
    await waitUntil(async () => fixture.log.length === 2);
    assert.deepEqual(await fixture.files(), [1, 8, 9]);
    await backgroundJobs.stop();
  });

  it("runs again after a full period", async () => {
    const fixture = await world();
    const backgroundJobs = fixture.open();
    await waitUntil(async () => fixture.clock.armedTimers() === 3);
    await saveMatches(fixture, 1, 5);
    fixture.clock.advance(PERIOD_MS - 1);
    await turnOfTheLoop();
    assert.equal((await fixture.files()).length, 5);
    fixture.clock.advance(1);
    await waitUntil(async () => fixture.log.length > 0);
    assert.deepEqual(await fixture.files(), [1, 4, 5]);
    await backgroundJobs.stop();
    assert.equal(fixture.clock.armedTimers(), 0);
  });

  it("continues after a failure", async () => {
    let calls = 0;
    const inner = memoryStore();
    const release: Store["replays"]["release"] = async (...values) => {
      if ((calls += 1) === 1) throw new StoreError("unavailable", "away");
      return inner.replays.release(...values);
    };
    const fixture = await world({ replays: { release } }, inner);
    await saveMatches(fixture, 1, 4);
    const backgroundJobs = fixture.open();
    await waitUntil(async () => fixture.log.length > 0 && fixture.clock.armedTimers() > 0);
    assert.deepEqual(
      [fixture.log[0], (await fixture.files()).length],
      ["background job failed; retrying", 4],
    );
    fixture.clock.advance(10_000);
    await waitUntil(async () => fixture.log.length > 1);
    assert.deepEqual(await fixture.files(), [1, 3, 4]);
    await backgroundJobs.stop();
  });

  it("T49 leaves files for the next sweep if the process is killed after updating the store but before deleting the files", async () => {
    const fixture = await world();
    await saveMatches(fixture, 1, 40);
    // The store has released these replays, but their files were not removed.
    const botIds = [0, 1].map((number) => sampleId("bot", number));
    await fixture.store.replays.release(botIds, 2, 100);
    assert.equal((await fixture.files()).length, 40);
    assert.deepEqual(await fixture.storedNumbers(), [39, 40]);
    await fixture.replays.sweepReplays(await fixture.store.replays.ids(), Infinity);
    assert.deepEqual(await fixture.files(), [39, 40]);
  });

  it("removes more than one batch", async () => {
    const fixture = await world();
    await saveMatches(fixture, 1, 90);
    const backgroundJobs = fixture.open();
    await waitUntil(async () => fixture.log.length > 0);
    assert.deepEqual(await fixture.files(), [1, 89, 90]);
    await backgroundJobs.stop();
  });
});

describe("the statistics backfill", () => {
  it("runs in steps with pauses until it is done", async () => {
    const steps = [50, 50, 3, 0];
    let stepsTaken = 0;
    const fixture = await world({ stats: { backfillTurns: async () => steps[stepsTaken++]! } });
    const backgroundJobs = fixture.open();
    for (let step = 1; step <= steps.length; step += 1) {
      const isLast = step === steps.length;
      await waitUntil(
        async () => stepsTaken === step && fixture.clock.armedTimers() === (isLast ? 3 : 4),
      );
      fixture.clock.advance(99);
      await turnOfTheLoop();
      assert.equal(stepsTaken, step);
      fixture.clock.advance(1);
    }
    await waitUntil(async () => fixture.clock.armedTimers() === 3);
    fixture.clock.advance(10_000);
    await turnOfTheLoop();
    assert.equal(stepsTaken, steps.length);
    await backgroundJobs.stop();
  });

  it("stops with the background jobs", async () => {
    const { promise, resolve } = Promise.withResolvers<number>();
    const fixture = await world({ stats: { backfillTurns: () => promise } });
    const backgroundJobs = fixture.open();
    let isStopped = false;
    const stopping = backgroundJobs.stop().then(() => (isStopped = true));
    await turnOfTheLoop();
    assert.equal(isStopped, false);
    resolve(50);
    await stopping;
    assert.equal(fixture.clock.armedTimers(), 0);
  });
});

it("deletes expired account data at startup and hourly, even after a failure", async () => {
  const fixture = await world();
  let sweeps = 0;
  const backgroundJobs = fixture.open(async () => {
    sweeps += 1;
    if (sweeps === 2) throw new Error("disk full");
  });
  await waitUntil(async () => sweeps === 1 && fixture.clock.armedTimers() === 3);
  fixture.clock.advance(3_599_000);
  assert.equal(sweeps, 1);
  fixture.clock.advance(1000);
  await waitUntil(async () => fixture.log.includes("background job failed; retrying"));
  fixture.clock.advance(10_000);
  await waitUntil(async () => sweeps === 3);
  await backgroundJobs.stop();
});

it("deletes the content of old emails in steps, whether or not email is enabled", async () => {
  const fixture = await world();
  const batches = [500, 500, 12];
  const cutoffs: string[] = [];
  fixture.store.deliveries.sweep = async (before) => {
    cutoffs.push(before);
    return batches.shift() ?? 0;
  };
  const backgroundJobs = fixture.open();
  await waitUntil(async () => batches.length === 0);
  const retentionMs = FIXED_LIMITS.mail_details_days * 86_400_000;
  const before = new Date(fixture.clock.wall().getTime() - retentionMs).toISOString();
  assert.deepEqual(cutoffs, Array(3).fill(before));
  await backgroundJobs.stop();
});

it("deletes audit entries after a year and throttle entries after weeks", async () => {
  const fixture = await world();
  const [today = "", ...pastInstants] = [0, 15, 15, 401].map((days) =>
    new Date(fixture.clock.wall().getTime() - days * 86_400_000).toISOString(),
  );
  await fixture.store.audit.add([
    sampleAudit(1, { at: today, kind: "bot.throttled" }),
    sampleAudit(2, { at: pastInstants[0]!, kind: "bot.throttled" }),
    sampleAudit(3, { at: pastInstants[1]! }),
    sampleAudit(4, { at: pastInstants[2]! }),
  ]);
  const backgroundJobs = fixture.open();
  await waitUntil(async () => (await fixture.store.audit.list({ limit: 9 })).length === 2);
  const remainingEntries = await fixture.store.audit.list({ limit: 9 });
  assert.deepEqual(
    remainingEntries.map(({ id }) => id),
    [sampleAudit(1).id, sampleAudit(3).id],
  );
  await backgroundJobs.stop();
});
