// Attacks for a bot to choose from. Each function returns the strike that makes sense now, or null.
// Chain them with `??` from the most to the least preferred.

import { BLAST, BOLT, HOOK, NONE, REPULSE, SCORCH, STRIKE } from "#core/engine/codes.ts";
import { distanceBetween, isSeen } from "#core/engine/grid.ts";
import { RULES } from "#core/engine/rules.ts";

import { bestBolt, canRepulse, canWalkOut, isReady, lineTo } from "./aim.ts";
import { repulseSlams, trapChance } from "./aim.ts";
import type { Belief } from "./belief.ts";
import type { Strike } from "./choice.ts";
import { tilesAround, walkBetween } from "./ground.ts";
import type { Forecast } from "./habits.ts";

const { bolt, blast, hook, scorch, strike } = RULES.attacks;

/** Whether any attack is possible: the foe is in sight and the fighter is not stunned. */
export function canAttack({ fight, seat, isVisible }: Belief): boolean {
  return isVisible && fight.stun[seat] === 0;
}

/** A repulse that reaches the foe. */
export function pushOff({ fight, seat, foe }: Belief): Strike | null {
  const { grid, tile } = fight;
  const isUseful = isReady(fight, seat, REPULSE) && canRepulse(grid, tile[seat]!, tile[foe]!);
  return isUseful ? { attack: REPULSE, aim: NONE } : null;
}

/** A repulse that throws the foe into a wall. */
export function slam(belief: Belief): Strike | null {
  const { fight, seat, foe } = belief;
  const isSlam = repulseSlams(fight.grid, fight.tile[seat]!, fight.tile[foe]!);
  return isSlam ? pushOff(belief) : null;
}

export function strikeFoe({ fight, seat, foe }: Belief): Strike | null {
  const { grid, tile } = fight;
  if (!isReady(fight, seat, STRIKE)) return null;
  const aim = lineTo(grid, tile[seat]!, tile[foe]!, strike.range);
  return aim === NONE ? null : { attack: STRIKE, aim };
}

/** A hook that brings the foe nearer. */
export function hookFoe({ fight, seat, foe }: Belief): Strike | null {
  const { grid, tile } = fight;
  if (!isReady(fight, seat, HOOK) || distanceBetween(grid, tile[seat]!, tile[foe]!) < 2)
    return null;
  const aim = lineTo(grid, tile[seat]!, tile[foe]!, hook.range);
  return aim === NONE ? null : { attack: HOOK, aim };
}

/** The best bolt from the tile `after` the movement, if its expected damage is enough. */
export function shoot(
  { fight, seat }: Belief,
  after: number,
  forecast: Forecast,
  worth: number,
): Strike | null {
  if (!isReady(fight, seat, BOLT)) return null;
  const shot = bestBolt(fight, seat, after, forecast);
  return shot.damage >= worth ? { attack: BOLT, aim: shot.direction } : null;
}

/** A bolt along the line on which the foe stands now. */
export function shootStraight({ fight, seat, foe }: Belief): Strike | null {
  const { grid, tile } = fight;
  if (!isReady(fight, seat, BOLT)) return null;
  const aim = lineTo(grid, tile[seat]!, tile[foe]!, bolt.range);
  return aim === NONE ? null : { attack: BOLT, aim };
}

/** The blast most likely to catch the foe where it cannot walk out, if that is likely enough. */
export function trap(
  { fight, seat }: Belief,
  after: number,
  forecast: Forecast,
  worth: number,
): Strike | null {
  if (!isReady(fight, seat, BLAST)) return null;
  const { grid, tile } = fight;
  let best: Strike | null = null;
  let likeliest = worth;
  for (const aim of tilesAround(grid, forecast.tiles[0]!, 1)) {
    const isLegal =
      isSeen(grid, tile[seat]!, aim) && distanceBetween(grid, tile[seat]!, aim) <= blast.range;
    if (!isLegal || !canWalkOut(grid, aim, after, blast.fuse)) continue;
    const chance = trapChance(grid, aim, forecast);
    if (chance < likeliest) continue;
    likeliest = chance;
    best = { attack: BLAST, aim };
  }
  return best;
}

/** A scorch on the tile that the foe would step on to come near, unless it burns our own tile. */
export function burnPath({ fight, seat, foe }: Belief, after: number): Strike | null {
  const { grid, tile } = fight;
  if (!isReady(fight, seat, SCORCH)) return null;
  let aim = tile[foe]!;
  for (const next of tilesAround(grid, tile[foe]!, 1)) {
    if (walkBetween(grid, next, after) < walkBetween(grid, aim, after)) aim = next;
  }
  const isLegal =
    isSeen(grid, tile[seat]!, aim) && distanceBetween(grid, tile[seat]!, aim) <= scorch.range;
  return isLegal && distanceBetween(grid, after, aim) > scorch.radius
    ? { attack: SCORCH, aim }
    : null;
}
