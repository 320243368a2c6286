import { resolveAreas } from "./areas.ts";
import { resolveBolts } from "./bolts.ts";
import { applyDamage } from "./damage.ts";
import type { Fight } from "./fight.ts";
import { TICK, isOver, rememberSightings } from "./fight.ts";
import { resolveForcedMovement } from "./forced-movement.ts";
import { clearLog } from "./log.ts";
import { resolveMovement } from "./movement.ts";
import { checkEnd } from "./outcome.ts";
import { spawnPickupWave, resolvePickups } from "./pickups.ts";
import { resolveQuickAttacks } from "./quick-attacks.ts";
import { validateTurns } from "./validation.ts";
import { applyZoneDamage } from "./zone.ts";

/**
 * Plays one tick from the current intents and clears them. Fighters without an intent idle.
 * Afterwards, the log and notes describe the tick. Throws an Error if the fight is over.
 */
export function step(fight: Fight): void {
  if (isOver(fight)) throw new Error("the fight is over");
  clearLog(fight.log);
  validateTurns(fight);
  resolveQuickAttacks(fight);
  resolveForcedMovement(fight);
  resolveMovement(fight);
  resolveBolts(fight);
  resolveAreas(fight);
  resolvePickups(fight);
  applyZoneDamage(fight);
  spawnPickupWave(fight);
  applyDamage(fight);
  tickTimers(fight);
  checkEnd(fight);
  rememberSightings(fight);
}

/** Phase 11: counts down every timer, including those of fallen fighters. */
function tickTimers({ words, timers }: Fight): void {
  for (let i = 0; i < timers.length; i += 1) {
    const decremented = timers[i]! - 1;
    // Clamps at 0 without a branch. The branch would be unpredictable and the slowest part of the
    // tick.
    timers[i] = decremented & ~(decremented >> 31);
  }
  words[TICK]! += 1;
}
