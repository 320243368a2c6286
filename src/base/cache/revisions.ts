// Counts changes: each change to a subject gets the next number of a single counter. Cached values
// compare these numbers, so they need no references to their dependencies.

import { AsyncLocalStorage } from "node:async_hooks";

/**
 * Maps each subject that a value depends on to the newest change number at the time of the read.
 */
export type Dependencies = Map<string, number>;

export type Revisions = {
  invalidate: (subjects: Iterable<string>) => void;
  newestRevision: () => number;
  /** Returns whether no dependency has changed since it was read. */
  isFresh: (dependencies: Dependencies) => boolean;
  /** Adds subjects, as read at `revision`, to the dependencies of the value being made. */
  track: (subjects: Iterable<string>, revision: number) => void;
  trackAll: (dependencies: Dependencies) => void;
  collect: <T>(dependencies: Dependencies, make: () => T) => T;
  untracked: <T>(work: () => T) => T;
  /**
   * Registers a subject that changes without a call to `invalidate`. It's read at most once per
   * event loop job, and counts as changed if the result differs from the previous one. Returns a
   * function that returns the result and tracks the dependency.
   */
  watch: <T>(subject: string, read: () => T, isEqual?: IsEqual<T>) => () => T;
};

type IsEqual<T> = (a: T, b: T) => boolean;

/** Each subject takes about 150 bytes. */
const MAX_TRACKED_SUBJECTS = 50_000;

export function openRevisions(maxSubjects = MAX_TRACKED_SUBJECTS): Revisions {
  const changeCounter = openChangeCounter(maxSubjects);
  const dependencyContext = new AsyncLocalStorage<Dependencies | null>();
  const watchedSubjects = new Map<string, () => unknown>();

  function isFresh(dependencies: Dependencies): boolean {
    for (const [subject, revision] of dependencies) {
      watchedSubjects.get(subject)?.();
      if (changeCounter.revisionOf(subject) > revision) return false;
    }
    return true;
  }

  function track(subjects: Iterable<string>, revision: number): void {
    const dependencies = dependencyContext.getStore() ?? null;
    if (dependencies === null) return;
    for (const subject of subjects)
      dependencies.set(subject, Math.min(revision, dependencies.get(subject) ?? revision));
  }

  return {
    invalidate: changeCounter.move,
    newestRevision: changeCounter.newest,
    isFresh,
    track,
    trackAll: (dependencies) => {
      for (const [subject, revision] of dependencies) track([subject], revision);
    },
    collect: (dependencies, make) => dependencyContext.run(dependencies, make),
    untracked: (work) => dependencyContext.run(null, work),
    watch: (subject, read, isEqual) => {
      const readWatched = readOncePerJob(read, () => changeCounter.move([subject]), isEqual);
      watchedSubjects.set(subject, readWatched);
      return () => {
        const value = readWatched();
        track([subject], changeCounter.newest());
        return value;
      };
    },
  };
}

function openChangeCounter(maxSubjects: number) {
  /** Oldest change first. */
  const revisionBySubject = new Map<string, number>();
  let newestNumber = 0;
  /** Upper bound for the change numbers of all evicted subjects. */
  let evictedRevision = 0;

  function invalidate(subjects: Iterable<string>): void {
    for (const subject of subjects) {
      newestNumber += 1;
      revisionBySubject.delete(subject);
      revisionBySubject.set(subject, newestNumber);
      if (revisionBySubject.size > maxSubjects) evictOldest();
    }
  }

  function evictOldest(): void {
    const [oldest] = revisionBySubject;
    if (oldest === undefined) return;
    const [subject, changeNumber] = oldest;
    revisionBySubject.delete(subject);
    evictedRevision = changeNumber;
  }

  return {
    move: invalidate,
    newest: () => newestNumber,
    /** Returns an upper bound for evicted subjects. */
    revisionOf: (subject: string) => revisionBySubject.get(subject) ?? evictedRevision,
  };
}

/**
 * Caches the result within one event loop job and reads again in the next job, when the value may
 * have changed.
 */
function readOncePerJob<T>(
  read: () => T,
  onChange: () => void,
  isEqual: IsEqual<T> = Object.is,
): () => T {
  let lastRead: { value: T } | null = null;
  let isReadInThisJob = false;
  return () => {
    if (lastRead !== null && isReadInThisJob) return lastRead.value;
    const value = read();
    isReadInThisJob = true;
    queueMicrotask(() => (isReadInThisJob = false));
    if (lastRead === null || !isEqual(lastRead.value, value)) {
      lastRead = { value };
      onChange();
    }
    return lastRead.value;
  };
}
