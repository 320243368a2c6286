// Runs jobs one at a time and retries each until it succeeds.

type Log = { error(fields: object, text: string): void };

export type JobQueueDeps = {
  /** Calls back once after `ms` milliseconds. Returns a function that cancels the timer. */
  after: (ms: number, callback: () => void) => () => void;
  log: Log;
};

export type JobQueue = {
  /** Adds a job, unless one with the same name is already waiting. */
  add(name: string, job: () => Promise<void>): void;
  /** Resolves when no job is waiting or running. */
  whenIdle(): Promise<void>;
  /** Starts no further jobs. The running job finishes. */
  stop(): void;
};

const RETRY_MS = 1000;

export function openJobQueue({ after, log }: JobQueueDeps): JobQueue {
  const pendingJobs = new Map<string, () => Promise<void>>();
  const state = { isStopped: false, isRunning: false, cancel: () => {} };
  const idleListeners: (() => void)[] = [];

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
    for (let [next] = pendingJobs; next !== undefined && !state.isStopped; [next] = pendingJobs) {
      const [name, job] = next;
      pendingJobs.delete(name);
      try {
        await job();
      } catch (error) {
        log.error({ error, job: name }, "awarding failed; will retry");
        if (!pendingJobs.has(name)) pendingJobs.set(name, job);
        await pause();
      }
    }
    state.isRunning = false;
    for (const notify of idleListeners.splice(0)) notify();
  }

  return {
    add: (name, job) => {
      if (state.isStopped) return;
      if (!pendingJobs.has(name)) pendingJobs.set(name, job);
      if (!state.isRunning) void run();
    },
    whenIdle: () =>
      state.isRunning
        ? new Promise((resolve) => void idleListeners.push(resolve))
        : Promise.resolve(),
    stop: () => {
      state.isStopped = true;
      state.cancel();
    },
  };
}
