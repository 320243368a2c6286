import { parentPort, Worker } from "node:worker_threads";
import type { MessagePort, ResourceLimits } from "node:worker_threads";

type ThreadRequest = { id: number; request: unknown };
type ThreadResponse = { id: number } & ({ value: unknown } | { error: string });
type ThreadNotification = { notification: unknown };

type PendingCall = { resolve: (value: unknown) => void; reject: (error: Error) => void };

/** The thread ended before it responded. It may have handled part of the request. */
export class ThreadEndedError extends Error {}

export type ThreadSetup = {
  name: string;
  data?: unknown;
  resourceLimits?: ResourceLimits;
  /**
   * Whether a dead thread is replaced. Set this only for threads that keep no state between
   * requests.
   */
  restarts: boolean;
  /** Timeout for the oldest request, in milliseconds. A thread that exceeds it is terminated. */
  limitMs?: number;
  /**
   * Receives notifications from the thread. A notification arrives before the response to the
   * request that caused it.
   */
  handleMessage?: (notification: unknown) => void;
};

export type Thread = {
  /**
   * Sends a request. `T` must be the type that the handler in the thread returns for it. Rejects
   * with ThreadEndedError if the thread dies, or has died and doesn't restart.
   */
  ask<T>(request: unknown): Promise<T>;
  /** Ends the thread. If `finalRequest` is given, a running thread responds to it first. */
  close(finalRequest?: unknown): Promise<unknown>;
};

/**
 * For threads with few, short-lived objects. A larger young generation would waste tens of
 * megabytes per thread.
 */
export const SMALL_HEAP: ResourceLimits = { maxYoungGenerationSizeMb: 12 };

export function openThread(entryUrl: URL, setup: ThreadSetup): Thread {
  const { name, data, resourceLimits, restarts, limitMs } = setup;
  const pendingCalls = new Map<number, PendingCall>();
  let lastRequestId = 0;
  let endError: ThreadEndedError | null = null;
  let worker: Worker | null = start();

  // Requests are handled in order, so a request's timeout starts at the previous response.
  const watchdog = createWatchdog(limitMs, () => {
    const lateWorker = worker;
    if (lateWorker === null) return;
    handleWorkerEnd(lateWorker, new Error(`no response within ${limitMs} ms`));
    void lateWorker.terminate();
  });

  function start(): Worker {
    const newWorker = new Worker(entryUrl, {
      name,
      workerData: data,
      resourceLimits: resourceLimits,
    });
    newWorker.on("message", (message: ThreadResponse | ThreadNotification) => {
      if ("notification" in message) setup.handleMessage?.(message.notification);
      else settleCall(message);
    });
    newWorker.on("error", (error) => handleWorkerEnd(newWorker, error));
    newWorker.on("exit", () => handleWorkerEnd(newWorker));
    return newWorker;
  }

  function settleCall({ id, ...answer }: ThreadResponse): void {
    const pendingCall = pendingCalls.get(id);
    pendingCalls.delete(id);
    watchdog(pendingCalls.size > 0);
    if ("error" in answer) pendingCall?.reject(new Error(answer.error));
    else pendingCall?.resolve(answer.value);
  }

  function handleWorkerEnd(endedWorker: Worker, cause?: unknown): void {
    if (worker !== endedWorker) return;
    worker = null;
    const error = new ThreadEndedError(`thread "${name}" has ended`, { cause });
    if (!restarts) endError ??= error;
    for (const { reject } of pendingCalls.values()) reject(error);
    pendingCalls.clear();
    watchdog(false);
  }

  function ask<T>(request: unknown): Promise<T> {
    return new Promise((resolve, reject) => {
      if (endError !== null) throw endError;
      worker ??= start();
      lastRequestId += 1;
      worker.postMessage({ id: lastRequestId, request } satisfies ThreadRequest, []);
      pendingCalls.set(lastRequestId, { resolve: (value) => resolve(value as T), reject });
      if (pendingCalls.size === 1) watchdog(true);
    });
  }

  return {
    ask,
    close: async (finalRequest) => {
      const answer = finalRequest === undefined || worker === null ? null : ask(finalRequest);
      endError ??= new ThreadEndedError(`thread "${name}" is closed`);
      try {
        return await answer;
      } finally {
        await worker?.terminate();
      }
    },
  };
}

/**
 * Calls `onTimeout` when a request has waited `limitMs` since the last response. Without a limit,
 * never calls it.
 */
function createWatchdog(
  limitMs: number | undefined,
  onTimeout: () => void,
): (isWaiting: boolean) => void {
  let timer: NodeJS.Timeout | undefined;
  return (isWaiting) => {
    clearTimeout(timer);
    if (isWaiting && limitMs !== undefined) timer = setTimeout(onTimeout, limitMs).unref();
  };
}

/** Sends a notification to the thread's owner. Call it in the thread. */
export function sendToOwner(notification: unknown): void {
  requireParentPort().postMessage({ notification } satisfies ThreadNotification, []);
}

/**
 * Responds to requests with the result of `handler`. Call it in the thread. If `handler` throws,
 * only that request fails.
 */
export function handleRequests(handler: (request: unknown) => unknown): void {
  const port = requireParentPort();

  async function reply({ id, request }: ThreadRequest): Promise<void> {
    let response: ThreadResponse;
    try {
      response = { id, value: await handler(request) };
    } catch (error) {
      response = {
        id,
        error: error instanceof Error ? (error.stack ?? error.message) : String(error),
      };
    }
    port.postMessage(response, []);
  }

  port.on("message", (request: ThreadRequest) => void reply(request));
}

function requireParentPort(): MessagePort {
  if (parentPort === null) throw new Error("this module runs as a worker thread");
  return parentPort;
}
