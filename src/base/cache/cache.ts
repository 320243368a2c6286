// The one cache of the process. A value is kept until something it was made of changes; what that
// is gets collected while the value is made.

import { openMakings } from "./makings.ts";
import type { Parts, Revisions } from "./revisions.ts";
import { bytesOf, textBytes } from "./size.ts";

export type Cache = {
  revisions: Revisions;
  /** A part of the cache for one kind of value. Each name can be taken once. */
  shelf: <T extends object>(name: string, keeping?: Keeping<T>) => Shelf<T>;
  /** The size of everything kept. */
  bytes: () => number;
};

export type Shelf<T extends object> = {
  /**
   * Returns the kept value of a key if nothing it was made of has changed, else what `make` makes.
   * One value is made at a time, and everybody asking meanwhile shares it or the next one. So
   * nobody gets a value whose making began before they asked and that something has changed under
   * since. Null means no value and is not kept.
   */
  get<N extends T | null>(key: string, make: () => Promise<N>): Promise<T | N>;
  /** The kept value if it is still good, else null. */
  peek(key: string): T | null;
};

type Keeping<T> = {
  /** Bytes of a value. */
  sizeOf?: (value: T) => number;
  /** Asked before a value is made; while true, an outdated one is served instead. */
  isTooSoon?: (key: string, outdated: T) => boolean;
};

type Entry<T> = { value: T; parts: Parts; bytes: number };
/** What an entry takes in addition to its key, its parts and its value. */
const ENTRY_BYTES = 256;
const PART_BYTES = 48;

/** Keeps up to `most` bytes; beyond that, the least recently used values are dropped. */
export function openCache(revisions: Revisions, most: number): Cache {
  const entries = new Map<string, Entry<object>>();
  const names = new Set<string>();
  let total = 0;
  /** The last key asked for, which is already the last of the map. */
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

  /** Whatever is made of this value depends on its parts. */
  function pass<V>(value: V, parts: Parts): V {
    revisions.inherit(parts);
    return value;
  }

  function serving(key: string, mayBeOld: boolean): Entry<T> | null {
    const known = room.entry(key);
    if (known === undefined) return null;
    const serves =
      revisions.isFresh(known.parts) || (mayBeOld && isTooSoon?.(key, known.value) === true);
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
    // A making under way by now was begun after this call.
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
