// Work on many things at a time, but not on all.

/**
 * Begins in order. After a failure nothing more begins; it rejects when what has begun is over.
 */
export async function eachAtMost<T>(
  most: number,
  all: Iterable<T>,
  job: (one: T) => Promise<void>,
): Promise<void> {
  const rest = inOrder(all);
  const work = async () => {
    for (const one of rest) await job(one);
  };
  const workers = Array.from({ length: most }, work);
  await Promise.allSettled(workers);
  await Promise.all(workers);
}

/** The loop that fails ends it for the others too. */
function* inOrder<T>(all: Iterable<T>): Generator<T> {
  yield* all;
}
