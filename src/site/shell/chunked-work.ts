// Splits long work into short tasks, so the page stays responsive.

/** Maximum duration of a task, in ms. A slow phone takes about four times as long. */
const CHUNK_MS = 8;

/** Resolves after the browser has handled pending events. */
export const yieldToBrowser = (): Promise<void> =>
  new Promise((resolve) => void setTimeout(resolve));

/** Runs a generator to completion in chunks of up to `CHUNK_MS`. Returns its result. */
export async function runInChunks<T>(
  steps: Generator<undefined, T, undefined>,
  now: () => number = () => performance.now(),
): Promise<T> {
  for (let startedMs = now(); ;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    if (now() - startedMs < CHUNK_MS) continue;
    await yieldToBrowser();
    startedMs = now();
  }
}
