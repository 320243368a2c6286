// Randomness for a simulated world, all from one seed. Each part of the world draws from a separate
// branch, so changes to one part don't affect the draws in another.

import { createRandomDraw } from "#core/pairing/random.ts";

export type SeededDice = {
  /** Returns a number in [0, 1). */
  draw(): number;
  /** Returns an integer in [0, `count`). */
  below(count: number): number;
  between(min: number, max: number): number;
  chance(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
  normal(mean: number, deviation: number): number;
  /** Returns the time until the next event at a constant mean rate. */
  exponential(mean: number): number;
  /** Returns an independent source of draws. The same name gives the same draws. */
  branch(name: string): SeededDice;
};

export function createDice(seed: number): SeededDice {
  const draw = createRandomDraw(seed);
  const between = (min: number, max: number) => min + (max - min) * draw();
  const below = (count: number) => Math.floor(count * draw());
  return {
    draw,
    below,
    between,
    chance: (probability) => draw() < probability,
    pick: (items) => items[below(items.length)]!,
    normal: (mean, deviation) => mean + deviation * standardNormal(draw),
    exponential: (mean) => -mean * Math.log(1 - draw()),
    branch: (name) => createDice(seedOf(seed, name)),
  };
}

/** Source: Box and Muller (1958). */
function standardNormal(draw: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - draw())) * Math.cos(2 * Math.PI * draw());
}

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** FNV-1a hash of the name, starting from the seed. */
function seedOf(seed: number, name: string): number {
  let hash = Math.imul(FNV_OFFSET ^ seed, FNV_PRIME);
  for (const character of name) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), FNV_PRIME);
  return (hash ^ (hash >>> 15)) >>> 0;
}
