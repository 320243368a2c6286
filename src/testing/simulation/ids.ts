// Draws ids and seeds from the dice instead of the time of day.

import type { SeededDice } from "./dice.ts";

/** Returns a UUIDv7 (RFC 9562, section 5.7) for a wall-clock time in ms. */
export function drawId(dice: SeededDice, wallMs: number): string {
  const time = Math.max(0, wallMs).toString(16).padStart(12, "0");
  const drawHex = (count: number) => dice.below(count).toString(16).padStart(4, "0");
  const version = `7${dice.below(0x1000).toString(16).padStart(3, "0")}`;
  const variant = (0x8000 | dice.below(0x4000)).toString(16);
  const lastGroup = `${drawHex(0x10000)}${drawHex(0x10000)}${drawHex(0x10000)}`;
  return `${time.slice(0, 8)}-${time.slice(8)}-${version}-${variant}-${lastGroup}`;
}

const SEED_COUNT = 2 ** 32;

export const drawSeed = (dice: SeededDice): number => dice.below(SEED_COUNT);
