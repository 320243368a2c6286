// Values that an invariant promises, where the type cannot say so.

/** The value; throws an Error that names it where the invariant is broken after all. */
export function sure<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Error(`there is no ${what}`);
  return value;
}

/** The first two of those that are at least two, such as the fighters of a duel. */
export function bothOf<T>(items: readonly T[]): [T, T] {
  return [sure(items[0], "first"), sure(items[1], "second")];
}
