// Alarms must reach admins while the store can't be read or written.
import assert from "node:assert/strict";
import { it } from "node:test";
import { setImmediate as turnOfTheLoop } from "node:timers/promises";

import { MINUTE_MS } from "#base/util/time.ts";
import { watchStore } from "#data/invalidation/store-watch.ts";
import { StoreError } from "#data/store/errors.ts";
import type { StoreErrorCode } from "#data/store/errors.ts";
import { fakeClock } from "#testing/fixtures/fake-clock.ts";
import { memoryStore } from "#testing/store-contract/memory-store.ts";
import {
  sampleEntry,
  CASE_NOW,
  sampleAccount,
} from "#testing/store-contract/store-account-cases.ts";
import { sampleId } from "#testing/store-contract/store-samples.ts";
import { overrideStore } from "#testing/store-contract/store-with-changes.ts";

import { withDiskFullAlarm, openAlarms } from "./operator-alarms.ts";

async function alarmFixture() {
  const clock = fakeClock();
  const log = { info: () => {}, warn: () => {}, error: () => {} };
  const sentAlarms: string[] = [];
  let failure: StoreErrorCode | null = null;
  const innerStore = memoryStore();
  const faultyStore = overrideStore(innerStore, {
    seasons: {
      list: async () => {
        if (failure !== null) throw new StoreError(failure, "on demand");
        return innerStore.seasons.list();
      },
    },
  });
  const alarms = openAlarms({ clock, log });
  const { store } = watchStore(faultyStore, alarms.onStoreResult);
  for (const number of [0, 1, 2])
    await store.accounts.add(sampleAccount(number, { emailConfirmedAt: CASE_NOW }), sampleEntry());
  await alarms.start({
    store,
    side: {
      adminEmails: () => new Set(["person-0@example.org"]),
      sendEmail: (to, { type }) => void sentAlarms.push(`${to.split("@")[0]} ${type}`),
    },
  });
  const listSeasons = async (code: StoreErrorCode | null) => {
    failure = code;
    await store.seasons.list().catch(() => {});
  };
  return { clock, store, told: sentAlarms, alarms, ask: listSeasons };
}

it("reports a full disk immediately to the current admins", async () => {
  const { store, told: sentAlarms, ask: listSeasons } = await alarmFixture();
  const setRole = (number: number, to: "admin" | "player") =>
    store.accounts.setRole(sampleId("account", number), to, [], sampleEntry());
  await setRole(1, "admin");
  await setRole(2, "admin");
  await setRole(2, "player");
  await turnOfTheLoop();
  await listSeasons("full");
  await listSeasons("full");
  assert.deepEqual(sentAlarms, ["person-0 disk_full", "person-1 disk_full"]);
});

it("reports a full disk to an admin whose account was just created", async () => {
  const { store, told: sentAlarms, ask: listSeasons } = await alarmFixture();
  const admin = sampleAccount(3, { role: "admin", emailConfirmedAt: CASE_NOW });
  await store.accounts.add(admin, sampleEntry());
  await turnOfTheLoop();
  await listSeasons("full");
  assert.deepEqual(sentAlarms, ["person-0 disk_full", "person-3 disk_full"]);
});

it("reports an unreachable store after a minute unless it recovers", async () => {
  const { clock, told: sentAlarms, ask: listSeasons } = await alarmFixture();
  await listSeasons("unavailable");
  clock.advance(MINUTE_MS / 2);
  await listSeasons(null);
  await listSeasons("unavailable");
  clock.advance(MINUTE_MS - 1);
  await listSeasons("unavailable");
  assert.deepEqual(sentAlarms, []);
  clock.advance(1);
  await listSeasons("unavailable");
  assert.deepEqual(sentAlarms, ["person-0 store_away"]);
});

it("reports a full disk detected while writing a replay", async () => {
  const { told: sentAlarms, alarms } = await alarmFixture();
  const failingRecorder = {
    file: () => Promise.reject(new StoreError("full", "disk full")),
    remove: async () => {},
    close: async () => {},
  };
  const alarmedRecorder = withDiskFullAlarm(failingRecorder, alarms);
  await assert.rejects(alarmedRecorder.file("match", {}), /disk full/);
  assert.deepEqual(sentAlarms, ["person-0 disk_full"]);
});
