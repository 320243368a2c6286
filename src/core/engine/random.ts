// mulberry32. The state is one 32-bit word; a draw advances it and scrambles the result.

const INCREMENT = 0x6d2b79f5;

/** Returns the state after one draw, as a signed 32-bit integer. */
export function nextState(state: number): number {
  return (state + INCREMENT) | 0;
}

/** Returns the number drawn, 0 to 2^32 - 1, given the state after the draw. */
export function randomFromState(state: number): number {
  let bits = Math.imul(state ^ (state >>> 15), state | 1);
  bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
  return (bits ^ (bits >>> 14)) >>> 0;
}
