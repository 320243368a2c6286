// Assertions for values that an invariant guarantees but the type system can't.

/** Returns the value. Throws an Error with the description if the value is undefined. */
export function assertDefined<T>(value: T | undefined, description: string): T {
  if (value === undefined) throw new Error(`there is no ${description}`);
  return value;
}

/** Returns the first two items, such as the fighters of a duel. Throws if there are fewer. */
export function firstTwo<T>(items: readonly T[]): [T, T] {
  return [assertDefined(items[0], "first"), assertDefined(items[1], "second")];
}
