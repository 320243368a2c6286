// Values that an invariant guarantees where the type cannot.

/** Returns the value, or throws an Error that names it if the invariant is broken after all. */
export function sure<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Error(`there is no ${what}`);
  return value;
}

/** The first two items of at least two, such as the fighters of a duel. */
export function bothOf<T>(items: readonly T[]): [T, T] {
  return [sure(items[0], "first"), sure(items[1], "second")];
}
