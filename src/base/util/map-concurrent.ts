/**
 * Runs `task` for each item in order, up to `limit` at a time. After a failure, starts no more
 * tasks and rejects once all running tasks have ended.
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

/** A loop that throws closes this generator, which also ends the other loops. */
function* iterate<T>(items: Iterable<T>): Generator<T> {
  yield* items;
}
