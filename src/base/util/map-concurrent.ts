// Concurrent work with a limit.

/**
 * Starts in order. After a failure, starts nothing more and rejects once all started work has
 * ended.
 */
export async function mapConcurrent<T>(
  limit: number,
  items: Iterable<T>,
  task: (item: T) => Promise<void>,
): Promise<void> {
  const remaining = iterate(items);
  const worker = async () => {
    for (const item of remaining) await task(item);
  };
  const workers = Array.from({ length: limit }, worker);
  await Promise.allSettled(workers);
  await Promise.all(workers);
}

/** A failing loop ends the others too. */
function* iterate<T>(items: Iterable<T>): Generator<T> {
  yield* items;
}
