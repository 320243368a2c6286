// Locks a PostgreSQL database with an advisory lock on a dedicated connection, whose name
// identifies the holder. The server releases the lock when the connection ends.

import { Client } from "pg";

import { LockHeld } from "#data/credentials/server-lock.ts";
import type { LockHolder, LockStatus } from "#data/credentials/server-lock.ts";
import type { ServerLock } from "#data/credentials/server-lock.ts";
import { toStoreError, StoreError } from "#data/store/errors.ts";

const CONNECT_TIMEOUT_MS = 5_000;
const QUERY_TIMEOUT_MS = 10_000;
/** The connection is otherwise idle, so TCP keepalive detects when it breaks. */
const KEEP_ALIVE_MS = 10_000;

const LOCK_KEY = "hashtextextended('server', 0)";
const TAKE_LOCK = `select pg_try_advisory_lock(${LOCK_KEY}) as taken`;
const SET_SESSION_NAME = "select set_config('application_name', $1, false)";
const SELECT_HOLDER = `select pid, application_name as name
  from pg_locks join pg_stat_activity using (pid)
  where locktype = 'advisory' and granted and objsubid = 1
    and database = (select oid from pg_database where datname = current_database())
    and classid::bigint << 32 | objid::bigint = ${LOCK_KEY}`;
const TERMINATE_SESSION = "select pg_terminate_backend($1)";

export type LockSession = {
  readonly pid: number;
  isOpen(): boolean;
  query(text: string, values?: readonly unknown[]): Promise<Record<string, unknown>[]>;
  end(): Promise<void>;
};

/** Opens a connection that doesn't throw when it is lost. */
export async function openLockSession(url: string): Promise<LockSession> {
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

/**
 * Acquires the lock with a session from `connect`. Throws LockHeld if another process holds the
 * lock. Calls `onLockLost` if another process took the lock while the connection was lost.
 */
export async function lockDatabase(
  connect: () => Promise<LockSession>,
  onLockLost: (error: unknown) => void,
): Promise<ServerLock> {
  let name = sessionName(null);
  let session = await takeLock(await openSession(connect), name);
  let pendingRetake: Promise<void> | null = null;

  async function retakeLock(): Promise<void> {
    const newSession = await openSession(connect);
    try {
      session = await takeLock(newSession, name, session.pid);
    } catch (error) {
      if (!(error instanceof LockHeld)) throw toStoreError(error);
      onLockLost(error);
      throw new StoreError("unavailable", error.message);
    }
  }

  return {
    announce: async (address) => {
      name = sessionName(address);
      await session.query(SET_SESSION_NAME, [name]);
    },
    ensureHeld: async () => {
      if (session.isOpen()) return;
      pendingRetake ??= retakeLock().finally(() => (pendingRetake = null));
      await pendingRetake;
    },
    [Symbol.asyncDispose]: () => session.end(),
  };
}

async function openSession(connect: () => Promise<LockSession>): Promise<LockSession> {
  try {
    return await connect();
  } catch (error) {
    throw toStoreError(error);
  }
}

/**
 * Acquires the lock, or closes the session and throws. `lostPid` is the server process ID of this
 * process's lost session.
 */
async function takeLock(
  session: LockSession,
  name: string,
  lostPid?: number,
): Promise<LockSession> {
  try {
    await session.query(SET_SESSION_NAME, [name]);
    const [row] = await session.query(TAKE_LOCK);
    if (row?.taken === true) return session;
    const [holder] = await session.query(SELECT_HOLDER);
    if (
      lostPid !== undefined &&
      (holder === undefined || isOwnLostSession(holder, name, lostPid))
    ) {
      if (holder !== undefined) await session.query(TERMINATE_SESSION, [lostPid]);
      throw new StoreError("unavailable", "the database still holds the lock of a lost connection");
    }
    throw new LockHeld("this database", holder === undefined ? null : parseHolder(holder));
  } catch (error) {
    await session.end();
    throw error;
  }
}

export async function databaseLockStatus(session: LockSession): Promise<LockStatus> {
  const [holder] = await session.query(SELECT_HOLDER);
  return holder === undefined
    ? { isLocked: false }
    : { isLocked: true, holder: parseHolder(holder) };
}

/** The server keeps a silently broken session open until it is terminated. */
function isOwnLostSession(holder: Record<string, unknown>, name: string, lostPid: number): boolean {
  return holder["pid"] === lostPid && holder["name"] === name;
}

/** PostgreSQL truncates names to 63 bytes. */
const MAX_NAME_LENGTH = 63;
const sessionName = (address: string | null): string =>
  `bout ${process.pid} ${address ?? ""}`.trim().slice(0, MAX_NAME_LENGTH);

function parseHolder({ name }: Record<string, unknown>): LockHolder {
  const [, pid, address] = String(name).split(" ");
  return pid === undefined ? null : { pid: Number(pid), address: address ?? null };
}
