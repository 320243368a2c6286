// Features that the author commands use but Node 20 lacks. The package's entry points import this
// module first.

function definePolyfill(target: object, name: string, value: (...args: never[]) => unknown): void {
  if (name in target) return;
  Object.defineProperty(target, name, { value, writable: true, configurable: true });
}

definePolyfill(Promise, "withResolvers", <T>() => {
  const settlers = {} as Pick<PromiseWithResolvers<T>, "resolve" | "reject">;
  const promise = new Promise<T>((resolve, reject) => Object.assign(settlers, { resolve, reject }));
  return { promise, ...settlers };
});

definePolyfill(URL, "parse", (url: string, base?: string) => {
  try {
    return new URL(url, base);
  } catch {
    return null;
  }
});

definePolyfill(Map, "groupBy", <K, T>(items: Iterable<T>, keyOf: (item: T, index: number) => K) => {
  const groups = new Map<K, T[]>();
  for (const [index, item] of Array.from(items).entries()) {
    const key = keyOf(item, index);
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return groups;
});

// Commands pass only sets to these two methods, so iterating the argument is enough.

definePolyfill(Set.prototype, "union", function union<T>(this: Set<T>, other: ReadonlySet<T>) {
  return new Set([...this, ...other]);
});

definePolyfill(Set.prototype, "difference", function difference<
  T,
>(this: Set<T>, other: ReadonlySet<T>) {
  return new Set([...this].filter((item) => !other.has(item)));
});
