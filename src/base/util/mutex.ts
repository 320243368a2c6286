/**
 * Creates a mutex that runs tasks one at a time, in order of arrival. A failed task doesn't stop
 * the next one.
 */
export function createMutex(): <T>(task: () => Promise<T>) => Promise<T> {
  let previous: Promise<unknown> = Promise.resolve();
  return (task) => {
    const result = previous.then(task, task);
    previous = result.catch(() => {});
    return result;
  };
}
