import assert from "node:assert/strict";
import { test } from "node:test";

import { DEFAULT_LIMITS } from "#core/limits/limits.ts";
import type { AuditEntry } from "#data/store/audit.ts";
import { StoreError } from "#data/store/errors.ts";
import { testArena } from "#testing/fixtures/test-arena.ts";
import { memoryStore } from "#testing/store-contract/memory-store.ts";

/**
 * Two bots that have used up their hourly quota, on a store that fails to add audit entries with
 * these errors.
 */
async function arenaOverQuota(failures: StoreError[]) {
  const store = memoryStore();
  const { add } = store.audit;
  store.audit.add = async (entries) => {
    const failure = failures.shift();
    if (failure !== undefined) throw failure;
    await add(entries);
  };
  const arena = await testArena({ store, limits: { hourly_quota: 0 } });
  for (const name of ["a", "b"]) {
    await arena.addArenaBot(name);
    (await arena.connect(name)).send({ type: "queue", version: "v1" });
  }
  return arena;
}

const subjects = (entries: AuditEntry[]) => entries.map(({ subject }) => subject?.name).toSorted();

test("writes a throttle entry once the audit log accepts it", async () => {
  const arena = await arenaOverQuota([
    new StoreError("unavailable", "locked"),
    new StoreError("full", "disk full"),
    new StoreError("unavailable", "locked"),
  ]);
  await arena.advanceTime(6500);
  assert.deepEqual(await arena.store.audit.list({ kind: "bot.throttled", limit: 10 }), []);
  assert.deepEqual(arena.log, Array(3).fill("could not write throttle audit entries; retrying"));
  await arena.advanceTime(2000);
  const audit = await arena.store.audit.list({ kind: "bot.throttled", limit: 10 });
  assert.deepEqual(subjects(audit), ["a", "b"]);
  assert.deepEqual(audit[0]!.detail, { reason: "hourly_quota" });
  const first = audit[0]!.at;
  await arena.advanceTime(60_000);
  const laterEntries = await arena.store.audit.list({ kind: "bot.throttled", limit: 10 });
  assert.deepEqual([laterEntries.length, laterEntries[0]!.at], [2, first]);
});

test("records repeated version refusals periodically", async () => {
  const arena = await testArena({ limits: { versions_per_day: 1 } });
  await arena.addArenaBot("keen");
  const bot = await arena.connect("keen");
  for (let number = 0; number < 20; number += 1) {
    bot.send({ type: "queue", version: `v${number}` });
    await arena.advanceTime(1000);
  }
  const listEntries = async () => arena.store.audit.list({ kind: "bot.version_limit", limit: 10 });
  const [entry, ...extraEntries] = await listEntries();
  assert.deepEqual([entry?.subject?.name, extraEntries], ["keen", []]);
  await arena.advanceTime(DEFAULT_LIMITS.quota_notice_every_s * 1000);
  bot.send({ type: "queue", version: "v-late" });
  await arena.advanceTime(5000);
  assert.equal((await listEntries()).length, 2);
});

test("drops an entry that is rejected permanently", async () => {
  const arena = await arenaOverQuota([new StoreError("invalid", "unknown kind")]);
  await arena.advanceTime(20_000);
  assert.deepEqual(arena.log, ["could not write throttle audit entries; retrying"]);
  assert.deepEqual(await arena.store.audit.list({ kind: "bot.throttled", limit: 10 }), []);
});
