/** Runs jobs in the order in which they come, each after the one before, also if that failed. */
export function oneAtATime(): <T>(job: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (job) => {
    const done = last.then(job, job);
    last = done.catch(() => {});
    return done;
  };
}
