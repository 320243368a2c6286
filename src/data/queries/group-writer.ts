import { setImmediate as turnOfTheLoop } from "node:timers/promises";

import { sql } from "kysely";

import { isRejected, toStoreError, StoreError, isRolledBack } from "#data/store/errors.ts";

import type { Backend } from "./database-backend.ts";
import type { Database, OpenTransaction } from "./tables.ts";

/** May run again in a new transaction, so the result must depend only on the arguments. */
type WriteJob<T> = (tx: OpenTransaction) => Promise<T>;

/** Runs a job. Resolves with its value once the transaction is durably committed. */
export type Write = <T>(job: WriteJob<T>) => Promise<T>;

const GROUP_LIMIT = 256;
/**
 * Max queued writes. Further writes reject with `unavailable`, so that memory use stays limited.
 */
const QUEUE_LIMIT = 20_000;

type Settle = () => void;
type QueuedWrite = {
  /** If the write fails, the transaction is no longer usable. */
  run(tx: OpenTransaction): Promise<Settle>;
  /** Runs in a savepoint, so that a rejected write doesn't affect the group. */
  attempt(tx: OpenTransaction): Promise<Settle>;
  reject(error: Error): void;
};

/**
 * Group commit: writes that arrive during a commit share the next transaction. If one write is
 * rejected, the group runs again with a savepoint per write. Savepoints aren't the default, because
 * SQLite copies every page that is written after a savepoint.
 */
export class GroupWriter {
  readonly #database: Database;
  readonly #mayWrite: () => Promise<void>;
  readonly #queue: QueuedWrite[] = [];
  #isDraining = false;

  constructor({ database, ensureWritable }: Pick<Backend, "database" | "ensureWritable">) {
    this.#database = database;
    this.#mayWrite = ensureWritable;
  }

  readonly write: Write = (job) => {
    if (this.#queue.length >= QUEUE_LIMIT) return rejectQueueFull();
    return new Promise((resolve, reject) => {
      this.#queue.push(queue(job, resolve, reject));
      if (!this.#isDraining) void this.#drain();
    });
  };

  async #drain(): Promise<void> {
    this.#isDraining = true;
    while (this.#queue.length > 0) {
      // Yields to the event loop, so that calls that have already arrived join the group.
      await turnOfTheLoop();
      await this.#commit(this.#queue.splice(0, GROUP_LIMIT));
    }
    this.#isDraining = false;
  }

  async #commit(group: QueuedWrite[], mode: "run" | "attempt" = "run"): Promise<void> {
    try {
      await this.#mayWrite();
      const settles = await this.#database
        .transaction()
        .execute((tx) => runGroup(group, (queuedWrite) => queuedWrite[mode](tx)));
      for (const settle of settles) settle();
    } catch (error) {
      await this.#recover(group, mode, toStoreError(error));
    }
  }

  /** Retries each write alone if everything was rolled back and a single write may be the cause. */
  async #recover(group: QueuedWrite[], mode: "run" | "attempt", error: StoreError): Promise<void> {
    if (isRejected(error) && mode === "run" && group.length > 1)
      return this.#commit(group, "attempt");
    if (group.length === 1 || !isRolledBack(error)) {
      for (const queuedWrite of group) queuedWrite.reject(error);
      return;
    }
    for (const queuedWrite of group) await this.#commit([queuedWrite]);
  }
}

function rejectQueueFull(): Promise<never> {
  return Promise.reject(new StoreError("unavailable", "too many queued writes"));
}

async function runGroup(
  group: readonly QueuedWrite[],
  runWrite: (queuedWrite: QueuedWrite) => Promise<Settle>,
): Promise<Settle[]> {
  const settles: Settle[] = [];
  for (const queuedWrite of group) settles.push(await runWrite(queuedWrite));
  return settles;
}

function queue<T>(
  job: WriteJob<T>,
  resolve: (value: T) => void,
  reject: (error: Error) => void,
): QueuedWrite {
  const run = async (tx: OpenTransaction): Promise<Settle> => {
    const value = await job(tx);
    return () => resolve(value);
  };
  return {
    run,
    reject: reject,
    async attempt(tx) {
      await sql`savepoint job`.execute(tx);
      try {
        const settle = await run(tx);
        await sql`release savepoint job`.execute(tx);
        return settle;
      } catch (error) {
        const failure = toStoreError(error);
        if (!isRejected(failure)) throw failure;
        await sql`rollback to savepoint job`.execute(tx);
        await sql`release savepoint job`.execute(tx);
        return () => reject(failure);
      }
    },
  };
}
