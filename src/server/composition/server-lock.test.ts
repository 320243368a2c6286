import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";

import { LockHeld } from "#data/credentials/server-lock.ts";
import { openLockSession, lockDatabase } from "#data/postgres/postgres-lock.ts";
import { lockFolder } from "#data/sqlite/folder-lock.ts";
import { temporaryTestFolder } from "#testing/harness/bout-process.ts";
import {
  REAL_POSTGRES_URL,
  REAL_POSTGRES_TEST_OPTIONS,
} from "#testing/store-contract/real-postgres.ts";

import { lockServer } from "./server-lock.ts";

const throwError = (error: unknown): never => {
  throw error;
};
/** Long enough for startup to retry at least once before the lock is released. */
const SEVERAL_RETRIES_MS = 350;

describe("T102 starting while another server holds the lock", () => {
  it("succeeds when the data folder is released", async () => {
    const data = temporaryTestFolder();
    const first = lockFolder(data);
    const second = lockServer({ data, database: null, waitMs: 60_000 }, throwError);
    await sleep(SEVERAL_RETRIES_MS);
    await first[Symbol.asyncDispose]();
    await (await second)[Symbol.asyncDispose]();
  });

  it("fails without changing files if the lock is still held after the wait", async () => {
    const data = temporaryTestFolder();
    const first = lockFolder(data);
    const before = readdirSync(data);
    const pendingLock = lockServer(
      { data, database: null, waitMs: SEVERAL_RETRIES_MS },
      throwError,
    );
    await assert.rejects(pendingLock, LockHeld);
    assert.deepEqual(readdirSync(data), before);
    await first[Symbol.asyncDispose]();
  });

  it("succeeds when the database is released", REAL_POSTGRES_TEST_OPTIONS, async () => {
    const database = REAL_POSTGRES_URL ?? "";
    const first = await lockDatabase(() => openLockSession(database), throwError);
    const data = temporaryTestFolder();
    const second = lockServer({ data, database, waitMs: 60_000 }, throwError);
    await sleep(SEVERAL_RETRIES_MS);
    await first[Symbol.asyncDispose]();
    await (await second)[Symbol.asyncDispose]();
  });
});
