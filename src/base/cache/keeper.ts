// Values that are kept until something that they were made of has changed.

/**
 * The value of a key: the one made before if each part is still the same thing as then, else what
 * `make` makes. Of a key one value is made at a time, and all who ask meanwhile share the next one,
 * so nobody gets a value that was begun before it asked and whose parts have changed. Null stands
 * for nothing, and is not kept.
 */
export type Keeper<T> = (
  key: string,
  parts: readonly unknown[],
  make: () => Promise<T>,
) => Promise<T>;

export type Keeping<T> = {
  /** Those not asked for the longest are forgotten when all together are larger. */
  most: number;
  sizeOf: (value: NonNullable<T>) => number;
  /** Asked before a value is made; while it says yes, one whose parts have changed serves on. */
  isTooSoon?: ((key: string) => boolean) | undefined;
};

type Kept<T> = { parts: readonly unknown[]; value: T; size: number };
type Making<T> = { parts: readonly unknown[]; value: Promise<T> };

export function openKeeper<T>({ most, sizeOf, isTooSoon }: Keeping<T>): Keeper<T> {
  const kept = new Map<string, Kept<T>>();
  const underway = new Map<string, Making<T>>();
  let total = 0;
  /** The key that was asked for last: it is the last of the map already. */
  let latest: string | null = null;

  function forget(key: string): void {
    total -= kept.get(key)?.size ?? 0;
    kept.delete(key);
  }

  function keep(key: string, one: Kept<T>): void {
    forget(key);
    kept.set(key, one);
    latest = key;
    total += one.size;
    for (const oldest of kept.keys()) {
      if (total <= most) return;
      forget(oldest);
    }
  }

  async function begin(key: string, parts: readonly unknown[], make: () => Promise<T>): Promise<T> {
    const { promise, resolve } = Promise.withResolvers<T>();
    resolve(make());
    underway.set(key, { parts, value: promise });
    try {
      const value = await promise;
      if (value !== null && value !== undefined) keep(key, { parts, value, size: sizeOf(value) });
      return value;
    } finally {
      underway.delete(key);
    }
  }

  function serving(key: string, parts: readonly unknown[]): Kept<T> | null {
    const known = kept.get(key);
    const isFresh = known !== undefined && isSame(known.parts, parts);
    const serves = isFresh || isTooSoon?.(key) === true;
    if (known === undefined || !serves) return null;
    if (key === latest) return known;
    kept.delete(key);
    kept.set(key, known);
    latest = key;
    return known;
  }

  return async (key, parts, make) => {
    const before = underway.get(key);
    if (before !== undefined && isSame(before.parts, parts)) return before.value;
    const known = serving(key, parts);
    if (known !== null) return known.value;
    if (before === undefined) return begin(key, parts, make);
    await before.value.catch(() => null);
    // What is under way now was begun after this was asked for.
    const next = underway.get(key)?.value ?? serving(key, parts)?.value;
    return next ?? begin(key, parts, make);
  };
}

function isSame(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((part, at) => part === other[at]);
}
