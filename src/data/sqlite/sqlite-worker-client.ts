// Client of a worker thread that has a connection to the database file. Calls are sent by method
// name.

import { openThread, ThreadEndedError } from "#base/threads/thread.ts";
import type { Thread } from "#base/threads/thread.ts";
import { QUIET_UPGRADE } from "#data/migrations/quiet-upgrade.ts";
import type { UpgradeLogEntry } from "#data/migrations/upgrade.ts";
import { toStoreError, StoreError } from "#data/store/errors.ts";
import type { MethodName } from "#data/store/store.ts";

import type { SqliteResult, SqliteCall, SqliteWorkerOptions } from "./sqlite-worker-protocol.ts";

const WORKER_URL = new URL("./sqlite-worker.ts", import.meta.url);
const CLOSE_CALL: SqliteCall = { method: "close", args: [] };

export class SqliteWorkerClient {
  readonly #thread: Thread;
  #isClosed = false;

  constructor(options: SqliteWorkerOptions, log = QUIET_UPGRADE.log, workerUrl = WORKER_URL) {
    const name = `store ${options.access}`;
    const handleMessage = (message: unknown) => log(message as UpgradeLogEntry);
    this.#thread = openThread(workerUrl, { name, data: options, restarts: true, handleMessage });
  }

  /** Rejects with StoreError. If the thread has died, the call starts a new one. */
  async call(method: MethodName, args: unknown[]): Promise<unknown> {
    if (this.#isClosed) throw new StoreError("unavailable", "the store is closed");
    const call: SqliteCall = { method, args };
    return unwrapResult(await this.#thread.ask<SqliteResult>(call).catch(rethrowStoreError));
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const result = await this.#thread.close(CLOSE_CALL).catch(rethrowStoreError);
    if (result !== null) unwrapResult(result as SqliteResult);
  }
}

function unwrapResult(result: SqliteResult): unknown {
  if ("value" in result) return result.value;
  throw new StoreError(result.failure.code, result.failure.message);
}

/**
 * The outcome of pending calls is unknown if the thread ends, so they reject with `unavailable`.
 */
function rethrowStoreError(error: unknown): never {
  if (!(error instanceof ThreadEndedError)) throw toStoreError(error);
  throw new StoreError("unavailable", error.message, { cause: error });
}
