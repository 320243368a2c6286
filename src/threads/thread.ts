// Questions to a worker thread and its answers.

import { parentPort, Worker } from "node:worker_threads";

type Question = { id: number; question: unknown };
type Answer = { id: number } & ({ value: unknown } | { error: string });

type Waiter = { resolve: (value: unknown) => void; reject: (error: Error) => void };

export type Thread = {
  /** The answer's type is what the thread's `answerQuestions` gives for such a question. */
  ask<T>(question: unknown): Promise<T>;
  close(): Promise<void>;
};

/**
 * What such a thread works on is short-lived and small: room for more garbage is memory that only
 * goes cold, tens of megabytes a thread.
 */
const HEAP = { maxYoungGenerationSizeMb: 24 };

/**
 * Starts a thread, which finds `data` as its `workerData`. Its death rejects what was asked and all
 * that is asked later.
 */
export function openThread(entry: URL, name: string, data?: unknown): Thread {
  const worker = new Worker(entry, { name, workerData: data, resourceLimits: HEAP });
  const waiters = new Map<number, Waiter>();
  let asked = 0;
  let dead: Error | null = null;

  function die(error: Error): void {
    dead ??= error;
    for (const { reject } of waiters.values()) reject(dead);
    waiters.clear();
  }

  worker.on("message", ({ id, ...answer }: Answer) => {
    const waiter = waiters.get(id);
    waiters.delete(id);
    if ("error" in answer) waiter?.reject(new Error(answer.error));
    else waiter?.resolve(answer.value);
  });
  worker.on("error", die);
  worker.on("exit", () => die(new Error(`the thread of the ${name} has ended`)));

  return {
    ask: <T>(question: unknown) =>
      new Promise<T>((resolve, reject) => {
        if (dead !== null) {
          reject(dead);
          return;
        }
        asked += 1;
        waiters.set(asked, { resolve: (value) => resolve(value as T), reject });
        worker.postMessage({ id: asked, question });
      }),
    close: async () => void (await worker.terminate()),
  };
}

/**
 * The thread's own side. Questions are taken up in order; what `answer` throws is the error of that
 * question alone.
 */
export function answerQuestions(answer: (question: unknown) => unknown): void {
  const port = parentPort;
  if (port === null) throw new Error("this module runs as a worker thread");

  async function reply({ id, question }: Question): Promise<void> {
    let told: Answer;
    try {
      told = { id, value: await answer(question) };
    } catch (error) {
      told = { id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
    }
    port?.postMessage(told, []);
  }

  port.on("message", (question: Question) => void reply(question));
}
