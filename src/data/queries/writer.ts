import { setImmediate as turnOfTheLoop } from "node:timers/promises";

import { sql } from "kysely";

import { isRejected, storeError, StoreError, wasUndone } from "#data/store/errors.ts";

import type { Backend } from "./backend.ts";
import type { Database, OpenTransaction } from "./tables.ts";

/**
 * One write. It may run a second time in a new transaction, so it must use only what it is given.
 */
type Job<T> = (transaction: OpenTransaction) => Promise<T>;

/** Runs a job and resolves with its value once its transaction is durably committed. */
export type Write = <T>(job: Job<T>) => Promise<T>;

/** Most writes that share one commit. */
const GROUP_LIMIT = 256;
/** Most writes that wait; further ones are refused as `unavailable` rather than kept in memory. */
const WAITING_LIMIT = 20_000;

type Settle = () => void;
type Waiting = {
  /** Leaves the transaction unusable when it fails. */
  run(transaction: OpenTransaction): Promise<Settle>;
  /** In a savepoint, so that a refused write fails alone. */
  attempt(transaction: OpenTransaction): Promise<Settle>;
  fail(error: Error): void;
};

/**
 * Group commit: writes that wait during a commit share the next transaction. If one of them is
 * refused, all are run again, each in a savepoint. Savepoints are not the rule because they make
 * SQLite copy every page that is written after them.
 */
export class GroupWriter {
  readonly #database: Database;
  readonly #mayWrite: () => Promise<void>;
  readonly #waiting: Waiting[] = [];
  #draining = false;

  constructor({ database, mayWrite }: Pick<Backend, "database" | "mayWrite">) {
    this.#database = database;
    this.#mayWrite = mayWrite;
  }

  readonly write: Write = (job) => {
    if (this.#waiting.length >= WAITING_LIMIT) return refusal();
    return new Promise((resolve, reject) => {
      this.#waiting.push(waiting(job, resolve, reject));
      if (!this.#draining) void this.#drain();
    });
  };

  async #drain(): Promise<void> {
    this.#draining = true;
    while (this.#waiting.length > 0) {
      // A turn of the loop lets calls that have already arrived join the group.
      await turnOfTheLoop();
      await this.#commit(this.#waiting.splice(0, GROUP_LIMIT));
    }
    this.#draining = false;
  }

  async #commit(group: Waiting[], way: "run" | "attempt" = "run"): Promise<void> {
    try {
      await this.#mayWrite();
      const settles = await this.#database
        .transaction()
        .execute((open) => settlesOf(group, (one) => one[way](open)));
      for (const settle of settles) settle();
    } catch (error) {
      await this.#recover(group, way, storeError(error));
    }
  }

  /** If everything was rolled back and one of the writes may be the cause, each is tried alone. */
  async #recover(group: Waiting[], way: "run" | "attempt", error: StoreError): Promise<void> {
    if (isRejected(error) && way === "run" && group.length > 1)
      return this.#commit(group, "attempt");
    if (group.length === 1 || !wasUndone(error)) {
      for (const one of group) one.fail(error);
      return;
    }
    for (const one of group) await this.#commit([one]);
  }
}

function refusal(): Promise<never> {
  return Promise.reject(new StoreError("unavailable", "too many writes are waiting"));
}

async function settlesOf(
  group: readonly Waiting[],
  settleOf: (one: Waiting) => Promise<Settle>,
): Promise<Settle[]> {
  const settles: Settle[] = [];
  for (const one of group) settles.push(await settleOf(one));
  return settles;
}

function waiting<T>(
  job: Job<T>,
  resolve: (value: T) => void,
  reject: (error: Error) => void,
): Waiting {
  const run = async (transaction: OpenTransaction): Promise<Settle> => {
    const value = await job(transaction);
    return () => resolve(value);
  };
  return {
    run,
    fail: reject,
    async attempt(transaction) {
      await sql`savepoint job`.execute(transaction);
      try {
        const settle = await run(transaction);
        await sql`release savepoint job`.execute(transaction);
        return settle;
      } catch (error) {
        const failure = storeError(error);
        if (!isRejected(failure)) throw failure;
        await sql`rollback to savepoint job`.execute(transaction);
        await sql`release savepoint job`.execute(transaction);
        return () => reject(failure);
      }
    },
  };
}
