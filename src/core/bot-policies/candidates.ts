import { distanceBetween, isTileVisible } from "#core/engine/grid.ts";
import { BLAST, BOLT, DIRECTION_COUNT, SCORCH } from "#core/engine/integer-codes.ts";
import { RULES } from "#core/engine/rules.ts";

import { expectedBoltDamage, isReady } from "./aim.ts";
import type { Belief } from "./belief.ts";
import type { Forecast } from "./opponent-habits.ts";
import type { CandidateAction } from "./playout.ts";
import { NO_ATTACK } from "./policy.ts";
import type { AimedAttack, Movement } from "./policy.ts";
import { canAttack, hookOpponent, repulseOpponent, strikeOpponent } from "./tactics.ts";
import { tilesWithin } from "./terrain-queries.ts";

const MAX_PAIRS = 45;
const MAX_BLASTS = 3;
const MAX_SCORCHES = 2;
const MIN_BOLT_DAMAGE = 0.4;
const { blast, scorch } = RULES.attacks;

/**
 * Returns up to `MAX_PAIRS` actions. `movements` are sorted, best first. Each movement is paired
 * with every attack and with no attack, until the limit is reached.
 */
export function candidateActions(
  belief: Belief,
  movements: readonly Movement[],
  forecast: Forecast,
): CandidateAction[] {
  const strikes = canAttack(belief) ? strikeOptions(belief, forecast) : [];
  const mayShoot = canAttack(belief) && isReady(belief.fight, belief.seat, BOLT);
  const perMovement = 1 + strikes.length + (mayShoot ? 1 : 0);
  const actions: CandidateAction[] = [];
  for (const movement of movements) {
    if (actions.length + perMovement > MAX_PAIRS) break;
    const bolt = mayShoot ? bestBoltStrike(belief, movement.tile, forecast) : null;
    for (const strike of [NO_ATTACK, ...strikes, ...(bolt ? [bolt] : [])]) {
      actions.push({ movement, strike });
    }
  }
  return actions;
}

function bestBoltStrike(
  { fight, seat }: Belief,
  from: number,
  forecast: Forecast,
): AimedAttack | null {
  let best: AimedAttack | null = null;
  let bestDamage = MIN_BOLT_DAMAGE;
  for (let direction = 0; direction < DIRECTION_COUNT; direction += 1) {
    const expected = expectedBoltDamage(fight, seat, from * DIRECTION_COUNT + direction, forecast);
    if (expected <= bestDamage) continue;
    bestDamage = expected;
    best = { attack: BOLT, aim: direction };
  }
  return best;
}

function strikeOptions(belief: Belief, forecast: Forecast): AimedAttack[] {
  const quickStrikes = [strikeOpponent(belief), repulseOpponent(belief), hookOpponent(belief)];
  return [
    ...quickStrikes.filter((strike) => strike !== null),
    ...areaStrikes(belief, BLAST, forecast).slice(0, MAX_BLASTS),
    ...areaStrikes(belief, SCORCH, forecast).slice(0, MAX_SCORCHES),
  ];
}

/**
 * Returns area attacks on and next to the opponent's tile. The likeliest next tile of the opponent
 * comes first.
 */
function areaStrikes({ fight, seat }: Belief, attack: number, forecast: Forecast): AimedAttack[] {
  const { grid, tile } = fight;
  if (!isReady(fight, seat, attack)) return [];
  const range = attack === BLAST ? blast.range : scorch.range;
  const chanceAt = (aim: number) => forecast.chances[forecast.tiles.indexOf(aim)] ?? 0;
  return tilesWithin(grid, forecast.tiles[0]!, 1)
    .filter((aim) => isTileVisible(grid, tile[seat]!, aim))
    .filter((aim) => distanceBetween(grid, tile[seat]!, aim) <= range)
    .sort((a, b) => chanceAt(b) - chanceAt(a))
    .map((aim) => ({ attack, aim }));
}
