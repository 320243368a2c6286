import type { Clock } from "./clock.ts";

/** Resolves after `ms` milliseconds, or as soon as the signal is aborted. */
export async function abortableDelay(
  { after }: Pick<Clock, "after">,
  signal: AbortSignal,
  ms: number,
) {
  if (signal.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const cancel = after(ms, resolve);
  const finish = () => {
    cancel();
    resolve();
  };
  signal.addEventListener("abort", finish, { once: true });
  await promise;
  signal.removeEventListener("abort", finish);
}
