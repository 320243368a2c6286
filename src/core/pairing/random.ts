/** Draws numbers from 0 up to, not including, 1. */
export type Draw = () => number;

/** The mulberry32 generator: the same draws for the same seed, which may be any integer. */
export function createDraw(seed: number): Draw {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A uniformly shuffled copy. */
export function shuffled<T>(items: readonly T[], draw: Draw): T[] {
  const copy = [...items];
  for (let last = copy.length - 1; last > 0; last -= 1) {
    const other = Math.floor(draw() * (last + 1));
    [copy[last], copy[other]] = [copy[other]!, copy[last]!];
  }
  return copy;
}
