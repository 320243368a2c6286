import type { SeededDice } from "#testing/simulation/dice.ts";

/** Probability of each misbehaviour, per match unless noted. */
export type Manners = {
  stalls: number;
  /**
   * Disconnects, then reconnects within (`dropsBriefly`) or after (`dropsLong`) the grace period.
   */
  dropsBriefly: number;
  dropsLong: number;
  floods: number;
  quits: number;
  skipsReady: number;
  doubles: number;
  /** Per turn: sends invalid JSON. */
  garbles: number;
  /** Per queue request: leaves the queue or queues twice. */
  leaves: number;
  /** Before queueing: requests a practice match, and may not play it. */
  practises: number;
  /** After a match: rotates its token. */
  rotates: number;
  /** With a new version: retires the old one, but sometimes still queues with it. */
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

/** Bot characters, with the share of each in percent. */
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
  let remaining = dice.between(0, 100);
  for (const [character, { share }] of Object.entries(CHARACTERS)) {
    remaining -= share;
    if (remaining < 0) return character as Character;
  }
  return "polite";
}

/** What the bot does in one match. `tick` is when the misbehaviour starts. */
export type MatchPlan =
  | { type: "play" }
  | { type: "skip_ready" }
  | { type: "stall" | "flood" | "double"; tick: number }
  | { type: "drop"; tick: number; awayMs: number }
  | { type: "quit"; tick: number; awayMs: number };

const PLAN_START_TICKS = 8;

export function drawMatchPlan(manners: Manners, dice: SeededDice): MatchPlan {
  const tick = dice.below(PLAN_START_TICKS);
  const plans: [probability: number, plan: () => MatchPlan][] = [
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
