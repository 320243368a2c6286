import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";

import { LockHeld } from "#data/access/server-lock.ts";
import { connectTo, lockDatabase } from "#data/postgres/postgres-lock.ts";
import { lockFolder } from "#data/sqlite/folder-lock.ts";
import { temporaryFolder } from "#testing/harness/bout-process.ts";
import { REAL_POSTGRES, WITH_REAL_POSTGRES } from "#testing/store-cases/real-postgres.ts";

import { lockServer } from "./server-lock.ts";

const never = (error: unknown): never => {
  throw error;
};
/** Long enough for the waiting start to fail at least once before the lock is released. */
const SEVERAL_RETRIES_MS = 350;

describe("T102 a start that finds the lock held", () => {
  it("succeeds once the other server releases the data folder", async () => {
    const data = temporaryFolder();
    const first = lockFolder(data);
    const second = lockServer({ data, database: null, waitMs: 60_000 }, never);
    await sleep(SEVERAL_RETRIES_MS);
    await first[Symbol.asyncDispose]();
    await (await second)[Symbol.asyncDispose]();
  });

  it("is refused if the lock is still held after the wait, and changes no file", async () => {
    const data = temporaryFolder();
    const first = lockFolder(data);
    const before = readdirSync(data);
    const refused = lockServer({ data, database: null, waitMs: SEVERAL_RETRIES_MS }, never);
    await assert.rejects(refused, LockHeld);
    assert.deepEqual(readdirSync(data), before);
    await first[Symbol.asyncDispose]();
  });

  it("succeeds once the other server releases the database", WITH_REAL_POSTGRES, async () => {
    const database = REAL_POSTGRES ?? "";
    const first = await lockDatabase(() => connectTo(database), never);
    const data = temporaryFolder();
    const second = lockServer({ data, database, waitMs: 60_000 }, never);
    await sleep(SEVERAL_RETRIES_MS);
    await first[Symbol.asyncDispose]();
    await (await second)[Symbol.asyncDispose]();
  });
});
