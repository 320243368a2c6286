// Attacks for a bot to choose from. Each function returns an attack, or null if it's impossible or
// not worth making. Chain calls with `??`, the preferred one first.

import { distanceBetween, isTileVisible } from "#core/engine/grid.ts";
import { BLAST, BOLT, HOOK, NONE, REPULSE, SCORCH, STRIKE } from "#core/engine/integer-codes.ts";
import { RULES } from "#core/engine/rules.ts";

import { bestBolt, canRepulse, canEscapeBlast, isReady, directionToTarget } from "./aim.ts";
import { repulseSlams, trapChance } from "./aim.ts";
import type { Belief } from "./belief.ts";
import type { Forecast } from "./opponent-habits.ts";
import type { AimedAttack } from "./policy.ts";
import { tilesWithin, walkBetween } from "./terrain-queries.ts";

const { bolt, blast, hook, scorch, strike } = RULES.attacks;

export function canAttack({ fight, seat, isVisible }: Belief): boolean {
  return isVisible && fight.stun[seat] === 0;
}

export function repulseOpponent({ fight, seat, opponent }: Belief): AimedAttack | null {
  const { grid, tile } = fight;
  const canReach = isReady(fight, seat, REPULSE) && canRepulse(grid, tile[seat]!, tile[opponent]!);
  return canReach ? { attack: REPULSE, aim: NONE } : null;
}

export function slamOpponent(belief: Belief): AimedAttack | null {
  const { fight, seat, opponent } = belief;
  const isSlam = repulseSlams(fight.grid, fight.tile[seat]!, fight.tile[opponent]!);
  return isSlam ? repulseOpponent(belief) : null;
}

export function strikeOpponent({ fight, seat, opponent }: Belief): AimedAttack | null {
  const { grid, tile } = fight;
  if (!isReady(fight, seat, STRIKE)) return null;
  const aim = directionToTarget(grid, tile[seat]!, tile[opponent]!, strike.range);
  return aim === NONE ? null : { attack: STRIKE, aim };
}

export function hookOpponent({ fight, seat, opponent }: Belief): AimedAttack | null {
  const { grid, tile } = fight;
  if (!isReady(fight, seat, HOOK) || distanceBetween(grid, tile[seat]!, tile[opponent]!) < 2)
    return null;
  const aim = directionToTarget(grid, tile[seat]!, tile[opponent]!, hook.range);
  return aim === NONE ? null : { attack: HOOK, aim };
}

/**
 * Returns the best bolt from `endTile`, the tile after the movement, if its expected damage is at
 * least `minimum`.
 */
export function shootBolt(
  { fight, seat }: Belief,
  endTile: number,
  forecast: Forecast,
  minimum: number,
): AimedAttack | null {
  if (!isReady(fight, seat, BOLT)) return null;
  const shot = bestBolt(fight, seat, endTile, forecast);
  return shot.damage >= minimum ? { attack: BOLT, aim: shot.direction } : null;
}

export function shootStraightBolt({ fight, seat, opponent }: Belief): AimedAttack | null {
  const { grid, tile } = fight;
  if (!isReady(fight, seat, BOLT)) return null;
  const aim = directionToTarget(grid, tile[seat]!, tile[opponent]!, bolt.range);
  return aim === NONE ? null : { attack: BOLT, aim };
}

/**
 * Returns the blast that is likeliest to trap the opponent, if the chance is at least `minimum` and
 * the bot itself can walk out.
 */
export function trapWithBlast(
  { fight, seat }: Belief,
  endTile: number,
  forecast: Forecast,
  minimum: number,
): AimedAttack | null {
  if (!isReady(fight, seat, BLAST)) return null;
  const { grid, tile } = fight;
  let best: AimedAttack | null = null;
  let likeliest = minimum;
  for (const aim of tilesWithin(grid, forecast.tiles[0]!, 1)) {
    const isLegal =
      isTileVisible(grid, tile[seat]!, aim) &&
      distanceBetween(grid, tile[seat]!, aim) <= blast.range;
    if (!isLegal || !canEscapeBlast(grid, aim, endTile, blast.fuse)) continue;
    const chance = trapChance(grid, aim, forecast);
    if (chance < likeliest) continue;
    likeliest = chance;
    best = { attack: BLAST, aim };
  }
  return best;
}

/**
 * Returns a scorch on the opponent's next tile towards the bot, unless the scorch would reach
 * `endTile`.
 */
export function scorchPath({ fight, seat, opponent }: Belief, endTile: number): AimedAttack | null {
  const { grid, tile } = fight;
  if (!isReady(fight, seat, SCORCH)) return null;
  let aim = tile[opponent]!;
  for (const next of tilesWithin(grid, tile[opponent]!, 1)) {
    if (walkBetween(grid, next, endTile) < walkBetween(grid, aim, endTile)) aim = next;
  }
  const isLegal =
    isTileVisible(grid, tile[seat]!, aim) &&
    distanceBetween(grid, tile[seat]!, aim) <= scorch.range;
  return isLegal && distanceBetween(grid, endTile, aim) > scorch.radius
    ? { attack: SCORCH, aim }
    : null;
}
