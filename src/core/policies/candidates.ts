// The pairs of movement and attack that a planner considers.

import { BLAST, BOLT, DIRECTION_COUNT, SCORCH } from "#core/engine/codes.ts";
import { distanceBetween, isSeen } from "#core/engine/grid.ts";
import { RULES } from "#core/engine/rules.ts";

import { expectedBolt, isReady } from "./aim.ts";
import type { Belief } from "./belief.ts";
import { NO_STRIKE } from "./choice.ts";
import type { Strike, Way } from "./choice.ts";
import { tilesAround } from "./ground.ts";
import type { Forecast } from "./habits.ts";
import type { Action } from "./playout.ts";
import { canAttack, hookFoe, pushOff, strikeFoe } from "./tactics.ts";

const MOST_PAIRS = 45;
/** How many of each are considered. */
const BLASTS = 3;
const SCORCHES = 2;
const LEAST_BOLT = 0.4;
const { blast, scorch } = RULES.attacks;

/** `ways` are sorted, best first. Every attack is paired with as many of them as fit. */
export function candidates(belief: Belief, ways: readonly Way[], forecast: Forecast): Action[] {
  const strikes = canAttack(belief) ? strikesOf(belief, forecast) : [];
  const mayShoot = canAttack(belief) && isReady(belief.fight, belief.seat, BOLT);
  const perWay = 1 + strikes.length + (mayShoot ? 1 : 0);
  const actions: Action[] = [];
  for (const way of ways) {
    if (actions.length + perWay > MOST_PAIRS) break;
    const bolt = mayShoot ? boltFrom(belief, way.tile, forecast) : null;
    for (const strike of [NO_STRIKE, ...strikes, ...(bolt ? [bolt] : [])]) {
      actions.push({ way, strike });
    }
  }
  return actions;
}

function boltFrom({ fight, seat }: Belief, from: number, forecast: Forecast): Strike | null {
  let best: Strike | null = null;
  let most = LEAST_BOLT;
  for (let direction = 0; direction < DIRECTION_COUNT; direction += 1) {
    const expected = expectedBolt(fight, seat, from * DIRECTION_COUNT + direction, forecast);
    if (expected <= most) continue;
    most = expected;
    best = { attack: BOLT, aim: direction };
  }
  return best;
}

/** Attacks that do not depend on the movement. */
function strikesOf(belief: Belief, forecast: Forecast): Strike[] {
  const quick = [strikeFoe(belief), pushOff(belief), hookFoe(belief)];
  return [
    ...quick.filter((strike) => strike !== null),
    ...areasOf(belief, BLAST, forecast).slice(0, BLASTS),
    ...areasOf(belief, SCORCH, forecast).slice(0, SCORCHES),
  ];
}

/** Area attacks on tiles where the foe may stand, likeliest first. */
function areasOf({ fight, seat }: Belief, attack: number, forecast: Forecast): Strike[] {
  const { grid, tile } = fight;
  if (!isReady(fight, seat, attack)) return [];
  const range = attack === BLAST ? blast.range : scorch.range;
  const chanceAt = (aim: number) => forecast.chances[forecast.tiles.indexOf(aim)] ?? 0;
  return tilesAround(grid, forecast.tiles[0]!, 1)
    .filter((aim) => isSeen(grid, tile[seat]!, aim))
    .filter((aim) => distanceBetween(grid, tile[seat]!, aim) <= range)
    .sort((a, b) => chanceAt(b) - chanceAt(a))
    .map((aim) => ({ attack, aim }));
}
