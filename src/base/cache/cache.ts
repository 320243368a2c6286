// The process-wide cache. A value stays valid until one of its dependencies changes. Dependencies
// are collected while the value is being made.

import { openInFlight } from "./in-flight.ts";
import type { Dependencies, Revisions } from "./revisions.ts";
import { estimateBytes, estimateTextBytes } from "./size-estimate.ts";

export type Cache = {
  revisions: Revisions;
  /**
   * Opens a namespace for one kind of value. Throws if a namespace with this name is already open.
   */
  namespace: <T extends object>(name: string, options?: NamespaceOptions<T>) => CacheNamespace<T>;
  bytes: () => number;
};

export type CacheNamespace<T extends object> = {
  /**
   * Returns the cached value if its dependencies are unchanged. Otherwise calls `make` and returns
   * the result. At most one `make` per key runs at a time; concurrent callers share its result or
   * the result of the next run. A caller never gets a value whose `make` started before the call
   * and whose dependencies have changed since. Null means that there is no value, and isn't cached.
   */
  get<N extends T | null>(key: string, make: () => Promise<N>): Promise<T | N>;
  /** Returns the cached value, or null if it's missing or outdated. */
  peek(key: string): T | null;
};

type NamespaceOptions<T> = {
  /** Size in bytes; defaults to an estimate. */
  sizeOf?: (value: T) => number;
  /**
   * Called before an outdated value is replaced. Return true to serve the outdated value instead.
   */
  isTooSoon?: (key: string, outdated: T) => boolean;
};

type CacheEntry<T> = { value: T; dependencies: Dependencies; bytes: number };
const ENTRY_BYTES = 256;
const DEPENDENCY_BYTES = 48;

/**
 * Opens a cache of up to `maxBytes`. Evicts the least recently used values to stay below that size.
 */
export function openCache(revisions: Revisions, maxBytes: number): Cache {
  const entries = new Map<string, CacheEntry<object>>();
  const namespaceNames = new Set<string>();
  let totalBytes = 0;
  /** The most recently used key. Its entry is already the last one in the map. */
  let lastKey: string | null = null;

  function evict(key: string): void {
    totalBytes -= entries.get(key)?.bytes ?? 0;
    entries.delete(key);
  }

  function store(key: string, value: object, dependencies: Dependencies, size: number): void {
    evict(key);
    const entry = { value, dependencies, bytes: size + entryBytes(key, dependencies) };
    if (entry.bytes > maxBytes) return;
    entries.set(key, entry);
    lastKey = key;
    totalBytes += entry.bytes;
    for (const oldest of entries.keys()) {
      if (totalBytes <= maxBytes) return;
      evict(oldest);
    }
  }

  function touch(key: string, entry: CacheEntry<object>): void {
    if (key === lastKey) return;
    entries.delete(key);
    entries.set(key, entry);
    lastKey = key;
  }

  return {
    revisions,
    bytes: () => totalBytes,
    namespace: <T extends object>(name: string, options: NamespaceOptions<T> = {}) => {
      if (namespaceNames.has(name)) throw new Error(`cache namespace ${name} is already open`);
      namespaceNames.add(name);
      const { sizeOf = estimateBytes } = options;
      return openNamespace<T>(revisions, options, {
        entry: (key) => entries.get(`${name}:${key}`) as CacheEntry<T> | undefined,
        touch: (key, entry) => touch(`${name}:${key}`, entry),
        store: (key, value, dependencies) =>
          store(`${name}:${key}`, value, dependencies, sizeOf(value)),
      });
    },
  };
}

function entryBytes(key: string, dependencies: Dependencies): number {
  let bytes = ENTRY_BYTES + estimateTextBytes(key);
  for (const subject of dependencies.keys()) bytes += DEPENDENCY_BYTES + estimateTextBytes(subject);
  return bytes;
}

type EntryStore<T> = {
  entry(key: string): CacheEntry<T> | undefined;
  touch(key: string, entry: CacheEntry<T>): void;
  store(key: string, value: T, dependencies: Dependencies): void;
};

function openNamespace<T extends object>(
  revisions: Revisions,
  { isTooSoon }: NamespaceOptions<T>,
  entryStore: EntryStore<T>,
): CacheNamespace<T> {
  const inFlight = openInFlight<T>(revisions, (key, value, dependencies) =>
    entryStore.store(key, value, dependencies),
  );

  function withDependencies<V>(value: V, dependencies: Dependencies): V {
    revisions.trackAll(dependencies);
    return value;
  }

  function findServable(key: string, allowOutdated: boolean): CacheEntry<T> | null {
    const cachedEntry = entryStore.entry(key);
    if (cachedEntry === undefined) return null;
    const isServable =
      revisions.isFresh(cachedEntry.dependencies) ||
      (allowOutdated && isTooSoon?.(key, cachedEntry.value) === true);
    if (!isServable) return null;
    entryStore.touch(key, cachedEntry);
    return cachedEntry;
  }

  async function getOrMake(key: string, make: () => Promise<T | null>): Promise<T | null> {
    const running = inFlight.inFlight(key);
    if (running === undefined || !revisions.isFresh(running.dependencies)) {
      const cachedEntry = findServable(key, true);
      if (cachedEntry !== null)
        return withDependencies(cachedEntry.value, cachedEntry.dependencies);
    }
    if (running === undefined) return startMaking(key, make);
    const sharedResult = await inFlight.sharedResult(running);
    if (sharedResult !== null) return withDependencies(sharedResult.value, running.dependencies);
    // Any `make` that is running now started after this call.
    const newerRun = inFlight.inFlight(key);
    if (newerRun !== undefined)
      return withDependencies(await newerRun.value, newerRun.dependencies);
    const known = findServable(key, true);
    return known === null
      ? startMaking(key, make)
      : withDependencies(known.value, known.dependencies);
  }

  async function startMaking(key: string, make: () => Promise<T | null>): Promise<T | null> {
    const { value, dependencies } = inFlight.start(key, make);
    return withDependencies(await value, dependencies);
  }

  return {
    get: <N extends T | null>(key: string, make: () => Promise<N>) =>
      getOrMake(key, make) as Promise<T | N>,
    peek: (key) => {
      const cachedEntry = findServable(key, false);
      return cachedEntry === null
        ? null
        : withDependencies(cachedEntry.value, cachedEntry.dependencies);
    },
  };
}
