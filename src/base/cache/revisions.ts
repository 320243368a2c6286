// Changes as numbers: every change of a subject gets the next number of one counter. Kept values
// compare numbers, so none of them holds on to what it was made of.

import { AsyncLocalStorage } from "node:async_hooks";

/**
 * What a value was made of: subjects, each with the number of the newest change when it was read.
 */
export type Parts = Map<string, number>;

export type Revisions = {
  /** Marks these subjects as changed. */
  move: (subjects: Iterable<string>) => void;
  /** The number of the newest change. */
  now: () => number;
  /** Whether none of the parts has changed since it was read. */
  isFresh: (parts: Parts) => boolean;
  /** Whatever is being made depends on these subjects as they were at `at`. */
  note: (subjects: Iterable<string>, at: number) => void;
  /** Whatever is being made also depends on these parts of something else. */
  inherit: (parts: Parts) => void;
  /** Makes something and collects what it depends on. */
  collect: <T>(parts: Parts, make: () => T) => T;
  /** Runs work on which nothing being made shall depend. */
  apart: <T>(work: () => T) => T;
  /**
   * A subject that announces no changes. It is looked at, once per job of the event loop, and has
   * changed if the result differs from the last one. Returns a function that gives the result and
   * notes the dependency.
   */
  watch: <T>(subject: string, look: () => T, isSame?: IsSame<T>) => () => T;
};

type IsSame<T> = (one: T, other: T) => boolean;

/** Subjects whose last change is remembered, at some 150 bytes each. */
const REMEMBERED = 50_000;

export function openRevisions(remembered = REMEMBERED): Revisions {
  const count = openCount(remembered);
  const making = new AsyncLocalStorage<Parts | null>();
  const watched = new Map<string, () => unknown>();

  function isFresh(parts: Parts): boolean {
    for (const [subject, at] of parts) {
      watched.get(subject)?.();
      if (count.changedAt(subject) > at) return false;
    }
    return true;
  }

  function note(subjects: Iterable<string>, at: number): void {
    const parts = making.getStore() ?? null;
    if (parts === null) return;
    for (const subject of subjects) parts.set(subject, Math.min(at, parts.get(subject) ?? at));
  }

  return {
    move: count.move,
    now: count.newest,
    isFresh,
    note,
    inherit: (parts) => {
      for (const [subject, at] of parts) note([subject], at);
    },
    collect: (parts, make) => making.run(parts, make),
    apart: (work) => making.run(null, work),
    watch: (subject, look, isSame) => {
      const see = seenOncePerJob(look, () => count.move([subject]), isSame);
      watched.set(subject, see);
      return () => {
        const value = see();
        note([subject], count.newest());
        return value;
      };
    },
  };
}

/** The number of the last change of each subject. */
function openCount(remembered: number) {
  /** Oldest change first. */
  const changes = new Map<string, number>();
  let newest = 0;
  /** No forgotten subject has changed after this. */
  let forgotten = 0;

  function move(subjects: Iterable<string>): void {
    for (const subject of subjects) {
      newest += 1;
      changes.delete(subject);
      changes.set(subject, newest);
      if (changes.size > remembered) forgetOldest();
    }
  }

  function forgetOldest(): void {
    const [oldest] = changes;
    if (oldest === undefined) return;
    const [subject, number] = oldest;
    changes.delete(subject);
    forgotten = number;
  }

  return {
    move,
    newest: () => newest,
    /** An upper bound for forgotten subjects. */
    changedAt: (subject: string) => changes.get(subject) ?? forgotten,
  };
}

/** Looks again in each job of the event loop: another job may have changed the value. */
function seenOncePerJob<T>(
  look: () => T,
  changed: () => void,
  isSame: IsSame<T> = Object.is,
): () => T {
  let seen: { value: T } | null = null;
  let isCurrent = false;
  return () => {
    if (seen !== null && isCurrent) return seen.value;
    const value = look();
    isCurrent = true;
    queueMicrotask(() => (isCurrent = false));
    if (seen === null || !isSame(seen.value, value)) {
      seen = { value };
      changed();
    }
    return seen.value;
  };
}
