// Randomness for a simulated world. Every draw comes from the one seed, and each part has its own
// branch, so that a change in one part does not affect the draws of the others.

import { createDraw } from "#core/pairing/random.ts";

export type SeededDice = {
  /** From 0 up to, not including, 1. */
  draw(): number;
  /** A whole number from 0 up to, not including, `count`. */
  below(count: number): number;
  between(least: number, most: number): number;
  chance(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
  normal(mean: number, deviation: number): number;
  /** Waiting times of events that occur at a constant rate. */
  exponential(mean: number): number;
  /** Separate dice for a part of the world; the same name gives the same dice. */
  branch(name: string): SeededDice;
};

export function createDice(seed: number): SeededDice {
  const draw = createDraw(seed);
  const between = (least: number, most: number) => least + (most - least) * draw();
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

/** Box and Muller (1958). */
function standardNormal(draw: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - draw())) * Math.cos(2 * Math.PI * draw());
}

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** FNV-1a over the name, starting from the seed. */
function seedOf(seed: number, name: string): number {
  let hash = Math.imul(FNV_OFFSET ^ seed, FNV_PRIME);
  for (const letter of name) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), FNV_PRIME);
  return (hash ^ (hash >>> 15)) >>> 0;
}
