import { areas } from "./areas.ts";
import { bolts } from "./bolts.ts";
import { damageAndDeaths } from "./damage.ts";
import type { Fight } from "./fight.ts";
import { TICK, isOver, remember } from "./fight.ts";
import { forcedMovement } from "./forced-movement.ts";
import { clearLog } from "./log.ts";
import { movement } from "./movement.ts";
import { endCheck } from "./outcome.ts";
import { pickupWave, pickups } from "./pickups.ts";
import { quickAttacks } from "./quick-attacks.ts";
import { validateTurns } from "./validation.ts";
import { zoneDamage } from "./zone.ts";

/**
 * Plays one tick from the intents that were set, and consumes them. A fighter without one idles.
 * Afterwards the log and the notes describe this tick. A finished fight cannot be stepped.
 */
export function step(fight: Fight): void {
  if (isOver(fight)) throw new Error("the fight is over");
  clearLog(fight.log);
  validateTurns(fight);
  quickAttacks(fight);
  forcedMovement(fight);
  movement(fight);
  bolts(fight);
  areas(fight);
  pickups(fight);
  zoneDamage(fight);
  pickupWave(fight);
  damageAndDeaths(fight);
  passTime(fight);
  endCheck(fight);
  remember(fight);
}

/** Phase 11: counts every timer down by one, for fallen fighters too. */
function passTime({ words, timers }: Fight): void {
  for (let i = 0; i < timers.length; i += 1) {
    const less = timers[i]! - 1;
    // Keeps 0 at 0 without a branch, which would be unpredictable and the slowest part of the tick.
    timers[i] = less & ~(less >> 31);
  }
  words[TICK]! += 1;
}
