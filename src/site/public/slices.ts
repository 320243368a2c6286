// Long work in short tasks, so that the page scrolls and answers while it goes on.

/** A task that takes longer is felt: a slow telephone needs four times as long. */
const SLICE_MS = 8;

/** Lets the browser do what waits. */
export const nextTask = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve));

/** Runs a generator to its end. */
export async function inSlices<T>(
  work: Generator<undefined, T, undefined>,
  now: () => number = () => performance.now(),
): Promise<T> {
  for (let begun = now(); ;) {
    const { done, value } = work.next();
    if (done === true) return value;
    if (now() - begun < SLICE_MS) continue;
    await nextTask();
    begun = now();
  }
}
