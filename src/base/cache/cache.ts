// The one cache of the process: values that are kept until something that they were made of has
// changed. What that is they collect by themselves, while they are made.

import { openMakings } from "./makings.ts";
import type { Parts, Revisions } from "./revisions.ts";
import { bytesOf, textBytes } from "./size.ts";

export type Cache = {
  revisions: Revisions;
  /** A part of the cache for values of one kind. Its name is taken once. */
  shelf: <T extends object>(name: string, keeping?: Keeping<T>) => Shelf<T>;
  /** Of all that is kept. */
  bytes: () => number;
};

export type Shelf<T extends object> = {
  /**
   * The value of a key: the one kept while nothing that it was made of has changed, else what
   * `make` makes. One is made at a time, and all who ask meanwhile share it or the next one, so
   * nobody gets a value that was begun before it asked and of which something has changed since.
   * Null stands for nothing, and is not kept.
   */
  get<N extends T | null>(key: string, make: () => Promise<N>): Promise<T | N>;
  /** What is kept and still good; null when there is none. */
  peek(key: string): T | null;
};

type Keeping<T> = {
  /** Bytes of a value. */
  sizeOf?: (value: T) => number;
  /** Asked before a value is made; while it says yes, one that is out of date serves on. */
  isTooSoon?: (key: string) => boolean;
};

type Entry<T> = { value: T; parts: Parts; bytes: number };
/** What an entry takes beside its key, its parts and its value. */
const ENTRY_BYTES = 256;
const PART_BYTES = 48;

/** Keeps `most` bytes; of what is more, those values go that were not asked for the longest. */
export function openCache(revisions: Revisions, most: number): Cache {
  const entries = new Map<string, Entry<object>>();
  const names = new Set<string>();
  let total = 0;
  /** The key that was asked for last: it is the last of the map already. */
  let latest: string | null = null;

  function forget(key: string): void {
    total -= entries.get(key)?.bytes ?? 0;
    entries.delete(key);
  }

  function keep(key: string, value: object, parts: Parts, size: number): void {
    forget(key);
    const entry = { value, parts, bytes: size + entryBytes(key, parts) };
    if (entry.bytes > most) return;
    entries.set(key, entry);
    latest = key;
    total += entry.bytes;
    for (const oldest of entries.keys()) {
      if (total <= most) return;
      forget(oldest);
    }
  }

  function touch(key: string, entry: Entry<object>): void {
    if (key === latest) return;
    entries.delete(key);
    entries.set(key, entry);
    latest = key;
  }

  return {
    revisions,
    bytes: () => total,
    shelf: <T extends object>(name: string, keeping: Keeping<T> = {}) => {
      if (names.has(name)) throw new Error(`the cache has a shelf ${name} already`);
      names.add(name);
      const { sizeOf = bytesOf } = keeping;
      return openShelf<T>(revisions, keeping, {
        entry: (key) => entries.get(`${name}:${key}`) as Entry<T> | undefined,
        touch: (key, entry) => touch(`${name}:${key}`, entry),
        keep: (key, value, parts) => keep(`${name}:${key}`, value, parts, sizeOf(value)),
      });
    },
  };
}

function entryBytes(key: string, parts: Parts): number {
  let bytes = ENTRY_BYTES + textBytes(key);
  for (const subject of parts.keys()) bytes += PART_BYTES + textBytes(subject);
  return bytes;
}

type Room<T> = {
  entry(key: string): Entry<T> | undefined;
  touch(key: string, entry: Entry<T>): void;
  keep(key: string, value: T, parts: Parts): void;
};

function openShelf<T extends object>(
  revisions: Revisions,
  { isTooSoon }: Keeping<T>,
  room: Room<T>,
): Shelf<T> {
  const makings = openMakings<T>(revisions, (key, value, parts) => room.keep(key, value, parts));

  /** Whatever is made of this value is made of its parts. */
  function pass<V>(value: V, parts: Parts): V {
    revisions.inherit(parts);
    return value;
  }

  function serving(key: string, mayBeOld: boolean): Entry<T> | null {
    const known = room.entry(key);
    if (known === undefined) return null;
    const serves = revisions.isFresh(known.parts) || (mayBeOld && isTooSoon?.(key) === true);
    if (!serves) return null;
    room.touch(key, known);
    return known;
  }

  async function find(key: string, make: () => Promise<T | null>): Promise<T | null> {
    const before = makings.underway(key);
    if (before === undefined || !revisions.isFresh(before.parts)) {
      const known = serving(key, true);
      if (known !== null) return pass(known.value, known.parts);
    }
    if (before === undefined) return begin(key, make);
    const early = await makings.shared(before);
    if (early !== null) return pass(early.value, before.parts);
    // What is under way by now was begun after this was asked for.
    const next = makings.underway(key);
    if (next !== undefined) return pass(await next.value, next.parts);
    const known = serving(key, true);
    return known === null ? begin(key, make) : pass(known.value, known.parts);
  }

  async function begin(key: string, make: () => Promise<T | null>): Promise<T | null> {
    const { value, parts } = makings.begin(key, make);
    return pass(await value, parts);
  }

  return {
    get: <N extends T | null>(key: string, make: () => Promise<N>) =>
      find(key, make) as Promise<T | N>,
    peek: (key) => {
      const known = serving(key, false);
      return known === null ? null : pass(known.value, known.parts);
    },
  };
}
