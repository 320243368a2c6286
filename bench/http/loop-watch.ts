// Loaded into a server before the server itself (`--import`). Reports how long the event loop of
// the server's first thread was held up, and how much CPU that thread used.

export type LoopReport = {
  /** Milliseconds by which a timer was late, for whatever reason. */
  lateMs: Spread;
  /** CPU milliseconds of this thread between two timer ticks. */
  workMs: Spread;
  /** CPU seconds of this thread since it started. */
  cpuSeconds: number;
};

type Spread = { p99: number; max: number };

const EVERY_MS = 2;

// Other threads of the server load this file too, and have nobody to report to.
if (process.send !== undefined) watch();

function watch(): void {
  let late: number[] = [];
  let work: number[] = [];
  let [due, used] = [performance.now() + EVERY_MS, cpuMs()];
  const look = () => {
    const [now, usedNow] = [performance.now(), cpuMs()];
    late.push(Math.max(0, now - due));
    work.push(usedNow - used);
    [due, used] = [now + EVERY_MS, usedNow];
    setTimeout(look, EVERY_MS).unref();
  };
  look();
  process.on("message", (question) => {
    if (question !== "loop") return;
    const spreads = { lateMs: spreadOf(late), workMs: spreadOf(work) };
    process.send?.({ ...spreads, cpuSeconds: cpuMs() / 1000 } satisfies LoopReport);
    [late, work] = [[], []];
  });
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((one, other) => one - other);
  return { p99: sorted[Math.floor(sorted.length * 0.99)] ?? 0, max: sorted.at(-1) ?? 0 };
}
