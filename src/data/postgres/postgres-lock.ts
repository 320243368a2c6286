// The lock of a PostgreSQL database: an advisory lock on a dedicated connection, whose name tells
// who holds it. The server frees it together with the connection.

import { Client } from "pg";

import { LockHeld } from "#data/access/server-lock.ts";
import type { Holder, Holding } from "#data/access/server-lock.ts";
import type { ServerLock } from "#data/access/server-lock.ts";
import { storeError, StoreError } from "#data/store/errors.ts";

const CONNECT_TIMEOUT_MS = 5_000;
const QUERY_TIMEOUT_MS = 10_000;
/** The connection is silent, so the system probes whether it still exists. */
const KEEP_ALIVE_MS = 10_000;

const KEY = "hashtextextended('server', 0)";
const TAKE = `select pg_try_advisory_lock(${KEY}) as taken`;
const NAME = "select set_config('application_name', $1, false)";
const HOLDER = `select pid, application_name as name
  from pg_locks join pg_stat_activity using (pid)
  where locktype = 'advisory' and granted and objsubid = 1
    and database = (select oid from pg_database where datname = current_database())
    and classid::bigint << 32 | objid::bigint = ${KEY}`;
const END = "select pg_terminate_backend($1)";

/** The part of a database connection that the lock needs. */
export type LockSession = {
  /** Process id of the session on the server. */
  readonly pid: number;
  isOpen(): boolean;
  query(text: string, values?: readonly unknown[]): Promise<Record<string, unknown>[]>;
  end(): Promise<void>;
};

/** Opens a connection, which throws no error by itself when it is lost. */
export async function connectTo(url: string): Promise<LockSession> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  });
  let isOpen = true;
  client.on("error", () => (isOpen = false));
  client.on("end", () => (isOpen = false));
  await client.connect();
  const query = async (text: string, values: readonly unknown[] = []) =>
    (await client.query<Record<string, unknown>>(text, [...values])).rows;
  const [session] = await query("select pg_backend_pid() as pid");
  return { pid: Number(session?.pid), isOpen: () => isOpen, query, end: () => client.end() };
}

/** Like `lockServer`, over sessions that `connect` opens. */
export async function lockDatabase(
  connect: () => Promise<LockSession>,
  panic: (error: unknown) => void,
): Promise<ServerLock> {
  let name = nameOf(null);
  let session = await takeOn(await opened(connect), name);
  let taking: Promise<void> | null = null;

  async function takeAgain(): Promise<void> {
    const next = await opened(connect);
    try {
      session = await takeOn(next, name, session.pid);
    } catch (error) {
      if (!(error instanceof LockHeld)) throw storeError(error);
      panic(error);
      throw new StoreError("unavailable", error.message);
    }
  }

  return {
    announce: async (address) => {
      name = nameOf(address);
      await session.query(NAME, [name]);
    },
    assure: async () => {
      if (session.isOpen()) return;
      taking ??= takeAgain().finally(() => (taking = null));
      await taking;
    },
    [Symbol.asyncDispose]: () => session.end(),
  };
}

async function opened(connect: () => Promise<LockSession>): Promise<LockSession> {
  try {
    return await connect();
  } catch (error) {
    throw storeError(error);
  }
}

/** Ends the session if it cannot get the lock. `lostPid` is that of our own lost session. */
async function takeOn(session: LockSession, name: string, lostPid?: number): Promise<LockSession> {
  try {
    await session.query(NAME, [name]);
    const [answer] = await session.query(TAKE);
    if (answer?.taken === true) return session;
    const [holder] = await session.query(HOLDER);
    if (lostPid !== undefined && (holder === undefined || isOurs(holder, name, lostPid))) {
      if (holder !== undefined) await session.query(END, [lostPid]);
      throw new StoreError("unavailable", "the database still holds the lock of a lost connection");
    }
    throw new LockHeld("this database", holder === undefined ? null : holderOf(holder));
  } catch (error) {
    await session.end();
    throw error;
  }
}

/** Who holds the lock of a database, without taking it. */
export async function databaseHolding(session: LockSession): Promise<Holding> {
  const [holder] = await session.query(HOLDER);
  return holder === undefined ? { isHeld: false } : { isHeld: true, holder: holderOf(holder) };
}

/** A link that broke silently stays open at the far end until somebody ends it there. */
function isOurs(holder: Record<string, unknown>, name: string, lostPid: number): boolean {
  return holder["pid"] === lostPid && holder["name"] === name;
}

/** PostgreSQL keeps only the first 63 bytes. */
const LONGEST_NAME = 63;
const nameOf = (address: string | null): string =>
  `bout ${process.pid} ${address ?? ""}`.trim().slice(0, LONGEST_NAME);

function holderOf({ name }: Record<string, unknown>): Holder {
  const [, pid, address] = String(name).split(" ");
  return pid === undefined ? null : { pid: Number(pid), address: address ?? null };
}
