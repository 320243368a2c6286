import { Worker } from "node:worker_threads";

import { storeError, StoreError } from "#store/errors.ts";
import type { StoreErrorCode } from "#store/errors.ts";
import type { Store } from "#store/store.ts";

import type { Access } from "./sqlite-driver.ts";

/** `made` as in `openStore`. */
export type Setup = { path: string; access: Access; made?: string };
export type Call = { id: number; method: keyof Store; values: unknown[] };
export type Answer =
  | { id: number; value: unknown }
  | { id: number; failure: { code: StoreErrorCode; message: string } };

type Pending = { resolve(value: unknown): void; reject(error: Error): void };

const WORKER = new URL("./sqlite-worker.ts", import.meta.url);

/** The line to one worker: calls go out by method name, answers come back by number. */
export class SqliteLine {
  readonly #setup: Setup;
  readonly #entry: URL;
  readonly #pending = new Map<number, Pending>();
  #worker: Worker | null;
  #calls = 0;
  #closed = false;

  constructor(setup: Setup, entry = WORKER) {
    this.#setup = setup;
    this.#entry = entry;
    this.#worker = this.#start();
  }

  /** Rejects with StoreError. A worker that died is replaced by the next call. */
  call(method: keyof Store, values: unknown[]): Promise<unknown> {
    if (this.#closed) return Promise.reject(new StoreError("unavailable", "the store is closed"));
    return this.#send(method, values);
  }

  /** Lets the accepted calls finish, closes the file and ends the thread. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    if (!this.#worker) return;
    await this.#send("close", []);
    await this.#worker.terminate();
  }

  async #send(method: keyof Store, values: unknown[]): Promise<unknown> {
    this.#worker ??= this.#start();
    const id = ++this.#calls;
    try {
      this.#worker.postMessage({ id, method, values } satisfies Call, []);
    } catch (error) {
      throw storeError(error);
    }
    return new Promise((resolve, reject) => this.#pending.set(id, { resolve, reject }));
  }

  #start(): Worker {
    const name = `store ${this.#setup.access}`;
    const worker = new Worker(this.#entry, { name, workerData: this.#setup });
    worker.on("message", (answer: Answer) => this.#settle(answer));
    worker.on("error", (error) => this.#lose(worker, `: ${String(error)}`));
    worker.on("exit", () => this.#lose(worker, ""));
    return worker;
  }

  #settle(answer: Answer): void {
    const pending = this.#pending.get(answer.id);
    this.#pending.delete(answer.id);
    if ("value" in answer) pending?.resolve(answer.value);
    else pending?.reject(new StoreError(answer.failure.code, answer.failure.message));
  }

  /** The outcome of what was under way is unknown. */
  #lose(worker: Worker, reason: string): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    const error = new StoreError("unavailable", `the thread of the store ended${reason}`);
    for (const pending of this.#pending.values()) pending.reject(error);
    this.#pending.clear();
  }
}
