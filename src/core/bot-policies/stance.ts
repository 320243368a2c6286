import type { Fight } from "#core/engine/fight.ts";
import { COOLDOWN_COUNT, FIRST_ATTACK_COOLDOWN, STRIKE } from "#core/engine/integer-codes.ts";

const POWER_HP = 15;
const AHEAD_HP = 10;
const BEHIND_HP = 15;
/** Preferred walking distances to the opponent, in tiles. */
const DISTANCE = { ahead: 1, even: 3, behind: 5 };

export function hpLead({ hp, power }: Fight, seat: number, opponent: number): number {
  const buffDifference = Number(power[seat]! > 0) - Number(power[opponent]! > 0);
  return hp[seat]! - hp[opponent]! + POWER_HP * buffDifference;
}

export function isBehind(lead: number): boolean {
  return lead < -BEHIND_HP;
}

/**
 * Returns the preferred walking distance in tiles: short when ahead or buffed, long when behind.
 */
export function idealDistance(lead: number, power: number): number {
  if (lead > AHEAD_HP || power > 0) return DISTANCE.ahead;
  return isBehind(lead) ? DISTANCE.behind : DISTANCE.even;
}

/**
 * Returns whether the opponent will be able to strike in the tick after this one, but the fighter
 * won't.
 */
export function isExposed(fight: Fight, seat: number, opponent: number): boolean {
  return strikeWait(fight, seat) > 1 && strikeWait(fight, opponent) <= 1;
}

function strikeWait({ cooldowns }: Fight, seat: number): number {
  return cooldowns[seat * COOLDOWN_COUNT + FIRST_ATTACK_COOLDOWN + STRIKE]!;
}
