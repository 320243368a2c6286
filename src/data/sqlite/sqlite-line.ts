// A line to a thread with a connection to the database file. Calls are sent by method name.

import { openThread, ThreadEnded } from "#base/threads/thread.ts";
import type { Thread } from "#base/threads/thread.ts";
import { QUIET_UPGRADE } from "#data/migrations/quiet-upgrade.ts";
import type { UpgradeNote } from "#data/migrations/upgrade.ts";
import { storeError, StoreError } from "#data/store/errors.ts";
import type { MethodName } from "#data/store/store.ts";

import type { LineAnswer, LineCall, Setup } from "./sqlite-call.ts";

const WORKER = new URL("./sqlite-worker.ts", import.meta.url);
const CLOSE: LineCall = { method: "close", values: [] };

export class SqliteLine {
  readonly #thread: Thread;
  #closed = false;

  constructor(setup: Setup, tell = QUIET_UPGRADE.tell, entry = WORKER) {
    const name = `store ${setup.access}`;
    const hear = (note: unknown) => tell(note as UpgradeNote);
    this.#thread = openThread(entry, { name, data: setup, restarts: true, hear });
  }

  /** Rejects with StoreError. The next call replaces a thread that died. */
  async call(method: MethodName, values: unknown[]): Promise<unknown> {
    if (this.#closed) throw new StoreError("unavailable", "the store is closed");
    const call: LineCall = { method, values };
    return told(await this.#thread.ask<LineAnswer>(call).catch(refuse));
  }

  /** Lets the accepted calls finish, closes the file and ends the thread. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    const answer = await this.#thread.close(CLOSE).catch(refuse);
    if (answer !== null) told(answer as LineAnswer);
  }
}

function told(answer: LineAnswer): unknown {
  if ("value" in answer) return answer.value;
  throw new StoreError(answer.failure.code, answer.failure.message);
}

/** When a thread ends, the outcome of its calls is unknown. */
function refuse(error: unknown): never {
  if (!(error instanceof ThreadEnded)) throw storeError(error);
  throw new StoreError("unavailable", error.message, { cause: error });
}
