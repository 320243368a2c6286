import { drawnFrom, nextState } from "#core/engine/random.ts";

import type { Facts } from "./choice.ts";

const DRAWS = 2 ** 32;

/** A bot's own random numbers: the same seed plays the same fight again. */
export type Dice = {
  /** A fraction from 0 up to, but not including, 1. */
  roll(): number;
  /** A whole number from 0 up to, but not including, `count`. */
  pick(count: number): number;
};

// FNV-1a, 32 bits.
const HASH_START = 0x811c9dc5;
const HASH_PRIME = 0x01000193;

/** Dice for one fighter in one match. */
export function createDice({ match_id, fighter }: Pick<Facts, "match_id" | "fighter">): Dice {
  let state = hashOf(`${match_id}/${fighter}`);
  const draw = () => {
    state = nextState(state);
    return drawnFrom(state);
  };
  return { roll: () => draw() / DRAWS, pick: (count) => draw() % count };
}

function hashOf(text: string): number {
  let hash = HASH_START;
  for (let i = 0; i < text.length; i += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(i), HASH_PRIME);
  }
  return hash;
}
