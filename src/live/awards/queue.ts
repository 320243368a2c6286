// Work that must be done in the end: one job at a time, and each again until it succeeds.

type Log = { error(fields: object, text: string): void };

export type QueueDeps = {
  /** Calls back once after this many milliseconds; the returned function cancels it. */
  after: (ms: number, call: () => void) => () => void;
  log: Log;
};

export type Queue = {
  /** A job that waits under this name already takes the place of another one. */
  add(name: string, job: () => Promise<void>): void;
  /** Resolves when nothing waits and nothing runs. */
  settled(): Promise<void>;
  /** What runs comes to its end; nothing else begins. */
  stop(): void;
};

/** Before another try, in milliseconds. */
const RETRY_MS = 1000;

export function openQueue({ after, log }: QueueDeps): Queue {
  const waiting = new Map<string, () => Promise<void>>();
  const state = { isStopped: false, isRunning: false, cancel: () => {} };
  const listeners: (() => void)[] = [];

  const pause = () =>
    new Promise<void>((resolve) => {
      const cancel = after(RETRY_MS, resolve);
      state.cancel = () => {
        cancel();
        resolve();
      };
    });

  async function run(): Promise<void> {
    state.isRunning = true;
    for (let [next] = waiting; next !== undefined && !state.isStopped; [next] = waiting) {
      const [name, job] = next;
      waiting.delete(name);
      try {
        await job();
      } catch (error) {
        log.error({ error, job: name }, "awards are given a moment later");
        if (!waiting.has(name)) waiting.set(name, job);
        await pause();
      }
    }
    state.isRunning = false;
    for (const tell of listeners.splice(0)) tell();
  }

  return {
    add: (name, job) => {
      if (state.isStopped) return;
      if (!waiting.has(name)) waiting.set(name, job);
      if (!state.isRunning) void run();
    },
    settled: () =>
      state.isRunning ? new Promise((resolve) => void listeners.push(resolve)) : Promise.resolve(),
    stop: () => {
      state.isStopped = true;
      state.cancel();
    },
  };
}
