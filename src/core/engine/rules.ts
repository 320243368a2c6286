import type { AttackName, ByAttack } from "./types.ts";
import { ATTACKS, DIRECTIONS } from "./types.ts";

export const ENGINE_VERSION = "0.23.0";
export const RULES_VERSION = "0.22.0";

/** Every number of the rules, with the names and in the order of `hello`. */
export const RULES = {
  version: RULES_VERSION,
  hp: 120,
  max_ticks: 300,
  directions: DIRECTIONS,
  dash: { tiles: 3, cooldown: 8 },
  attacks: {
    strike: {
      target: "direction",
      acts: "before_moves",
      damage: 8,
      cooldown: 5,
      recovery: 4,
      range: 1,
    },
    bolt: {
      target: "direction",
      acts: "after_moves",
      damage: 7,
      bounce_damage: 3,
      bounces: 2,
      cooldown: 6,
      recovery: 4,
      range: 12,
    },
    hook: {
      target: "direction",
      acts: "before_moves",
      damage: 3,
      cooldown: 18,
      recovery: 1,
      range: 5,
    },
    repulse: {
      target: "none",
      acts: "before_moves",
      damage: 3,
      cooldown: 14,
      recovery: 2,
      radius: 2,
      push: 3,
    },
    blast: {
      target: "tile",
      acts: "area",
      damage: 12,
      cooldown: 11,
      recovery: 4,
      range: 7,
      radius: 2,
      fuse: 2,
    },
    scorch: {
      target: "tile",
      acts: "area",
      damage: 4,
      cooldown: 15,
      recovery: 2,
      range: 5,
      radius: 1,
      burns: 8,
    },
  },
  wall_slam: { damage: 6, stun: 2 },
  collision: { damage: 4 },
  power: { ticks: 20, times: 3, over: 2 },
  heal: 15,
  zone: { start: 80, every: 12, min_radius: 1, damage: 4 },
  pickups: { first: 10, every: 40, lead: 10 },
  shout: { max_length: 40, cooldown: 20 },
} as const;

type Rules = typeof RULES;
export type TargetForm = Rules["attacks"][AttackName]["target"];

type RelatedRules = {
  attacks: ByAttack<{ cooldown: number; recovery: number }> & {
    blast: { fuse: number };
    scorch: { burns: number };
  };
};

/**
 * Throws an Error if a fighter could have two areas of one kind, or if a recovery is longer than
 * its cooldown. The engine's state relies on both rules.
 */
export function checkRules({ attacks }: RelatedRules): void {
  assertRule(attacks.blast.cooldown > attacks.blast.fuse, "a blast must end before the next one");
  assertRule(
    attacks.scorch.cooldown > attacks.scorch.burns,
    "a scorch must end before the next one",
  );
  for (const name of ATTACKS) {
    const { cooldown, recovery } = attacks[name];
    assertRule(recovery <= cooldown, `${name} recovers later than it is ready`);
  }
}

function assertRule(isMet: boolean, message: string): void {
  if (!isMet) throw new Error(`rules: ${message}`);
}

checkRules(RULES);

export const ATTACK_COOLDOWNS = Int32Array.from(ATTACKS, (name) => RULES.attacks[name].cooldown);
export const ATTACK_RECOVERIES = Int32Array.from(ATTACKS, (name) => RULES.attacks[name].recovery);

export const ATTACK_TARGETS: readonly TargetForm[] = ATTACKS.map(
  (name) => RULES.attacks[name].target,
);
