// How a fight stands for a fighter, and how near to the foe it therefore wants to be.

import { COOLDOWN_COUNT, FIRST_ATTACK_COOLDOWN, STRIKE } from "#core/engine/codes.ts";
import type { Fight } from "#core/engine/fight.ts";

/** What the buff is worth when the fighters compare hp. */
const POWER_HP = 15;
const AHEAD_HP = 10;
const BEHIND_HP = 15;
/** Preferred walking distances to the foe, in tiles. */
const DISTANCE = { ahead: 1, even: 3, behind: 5 };

/** Own hp minus the foe's, the buff included. */
export function leadOf({ hp, power }: Fight, seat: number, foe: number): number {
  const buffs = Number(power[seat]! > 0) - Number(power[foe]! > 0);
  return hp[seat]! - hp[foe]! + POWER_HP * buffs;
}

export function isBehind(lead: number): boolean {
  return lead < -BEHIND_HP;
}

/** A fighter presses when it is ahead or has the buff, and keeps away when it is behind. */
export function wantedDistance(lead: number, power: number): number {
  if (lead > AHEAD_HP || power > 0) return DISTANCE.ahead;
  return isBehind(lead) ? DISTANCE.behind : DISTANCE.even;
}

/** Whether in the tick after this one the foe can strike and the fighter cannot. */
export function isExposed(fight: Fight, seat: number, foe: number): boolean {
  return strikeWait(fight, seat) > 1 && strikeWait(fight, foe) <= 1;
}

function strikeWait({ cooldowns }: Fight, seat: number): number {
  return cooldowns[seat * COOLDOWN_COUNT + FIRST_ATTACK_COOLDOWN + STRIKE]!;
}
