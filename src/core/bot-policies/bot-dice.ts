import { randomFromState, nextState } from "#core/engine/random.ts";

import type { PolicyContext } from "./policy.ts";

const DRAWS = 2 ** 32;

/**
 * A bot's own random numbers, seeded by match id and fighter. The same match gives the same
 * numbers.
 */
export type Dice = {
  /** Returns a number from 0 up to but excluding 1. */
  roll(): number;
  /** Returns an integer from 0 up to but excluding `count`. */
  pick(count: number): number;
};

// FNV-1a, 32 bits.
const HASH_START = 0x811c9dc5;
const HASH_PRIME = 0x01000193;

export function createBotDice({
  match_id,
  fighter,
}: Pick<PolicyContext, "match_id" | "fighter">): Dice {
  let state = hashOf(`${match_id}/${fighter}`);
  const draw = () => {
    state = nextState(state);
    return randomFromState(state);
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
