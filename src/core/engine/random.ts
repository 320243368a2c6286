// mulberry32: one unsigned 32-bit state; a draw advances the state and scrambles it.

const INCREMENT = 0x6d2b79f5;

/** The state after one draw, as a signed 32-bit word. */
export function nextState(state: number): number {
  return (state + INCREMENT) | 0;
}

/** The number drawn by the draw that left this state, 0 to 2^32 - 1. */
export function drawnFrom(state: number): number {
  let mixed = Math.imul(state ^ (state >>> 15), state | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return (mixed ^ (mixed >>> 14)) >>> 0;
}
