// Questions to a worker thread and its answers.

import { parentPort, Worker } from "node:worker_threads";
import type { MessagePort, ResourceLimits } from "node:worker_threads";

type Question = { id: number; question: unknown };
type Answer = { id: number } & ({ value: unknown } | { error: string });
type Note = { note: unknown };

type Waiter = { resolve: (value: unknown) => void; reject: (error: Error) => void };

/** The thread ended before it answered. How far it got is unknown. */
export class ThreadEnded extends Error {}

export type ThreadSetup = {
  name: string;
  /** The thread's `workerData`. */
  data?: unknown;
  heap?: ResourceLimits;
  /**
   * Whether a thread that dies is replaced. Only for threads that keep no state between questions.
   */
  restarts: boolean;
  /** Milliseconds for the oldest question; a thread that takes longer is ended. */
  limitMs?: number;
  /**
   * Receives what the thread tells unasked. It arrives before the answer to the question that
   * caused it.
   */
  hear?: (note: unknown) => void;
};

export type Thread = {
  /**
   * `T` must be the type that the thread's `answerQuestions` returns for this question. Rejects
   * with ThreadEnded if the thread dies, or has died and does not restart.
   */
  ask<T>(question: unknown): Promise<T>;
  /** Ends the thread. If it is alive and `last` is given, it answers that first. */
  close(last?: unknown): Promise<unknown>;
};

/**
 * For threads whose objects are few and short-lived: more room for garbage only leaves tens of
 * megabytes per thread unused.
 */
export const SMALL_HEAP: ResourceLimits = { maxYoungGenerationSizeMb: 12 };

export function openThread(entry: URL, setup: ThreadSetup): Thread {
  const { name, data, heap, restarts, limitMs } = setup;
  const waiters = new Map<number, Waiter>();
  let asked = 0;
  let ended: ThreadEnded | null = null;
  let worker: Worker | null = start();

  // Questions are answered in order, so the time of one begins with the answer to the one before.
  const watch = newWatch(limitMs, () => {
    const late = worker;
    if (late === null) return;
    lose(late, new Error(`no answer within ${limitMs} ms`));
    void late.terminate();
  });

  function start(): Worker {
    const started = new Worker(entry, { name, workerData: data, resourceLimits: heap });
    started.on("message", (message: Answer | Note) => {
      if ("note" in message) setup.hear?.(message.note);
      else settle(message);
    });
    started.on("error", (error) => lose(started, error));
    started.on("exit", () => lose(started));
    return started;
  }

  function settle({ id, ...answer }: Answer): void {
    const waiter = waiters.get(id);
    waiters.delete(id);
    watch(waiters.size > 0);
    if ("error" in answer) waiter?.reject(new Error(answer.error));
    else waiter?.resolve(answer.value);
  }

  function lose(lost: Worker, cause?: unknown): void {
    if (worker !== lost) return;
    worker = null;
    const error = new ThreadEnded(`the thread "${name}" has ended`, { cause });
    if (!restarts) ended ??= error;
    for (const { reject } of waiters.values()) reject(error);
    waiters.clear();
    watch(false);
  }

  function ask<T>(question: unknown): Promise<T> {
    return new Promise((resolve, reject) => {
      if (ended !== null) throw ended;
      worker ??= start();
      asked += 1;
      worker.postMessage({ id: asked, question } satisfies Question, []);
      waiters.set(asked, { resolve: (value) => resolve(value as T), reject });
      if (waiters.size === 1) watch(true);
    });
  }

  return {
    ask,
    close: async (last) => {
      const answer = last === undefined || worker === null ? null : ask(last);
      ended ??= new ThreadEnded(`the thread "${name}" is closed`);
      try {
        return await answer;
      } finally {
        await worker?.terminate();
      }
    },
  };
}

/** Calls back once somebody has waited `limitMs` since it was last told; never without a limit. */
function newWatch(limitMs: number | undefined, isLate: () => void): (waits: boolean) => void {
  let timer: NodeJS.Timeout | undefined;
  return (waits) => {
    clearTimeout(timer);
    if (waits && limitMs !== undefined) timer = setTimeout(isLate, limitMs).unref();
  };
}

/** Called in the thread, to tell its owner something unasked. */
export function tellOwner(note: unknown): void {
  ownPort().postMessage({ note } satisfies Note, []);
}

/**
 * Called in the thread. Questions are answered in order; what `answer` throws fails that question
 * alone.
 */
export function answerQuestions(answer: (question: unknown) => unknown): void {
  const port = ownPort();

  async function reply({ id, question }: Question): Promise<void> {
    let told: Answer;
    try {
      told = { id, value: await answer(question) };
    } catch (error) {
      told = { id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
    }
    port.postMessage(told, []);
  }

  port.on("message", (question: Question) => void reply(question));
}

function ownPort(): MessagePort {
  if (parentPort === null) throw new Error("this module runs as a worker thread");
  return parentPort;
}
