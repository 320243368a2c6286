// Loaded into a server process before its own code (`--import`). Reports the event loop delay and
// the CPU time of the main thread.

export type LoopReport = {
  /** Event loop delay in milliseconds, whatever its cause. */
  lateMs: LatencySpread;
  /** CPU time of the main thread between two timer ticks, in ms. */
  workMs: LatencySpread;
  /** CPU time of the main thread since it started, in seconds. */
  cpuSeconds: number;
};

type LatencySpread = { p99: number; max: number };

const SAMPLE_INTERVAL_MS = 2;

// Worker threads load this file too, but have no parent process to report to.
if (process.send !== undefined) watchLoop();

function watchLoop(): void {
  let lateSamples: number[] = [];
  let workSamples: number[] = [];
  let [dueMs, usedMs] = [performance.now() + SAMPLE_INTERVAL_MS, cpuMs()];
  const sample = () => {
    const [now, usedNow] = [performance.now(), cpuMs()];
    lateSamples.push(Math.max(0, now - dueMs));
    workSamples.push(usedNow - usedMs);
    [dueMs, usedMs] = [now + SAMPLE_INTERVAL_MS, usedNow];
    setTimeout(sample, SAMPLE_INTERVAL_MS).unref();
  };
  sample();
  process.on("message", (message) => {
    if (message !== "loop") return;
    const latencies = { lateMs: latencySpread(lateSamples), workMs: latencySpread(workSamples) };
    process.send?.({ ...latencies, cpuSeconds: cpuMs() / 1000 } satisfies LoopReport);
    [lateSamples, workSamples] = [[], []];
  });
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

function latencySpread(values: readonly number[]): LatencySpread {
  const sorted = values.toSorted((a, b) => a - b);
  return { p99: sorted[Math.floor(sorted.length * 0.99)] ?? 0, max: sorted.at(-1) ?? 0 };
}
