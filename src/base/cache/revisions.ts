// What has changed, as numbers: every change of a subject gets the next number of one count. Kept
// values compare numbers, so none of them holds on to what it was made of.

import { AsyncLocalStorage } from "node:async_hooks";

/** What a value was made of: subjects, each with the number of the newest change when it was read. */
export type Parts = Map<string, number>;

export type Revisions = {
  /** These are something else from now on. */
  move: (subjects: Iterable<string>) => void;
  /** The number of the newest change of all. */
  now: () => number;
  /** Whether nothing of it has changed since it was read. */
  isFresh: (parts: Parts) => boolean;
  /** Whatever is being made depends on these as they were at `at`. */
  note: (subjects: Iterable<string>, at: number) => void;
  /** And on all that something else was made of. */
  inherit: (parts: Parts) => void;
  /** Makes something, and collects what it depends on. */
  collect: <T>(parts: Parts, make: () => T) => T;
  /** Does something of which nothing that is being made takes notice. */
  apart: <T>(work: () => T) => T;
  /**
   * A subject that announces nothing: it is looked at, once for all who ask in one go, and has
   * changed when it is not the same as it was. The answer gives what was seen, and notes it.
   */
  watch: <T>(subject: string, look: () => T, isSame?: IsSame<T>) => () => T;
};

type IsSame<T> = (one: T, other: T) => boolean;

/** Subjects whose last changes are remembered, each some 150 bytes. */
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

/** The numbers of the subjects that changed last. */
function openCount(remembered: number) {
  /** Oldest change first. */
  const changes = new Map<string, number>();
  let newest = 0;
  /** No subject that is not remembered has changed after this. */
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
    /** At the latest. */
    changedAt: (subject: string) => changes.get(subject) ?? forgotten,
  };
}

/** Looks again in each job of the event loop: what changes a value is heard in another one. */
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
