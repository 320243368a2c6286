// Ids and seeds for a life of the server, drawn at random instead of made from the time of day.

import type { SeededDice } from "./dice.ts";

/** A UUIDv7 (RFC 9562, section 5.7) of a wall time in ms. */
export function drawId(dice: SeededDice, wallMs: number): string {
  const time = Math.max(0, wallMs).toString(16).padStart(12, "0");
  const word = (count: number) => dice.below(count).toString(16).padStart(4, "0");
  const version = `7${dice.below(0x1000).toString(16).padStart(3, "0")}`;
  const variant = (0x8000 | dice.below(0x4000)).toString(16);
  const rest = `${word(0x10000)}${word(0x10000)}${word(0x10000)}`;
  return `${time.slice(0, 8)}-${time.slice(8)}-${version}-${variant}-${rest}`;
}

const SEEDS = 2 ** 32;

export const drawSeed = (dice: SeededDice): number => dice.below(SEEDS);
