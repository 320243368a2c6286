import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";

import { LockHeld } from "#data/access/server-lock.ts";
import { openStore } from "#server/composition/open-store.ts";
import {
  clearRealPostgres,
  REAL_POSTGRES,
  WITH_REAL_POSTGRES,
} from "#testing/store-cases/real-postgres.ts";
import { sampleBot } from "#testing/store-cases/store-samples.ts";

import { connectTo, lockDatabase } from "./postgres-lock.ts";
import type { LockSession } from "./postgres-lock.ts";

type Row = { pid: number; name: string };

/** A server with one lock. Sessions are numbered; a row names the one that has it. */
function fakeServer() {
  const server = {
    holder: null as Row | null,
    isReachable: true,
    sessions: [] as { pid: number; isOpen: boolean }[],
    ended: [] as number[],
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
          server.ended.push(values[0] as number);
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

const never = (error: unknown): never => {
  throw error;
};

describe("T93 the lock of a database", () => {
  it("is refused while another process has it, and the refusal names that one", async () => {
    const server = fakeServer();
    const first = await lockDatabase(server.connect, never);
    await first.announce("http://bout.example");
    await assert.rejects(lockDatabase(server.connect, never), {
      name: "LockHeld",
      message: `this database is served by process ${process.pid} at http://bout.example already; nothing was touched`,
    });
    assert.equal(server.sessions[1]!.isOpen, false);
    await first[Symbol.asyncDispose]();
    await lockDatabase(server.connect, never);
  });

  it("costs a write nothing while the connection lasts", async () => {
    const server = fakeServer();
    const lock = await lockDatabase(server.connect, never);
    await lock.assure();
    assert.equal(server.sessions.length, 1);
  });

  it("is retaken before the next writes, once for all of them", async () => {
    const server = fakeServer();
    const lock = await lockDatabase(server.connect, never);
    server.sessions[0]!.isOpen = false;
    server.holder = null;
    await Promise.all([lock.assure(), lock.assure()]);
    assert.equal(server.sessions.length, 2);
    assert.equal(server.holder!.pid, server.sessions[1]!.pid);
  });

  it("keeps writes waiting while the database is away", async () => {
    const server = fakeServer();
    const lock = await lockDatabase(server.connect, never);
    server.sessions[0]!.isOpen = false;
    server.holder = null;
    server.isReachable = false;
    await assert.rejects(lock.assure(), { name: "StoreError", code: "unavailable" });
    server.isReachable = true;
    await lock.assure();
  });

  it("ends our own lost connection if the database has not noticed the loss", async () => {
    const server = fakeServer();
    const lock = await lockDatabase(server.connect, never);
    server.sessions[0]!.isOpen = false;
    await assert.rejects(lock.assure(), { name: "StoreError", code: "unavailable" });
    assert.deepEqual(server.ended, [server.sessions[0]!.pid]);
    await lock.assure();
  });

  it("panics when another process took it meanwhile, and lets no write through", async () => {
    const server = fakeServer();
    const panics: unknown[] = [];
    const lock = await lockDatabase(server.connect, (error) => panics.push(error));
    server.sessions[0]!.isOpen = false;
    server.holder = { pid: 7, name: "bout 4321 http://other.example" };
    await assert.rejects(lock.assure(), { name: "StoreError", code: "unavailable" });
    assert.ok(panics[0] instanceof LockHeld);
    assert.match(String(panics), /process 4321 at http:\/\/other\.example/);
    assert.deepEqual(server.ended, []);
  });
});

describe("T93 the lock of a real PostgreSQL server", WITH_REAL_POSTGRES, () => {
  const postgres = REAL_POSTGRES ?? "";
  let sessions: LockSession[] = [];
  beforeEach(async () => {
    sessions = [];
    await clearRealPostgres();
  });
  const connect = async () => {
    const session = await connectTo(postgres);
    sessions.push(session);
    return session;
  };
  /** Resolves once the server has ended the connection and its client has noticed. */
  async function cut(session: LockSession): Promise<void> {
    const admin = await connectTo(postgres);
    await admin.query("select pg_terminate_backend($1)", [session.pid]);
    await admin.end();
    while (session.isOpen()) await sleep(5);
  }

  it("has one holder, whose name it tells, and is free when the connection ends", async () => {
    const first = await lockDatabase(connect, never);
    await first.announce("http://bout.example");
    await assert.rejects(
      lockDatabase(connect, never),
      new RegExp(`process ${process.pid} at http://bout\\.example`),
    );
    await first[Symbol.asyncDispose]();
    await (await lockDatabase(connect, never))[Symbol.asyncDispose]();
  });

  it("is retaken before a write after its connection was cut", async () => {
    const lock = await lockDatabase(connect, never);
    const store = await openStore({ postgres, mayWrite: () => lock.assure() });
    await cut(sessions[0]!);
    await store.bots.add(sampleBot(1), "hash", null);
    await assert.rejects(lockDatabase(connect, never), LockHeld);
    await store.close();
    await lock[Symbol.asyncDispose]();
  });

  it("lets nothing be written once another process has it", async () => {
    const panics: unknown[] = [];
    const lock = await lockDatabase(connect, (error) => panics.push(error));
    const store = await openStore({ postgres, mayWrite: () => lock.assure() });
    await cut(sessions[0]!);
    const other = await lockDatabase(connect, never);
    await assert.rejects(store.bots.add(sampleBot(1), "hash", null), { name: "StoreError" });
    assert.ok(panics[0] instanceof LockHeld);
    assert.deepEqual(await store.bots.ids(null, 1), []);
    await store.close();
    await other[Symbol.asyncDispose]();
  });
});
