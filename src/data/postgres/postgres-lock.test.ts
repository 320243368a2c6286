import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";

import { LockHeld } from "#data/credentials/server-lock.ts";
import { openStore } from "#server/composition/open-store.ts";
import {
  clearRealPostgres,
  REAL_POSTGRES_URL,
  REAL_POSTGRES_TEST_OPTIONS,
} from "#testing/store-contract/real-postgres.ts";
import { sampleBot } from "#testing/store-contract/store-samples.ts";

import { openLockSession, lockDatabase } from "./postgres-lock.ts";
import type { LockSession } from "./postgres-lock.ts";

type Row = { pid: number; name: string };

function fakeServer() {
  const server = {
    holder: null as Row | null,
    isReachable: true,
    sessions: [] as { pid: number; isOpen: boolean }[],
    terminatedPids: [] as number[],
    connect: async (): Promise<LockSession> => {
      if (!server.isReachable) throw new Error("connection refused");
      const session = { pid: 100 + server.sessions.length, isOpen: true, name: "" };
      server.sessions.push(session);
      const query: LockSession["query"] = async (text, values = []) => {
        if (text.includes("set_config")) {
          session.name = String(values[0]);
          if (server.holder?.pid === session.pid) server.holder.name = session.name;
        }
        if (text.includes("pg_terminate_backend")) {
          server.terminatedPids.push(values[0] as number);
          if (server.holder?.pid === values[0]) server.holder = null;
        }
        if (text.includes("pg_locks")) return server.holder === null ? [] : [server.holder];
        if (!text.includes("pg_try_advisory_lock")) return [];
        if (server.holder === null) server.holder = { pid: session.pid, name: session.name };
        return [{ taken: server.holder.pid === session.pid }];
      };
      const end = async () => {
        session.isOpen = false;
        if (server.holder?.pid === session.pid) server.holder = null;
      };
      return { pid: session.pid, isOpen: () => session.isOpen, query, end };
    },
  };
  return server;
}

const throwError = (error: unknown): never => {
  throw error;
};

describe("T93 database lock", () => {
  it("can't be acquired while another process holds it, and the error names that process", async () => {
    const server = fakeServer();
    const firstLock = await lockDatabase(server.connect, throwError);
    await firstLock.announce("http://bout.example");
    await assert.rejects(lockDatabase(server.connect, throwError), {
      name: "LockHeld",
      message: `this database is already in use by process ${process.pid} at http://bout.example; nothing was changed`,
    });
    assert.equal(server.sessions[1]!.isOpen, false);
    await firstLock[Symbol.asyncDispose]();
    await lockDatabase(server.connect, throwError);
  });

  it("needs no query before a write while the connection is open", async () => {
    const server = fakeServer();
    const lock = await lockDatabase(server.connect, throwError);
    await lock.ensureHeld();
    assert.equal(server.sessions.length, 1);
  });

  it("is reacquired once for concurrent writes", async () => {
    const server = fakeServer();
    const lock = await lockDatabase(server.connect, throwError);
    server.sessions[0]!.isOpen = false;
    server.holder = null;
    await Promise.all([lock.ensureHeld(), lock.ensureHeld()]);
    assert.equal(server.sessions.length, 2);
    assert.equal(server.holder!.pid, server.sessions[1]!.pid);
  });

  it("blocks writes while the database is unavailable", async () => {
    const server = fakeServer();
    const lock = await lockDatabase(server.connect, throwError);
    server.sessions[0]!.isOpen = false;
    server.holder = null;
    server.isReachable = false;
    await assert.rejects(lock.ensureHeld(), { name: "StoreError", code: "unavailable" });
    server.isReachable = true;
    await lock.ensureHeld();
  });

  it("terminates its own lost session if the database still keeps it open", async () => {
    const server = fakeServer();
    const lock = await lockDatabase(server.connect, throwError);
    server.sessions[0]!.isOpen = false;
    await assert.rejects(lock.ensureHeld(), { name: "StoreError", code: "unavailable" });
    assert.deepEqual(server.terminatedPids, [server.sessions[0]!.pid]);
    await lock.ensureHeld();
  });

  it("panics and blocks writes if another process has acquired it", async () => {
    const server = fakeServer();
    const panics: unknown[] = [];
    const lock = await lockDatabase(server.connect, (error) => panics.push(error));
    server.sessions[0]!.isOpen = false;
    server.holder = { pid: 7, name: "bout 4321 http://other.example" };
    await assert.rejects(lock.ensureHeld(), { name: "StoreError", code: "unavailable" });
    assert.ok(panics[0] instanceof LockHeld);
    assert.match(String(panics), /process 4321 at http:\/\/other\.example/);
    assert.deepEqual(server.terminatedPids, []);
  });
});

describe("T93 lock on a real PostgreSQL server", REAL_POSTGRES_TEST_OPTIONS, () => {
  const postgres = REAL_POSTGRES_URL ?? "";
  let sessions: LockSession[] = [];
  beforeEach(async () => {
    sessions = [];
    await clearRealPostgres();
  });
  const connect = async () => {
    const session = await openLockSession(postgres);
    sessions.push(session);
    return session;
  };
  async function disconnectSession(session: LockSession): Promise<void> {
    const admin = await openLockSession(postgres);
    await admin.query("select pg_terminate_backend($1)", [session.pid]);
    await admin.end();
    while (session.isOpen()) await sleep(5);
  }

  it("names its holder and is released when the connection ends", async () => {
    const firstLock = await lockDatabase(connect, throwError);
    await firstLock.announce("http://bout.example");
    await assert.rejects(
      lockDatabase(connect, throwError),
      new RegExp(`process ${process.pid} at http://bout\\.example`),
    );
    await firstLock[Symbol.asyncDispose]();
    await (await lockDatabase(connect, throwError))[Symbol.asyncDispose]();
  });

  it("is reacquired before a write after its connection was cut", async () => {
    const lock = await lockDatabase(connect, throwError);
    const store = await openStore({ postgres, mayWrite: () => lock.ensureHeld() });
    await disconnectSession(sessions[0]!);
    await store.bots.add(sampleBot(1), "hash", null);
    await assert.rejects(lockDatabase(connect, throwError), LockHeld);
    await store.close();
    await lock[Symbol.asyncDispose]();
  });

  it("blocks all writes once another process holds it", async () => {
    const panics: unknown[] = [];
    const lock = await lockDatabase(connect, (error) => panics.push(error));
    const store = await openStore({ postgres, mayWrite: () => lock.ensureHeld() });
    await disconnectSession(sessions[0]!);
    const otherLock = await lockDatabase(connect, throwError);
    await assert.rejects(store.bots.add(sampleBot(1), "hash", null), { name: "StoreError" });
    assert.ok(panics[0] instanceof LockHeld);
    assert.deepEqual(await store.bots.ids(null, 1), []);
    await store.close();
    await otherLock[Symbol.asyncDispose]();
  });
});
