/** Returns the next number, from 0 up to but excluding 1. */
export type RandomDraw = () => number;

/** Creates a mulberry32 generator. The same integer seed gives the same numbers. */
export function createRandomDraw(seed: number): RandomDraw {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function shuffle<T>(items: readonly T[], draw: RandomDraw): T[] {
  const copy = [...items];
  for (let last = copy.length - 1; last > 0; last -= 1) {
    const swapIndex = Math.floor(draw() * (last + 1));
    [copy[last], copy[swapIndex]] = [copy[swapIndex]!, copy[last]!];
  }
  return copy;
}
