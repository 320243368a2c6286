// Glicko-2 with one game per rating period. Source: M. Glickman, "Example of the Glicko-2 system"
// (2013, glicko.net/glicko/glicko2.pdf). Step numbers and symbols follow the paper.

import { CENTRE } from "#core/rating/score.ts";

/** Points per unit on the paper's scale (step 2). */
export const GLICKO_SCALE = 173.7178;
const START_DEVIATION = 350;
const START_VOLATILITY = 0.06;
const TAU = 0.5;
const CONVERGENCE_TOLERANCE = 1e-6;

/** `mu` and `phi` use the paper's scale. */
type Player = { mu: number; phi: number; sigma: number };

/** Rating by version. */
export type Glicko = Map<string, Player>;

const NEW_PLAYER: Player = { mu: 0, phi: START_DEVIATION / GLICKO_SCALE, sigma: START_VOLATILITY };

/** Returns rating and deviation in points. */
export function glickoRatingOf(
  glicko: Glicko,
  version: string,
): { rating: number; deviation: number } {
  const { mu, phi } = glicko.get(version) ?? NEW_PLAYER;
  return { rating: CENTRE + GLICKO_SCALE * mu, deviation: GLICKO_SCALE * phi };
}

/** `score` is the first version's result, from 0 to 1. */
export function updateGlicko(glicko: Glicko, first: string, second: string, score: number): void {
  const firstPlayer = glicko.get(first) ?? NEW_PLAYER;
  const secondPlayer = glicko.get(second) ?? NEW_PLAYER;
  glicko.set(first, afterPeriod(firstPlayer, [{ opponent: secondPlayer, score }]));
  glicko.set(second, afterPeriod(secondPlayer, [{ opponent: firstPlayer, score: 1 - score }]));
}

type PeriodGame = { opponent: Player; score: number };

/** Steps 3–7: returns the player after one rating period. */
export function afterPeriod(player: Player, games: readonly PeriodGame[]): Player {
  let information = 0;
  let surplus = 0;
  for (const { opponent, score } of games) {
    const g = 1 / Math.sqrt(1 + (3 * opponent.phi ** 2) / Math.PI ** 2);
    const expected = 1 / (1 + Math.exp(-g * (player.mu - opponent.mu)));
    information += g ** 2 * expected * (1 - expected);
    surplus += g * (score - expected);
  }
  const v = 1 / information;
  const sigma = newVolatility(player, v, v * surplus);
  const phiStar = Math.sqrt(player.phi ** 2 + sigma ** 2);
  const phi = 1 / Math.sqrt(1 / phiStar ** 2 + information);
  return { mu: player.mu + phi ** 2 * surplus, phi, sigma };
}

/** Step 5: finds the root of f by the Illinois variant of regula falsi. */
function newVolatility({ phi, sigma }: Player, v: number, delta: number): number {
  const start = Math.log(sigma ** 2);
  const f = (x: number) => {
    const spread = phi ** 2 + v + Math.exp(x);
    return (Math.exp(x) * (delta ** 2 - spread)) / (2 * spread ** 2) - (x - start) / TAU ** 2;
  };
  let a = start;
  let b = findUpperBound(f, start, delta ** 2 - phi ** 2 - v);
  let fa = f(a);
  let fb = f(b);
  while (Math.abs(b - a) > CONVERGENCE_TOLERANCE) {
    const c = a + ((a - b) * fa) / (fb - fa);
    const fc = f(c);
    if (fc * fb <= 0) {
      a = b;
      fa = fb;
    } else fa /= 2;
    b = c;
    fb = fc;
  }
  return Math.exp(a / 2);
}

function findUpperBound(f: (x: number) => number, start: number, surplus: number): number {
  if (surplus > 0) return Math.log(surplus);
  let steps = 1;
  while (f(start - steps * TAU) < 0) steps += 1;
  return start - steps * TAU;
}
