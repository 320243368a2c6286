// What admins are told from memory when the store cannot keep or say anything.
import assert from "node:assert/strict";
import { it } from "node:test";
import { setImmediate as turnOfTheLoop } from "node:timers/promises";

import { MINUTE_MS } from "#base/units/time.ts";
import { watchStore } from "#data/cached/store-watch.ts";
import { StoreError } from "#data/store/errors.ts";
import type { StoreErrorCode } from "#data/store/errors.ts";
import { fakeClock } from "#testing/fixtures/fake-clock.ts";
import { changedStore } from "#testing/store-cases/changed-store.ts";
import { memoryStore } from "#testing/store-cases/memory-store.ts";
import { entry, NOW, sampleAccount } from "#testing/store-cases/store-account-cases.ts";
import { sampleId } from "#testing/store-cases/store-samples.ts";

import { heardRecorder, openAlarms } from "./alarms.ts";

/** A store whose look for open seasons fails as the test says. */
async function world() {
  const clock = fakeClock();
  const log = { info: () => {}, warn: () => {}, error: () => {} };
  const told: string[] = [];
  let failure: StoreErrorCode | null = null;
  const inner = memoryStore();
  const faulty = changedStore(inner, {
    seasons: {
      list: async () => {
        if (failure !== null) throw new StoreError(failure, "as the test says");
        return inner.seasons.list();
      },
    },
  });
  const alarms = openAlarms({ clock, log });
  const { store } = watchStore(faulty, alarms.heard);
  for (const number of [0, 1, 2])
    await store.accounts.add(sampleAccount(number, { emailConfirmedAt: NOW }), entry());
  await alarms.begin({
    store,
    side: {
      adminEmails: () => new Set(["person-0@example.org"]),
      sendLetter: (to, { type }) => void told.push(`${to.split("@")[0]} ${type}`),
    },
  });
  const ask = async (code: StoreErrorCode | null) => {
    failure = code;
    await store.seasons.list().catch(() => {});
  };
  return { clock, store, told, alarms, ask };
}

it("a full disk is told at once to who is an admin by then", async () => {
  const { store, told, ask } = await world();
  const role = (number: number, to: "admin" | "player") =>
    store.accounts.setRole(sampleId("account", number), to, [], entry());
  await role(1, "admin");
  await role(2, "admin");
  await role(2, "player");
  await turnOfTheLoop();
  await ask("full");
  await ask("full");
  assert.deepEqual(told, ["person-0 disk_full", "person-1 disk_full"]);
});

it("an admin whose account was created a moment ago is told of a full disk", async () => {
  const { store, told, ask } = await world();
  const admin = sampleAccount(3, { role: "admin", emailConfirmedAt: NOW });
  await store.accounts.add(admin, entry());
  await turnOfTheLoop();
  await ask("full");
  assert.deepEqual(told, ["person-0 disk_full", "person-3 disk_full"]);
});

it("a store that is away is told of after a minute, one that comes back is not", async () => {
  const { clock, told, ask } = await world();
  await ask("unavailable");
  clock.pass(MINUTE_MS / 2);
  await ask(null);
  await ask("unavailable");
  clock.pass(MINUTE_MS - 1);
  await ask("unavailable");
  assert.deepEqual(told, []);
  clock.pass(1);
  await ask("unavailable");
  assert.deepEqual(told, ["person-0 store_away"]);
});

it("a replay that finds the disk full is enough", async () => {
  const { told, alarms } = await world();
  const failing = {
    file: () => Promise.reject(new StoreError("full", "no room")),
    remove: async () => {},
    close: async () => {},
  };
  const heard = heardRecorder(failing, alarms);
  await assert.rejects(heard.file("match", {}), /no room/);
  assert.deepEqual(told, ["person-0 disk_full"]);
});
