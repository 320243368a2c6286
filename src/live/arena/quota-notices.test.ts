import assert from "node:assert/strict";
import { test } from "node:test";

import { LIMITS } from "#core/words/limits.ts";
import type { AuditEntry } from "#data/store/audit.ts";
import { StoreError } from "#data/store/errors.ts";
import { testArena } from "#testing/fixtures/test-arena.ts";
import { memoryStore } from "#testing/store-cases/memory-store.ts";

/** Two bots over their hourly quota, and a store that refuses audit entries with these failures. */
async function throttled(failures: StoreError[]) {
  const store = memoryStore();
  const { add } = store.audit;
  store.audit.add = async (entries) => {
    const failure = failures.shift();
    if (failure !== undefined) throw failure;
    await add(entries);
  };
  const arena = await testArena({ store, limits: { hourly_quota: 0 } });
  for (const name of ["a", "b"]) {
    await arena.addBot(name);
    (await arena.connect(name)).say({ type: "queue", version: "v1" });
  }
  return arena;
}

const subjects = (entries: AuditEntry[]) => entries.map(({ subject }) => subject?.name).toSorted();

test("a throttle that the audit cannot take is written as soon as it can", async () => {
  const arena = await throttled([
    new StoreError("unavailable", "locked"),
    new StoreError("full", "no space"),
    new StoreError("unavailable", "locked"),
  ]);
  await arena.pass(6500);
  assert.deepEqual(await arena.store.audit.list({ kind: "bot.throttled", limit: 10 }), []);
  assert.deepEqual(arena.log, Array(3).fill("throttles wait for the audit"));
  await arena.pass(2000);
  const audit = await arena.store.audit.list({ kind: "bot.throttled", limit: 10 });
  assert.deepEqual(subjects(audit), ["a", "b"]);
  assert.deepEqual(audit[0]!.detail, { reason: "hourly_quota" });
  const first = audit[0]!.at;
  await arena.pass(60_000);
  const later = await arena.store.audit.list({ kind: "bot.throttled", limit: 10 });
  assert.deepEqual([later.length, later[0]!.at], [2, first]);
});

test("a bot that is refused one version after another is in the audit from time to time", async () => {
  const arena = await testArena({ limits: { versions_per_day: 1 } });
  await arena.addBot("keen");
  const bot = await arena.connect("keen");
  for (let number = 0; number < 20; number += 1) {
    bot.say({ type: "queue", version: `v${number}` });
    await arena.pass(1000);
  }
  const listed = async () => arena.store.audit.list({ kind: "bot.version_limit", limit: 10 });
  const [entry, ...more] = await listed();
  assert.deepEqual([entry?.subject?.name, more], ["keen", []]);
  await arena.pass(LIMITS.quota_notice_every_s * 1000);
  bot.say({ type: "queue", version: "v-late" });
  await arena.pass(5000);
  assert.equal((await listed()).length, 2);
});

test("an entry that the audit refuses for good is not tried for ever", async () => {
  const arena = await throttled([new StoreError("invalid", "no such kind")]);
  await arena.pass(20_000);
  assert.deepEqual(arena.log, ["throttles wait for the audit"]);
  assert.deepEqual(await arena.store.audit.list({ kind: "bot.throttled", limit: 10 }), []);
});
