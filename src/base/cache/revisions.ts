// Numbers changes: every change of a subject gets the next number of one counter. Cached values
// compare numbers, so they hold no reference to their dependencies.

import { AsyncLocalStorage } from "node:async_hooks";

/**
 * Dependencies of a value: subjects, each with the number of the newest change when it was read.
 */
export type Dependencies = Map<string, number>;

export type Revisions = {
  /** Marks these subjects as changed. */
  invalidate: (subjects: Iterable<string>) => void;
  /** The number of the newest change. */
  newestRevision: () => number;
  /** Returns whether no dependency has changed since it was read. */
  isFresh: (dependencies: Dependencies) => boolean;
  /** Tracks these subjects, as of `revision`, as dependencies of the value being made. */
  track: (subjects: Iterable<string>, revision: number) => void;
  /** Tracks another value's dependencies for the value being made. */
  trackAll: (dependencies: Dependencies) => void;
  /** Makes a value and collects its dependencies. */
  collect: <T>(dependencies: Dependencies, make: () => T) => T;
  /** Runs work without tracking dependencies. */
  untracked: <T>(work: () => T) => T;
  /**
   * Watches a subject that isn't invalidated explicitly. It's read once per job of the event loop
   * and counts as changed if the result differs from the last one. Returns a function that returns
   * the result and tracks the dependency.
   */
  watch: <T>(subject: string, read: () => T, isEqual?: IsEqual<T>) => () => T;
};

type IsEqual<T> = (a: T, b: T) => boolean;

/** Maximum number of subjects tracked, about 150 bytes each. */
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

/** The number of the last change of each subject. */
function openChangeCounter(maxSubjects: number) {
  /** Oldest change first. */
  const revisionBySubject = new Map<string, number>();
  let newestNumber = 0;
  /** No evicted subject has changed after this. */
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
    /** An upper bound for evicted subjects. */
    revisionOf: (subject: string) => revisionBySubject.get(subject) ?? evictedRevision,
  };
}

/** Reads again in each job of the event loop, because another job may have changed the value. */
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
