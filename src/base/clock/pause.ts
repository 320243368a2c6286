import type { Clock } from "./clock.ts";

/** Ends early if the signal is aborted. */
export async function pause({ after }: Pick<Clock, "after">, signal: AbortSignal, ms: number) {
  if (signal.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const cancel = after(ms, resolve);
  const wake = () => {
    cancel();
    resolve();
  };
  signal.addEventListener("abort", wake, { once: true });
  await promise;
  signal.removeEventListener("abort", wake);
}
