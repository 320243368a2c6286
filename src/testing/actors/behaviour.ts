// How a simulated bot behaves apart from playing: what it does wrong, and how often.

import type { SeededDice } from "#testing/simulation/dice.ts";

/** Probabilities, per match unless noted. */
export type Manners = {
  /** Falls silent in the middle and stays silent. */
  stalls: number;
  /** Hangs up, and is back within the grace period, or after it. */
  dropsBriefly: number;
  dropsLong: number;
  /** Sends more than it may. */
  floods: number;
  /** Hangs up once it sees that it is losing. */
  quits: number;
  skipsReady: number;
  /** Opens a second connection. */
  doubles: number;
  /** Per turn: sends something other than JSON. */
  garbles: number;
  /** Per place in the queue: leaves it, or asks for it twice. */
  leaves: number;
  /** Before a place in the queue: asks for a practice game, and may then stay away. */
  practises: number;
  /** After a match: changes its token. */
  rotates: number;
  /** With a new version: retires the old one, but still queues with it now and then. */
  retires: number;
};

const POLITE: Manners = {
  stalls: 0,
  dropsBriefly: 0,
  dropsLong: 0,
  floods: 0,
  quits: 0,
  skipsReady: 0,
  doubles: 0,
  garbles: 0,
  leaves: 0,
  practises: 0,
  rotates: 0,
  retires: 0,
};

/** Bots by their characteristic behaviour, and how many of a hundred are like that. */
export const CHARACTERS = {
  polite: { share: 50, manners: POLITE },
  staller: { share: 8, manners: { ...POLITE, stalls: 0.05, garbles: 0.01, practises: 0.05 } },
  dropper: {
    share: 12,
    manners: { ...POLITE, dropsBriefly: 0.15, dropsLong: 0.04, doubles: 0.05, practises: 0.05 },
  },
  flooder: { share: 6, manners: { ...POLITE, floods: 0.06, garbles: 0.03 } },
  quitter: { share: 8, manners: { ...POLITE, quits: 0.3 } },
  dodger: { share: 8, manners: { ...POLITE, skipsReady: 0.25, leaves: 0.2 } },
  fickle: {
    share: 8,
    manners: { ...POLITE, leaves: 0.3, practises: 0.2, rotates: 0.05, retires: 0.7 },
  },
} as const satisfies Record<string, { share: number; manners: Manners }>;
export type Character = keyof typeof CHARACTERS;

export function drawCharacter(dice: SeededDice): Character {
  let left = dice.between(0, 100);
  for (const [character, { share }] of Object.entries(CHARACTERS)) {
    left -= share;
    if (left < 0) return character as Character;
  }
  return "polite";
}

/** What a bot will do in one match; `tick` is when. */
export type Plan =
  | { type: "play" }
  | { type: "skip_ready" }
  | { type: "stall" | "flood" | "double"; tick: number }
  | { type: "drop"; tick: number; awayMs: number }
  | { type: "quit"; tick: number; awayMs: number };

/** A plan starts within this many ticks. */
const EARLY_TICKS = 8;

export function drawPlan(manners: Manners, dice: SeededDice): Plan {
  const tick = dice.below(EARLY_TICKS);
  const plans: [probability: number, plan: () => Plan][] = [
    [manners.skipsReady, () => ({ type: "skip_ready" })],
    [manners.stalls, () => ({ type: "stall", tick })],
    [manners.floods, () => ({ type: "flood", tick })],
    [manners.doubles, () => ({ type: "double", tick })],
    [manners.dropsBriefly, () => ({ type: "drop", tick, awayMs: dice.between(500, 8000) })],
    [manners.dropsLong, () => ({ type: "drop", tick, awayMs: dice.between(12_000, 40_000) })],
    [manners.quits, () => ({ type: "quit", tick, awayMs: dice.between(15_000, 30_000) })],
  ];
  for (const [probability, plan] of plans) if (dice.chance(probability)) return plan();
  return { type: "play" };
}
