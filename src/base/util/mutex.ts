/** Runs jobs one after another in order of arrival, even if one fails. */
export function createMutex(): <T>(task: () => Promise<T>) => Promise<T> {
  let previous: Promise<unknown> = Promise.resolve();
  return (task) => {
    const result = previous.then(task, task);
    previous = result.catch(() => {});
    return result;
  };
}
