import { setImmediate as turnOfTheLoop } from "node:timers/promises";

import { sql } from "kysely";

import { storeError, StoreError, wasUndone } from "./errors.ts";
import type { Database, OpenTransaction } from "./tables.ts";

/** One write. It may be run a second time in a new transaction, so it only uses what it is given. */
type Job<T> = (transaction: OpenTransaction) => Promise<T>;

/** Runs a job and resolves with its value once its transaction is durably committed. */
export type Write = <T>(job: Job<T>) => Promise<T>;

/** Writes that share one commit at most. */
const GROUP_LIMIT = 256;
/** Writes that may wait; more are refused as `unavailable` rather than kept in memory. */
const WAITING_LIMIT = 20_000;

type Settle = () => void;
type Waiting = { attempt(transaction: OpenTransaction): Promise<Settle>; fail(error: Error): void };

/**
 * Group commit: the writes that wait while a commit is under way share the next transaction,
 * each in a savepoint of its own so that a refused one fails alone.
 */
export class GroupWriter {
  readonly #database: Database;
  readonly #waiting: Waiting[] = [];
  #draining = false;

  constructor(database: Database) {
    this.#database = database;
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
      // A turn of the loop lets the calls that have already arrived join the group.
      await turnOfTheLoop();
      await this.#commit(this.#waiting.splice(0, GROUP_LIMIT));
    }
    this.#draining = false;
  }

  async #commit(group: Waiting[]): Promise<void> {
    try {
      const settles = await this.#database.transaction().execute((open) => attemptAll(open, group));
      for (const settle of settles) settle();
    } catch (error) {
      await this.#recover(group, storeError(error));
    }
  }

  /** Where all was undone and some of the writes may be the cause, each is tried alone. */
  async #recover(group: Waiting[], error: StoreError): Promise<void> {
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

async function attemptAll(transaction: OpenTransaction, group: Waiting[]): Promise<Settle[]> {
  const settles: Settle[] = [];
  for (const one of group) settles.push(await one.attempt(transaction));
  return settles;
}

function waiting<T>(
  job: Job<T>,
  resolve: (value: T) => void,
  reject: (error: Error) => void,
): Waiting {
  return {
    fail: reject,
    async attempt(transaction) {
      await sql`savepoint job`.execute(transaction);
      try {
        const value = await job(transaction);
        await sql`release savepoint job`.execute(transaction);
        return () => resolve(value);
      } catch (error) {
        const failure = storeError(error);
        if (failure.code !== "invalid") throw failure;
        await sql`rollback to savepoint job`.execute(transaction);
        await sql`release savepoint job`.execute(transaction);
        return () => reject(failure);
      }
    },
  };
}
