// Values being made: one at a time per key, for everybody asking meanwhile.

import type { Parts, Revisions } from "./revisions.ts";

/** `parts` grows while the value is made. */
type Making<T> = { parts: Parts; value: Promise<T | null> };

export type Makings<T> = {
  underway(key: string): Making<T> | undefined;
  begin(key: string, make: () => Promise<T | null>): Making<T>;
  /**
   * The result of a making, for those who asked after it was begun. Null if something it was made
   * of has changed meanwhile, since that may have been before they asked.
   */
  shared(making: Making<T>): Promise<{ value: T | null } | null>;
};

/** `made` is called with each value that is not null. */
export function openMakings<T extends object>(
  { collect, isFresh }: Revisions,
  made: (key: string, value: T, parts: Parts) => void,
): Makings<T> {
  const underway = new Map<string, Making<T>>();

  async function work(key: string, parts: Parts, make: () => Promise<T | null>) {
    try {
      const value = await collect(parts, make);
      if (value !== null) made(key, value, parts);
      return value;
    } finally {
      underway.delete(key);
    }
  }

  return {
    underway: (key) => underway.get(key),
    begin: (key, make) => {
      const { promise, resolve } = Promise.withResolvers<T | null>();
      const making: Making<T> = { parts: new Map(), value: promise };
      underway.set(key, making);
      resolve(work(key, making.parts, make));
      return making;
    },
    shared: async ({ parts, value }) => {
      try {
        const found = await value;
        return isFresh(parts) ? { value: found } : null;
      } catch (error) {
        if (isFresh(parts)) throw error;
        return null;
      }
    },
  };
}
