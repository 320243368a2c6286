// Many matches between two bots and their report: what `bout sim` does, in this process.

import { MAP_NAMES } from "#core/engine/maps.ts";

import type { SimulatorBot } from "./bot.ts";
import { playMatch } from "./match.ts";
import type { MatchResult } from "./match.ts";
import { planGames } from "./plan.ts";
import type { PlannedGame } from "./plan.ts";
import { reportOn, resultOf } from "./report.ts";
import type { SeriesReport } from "./report.ts";

/** Each map is played twice from each seat. */
const DEFAULT_GAMES = 4 * MAP_NAMES.length;

export type SeriesOptions = {
  /** A, whose win rate is measured, and B. */
  bots: readonly [a: SimulatorBot, b: SimulatorBot];
  /** The number of games; 36 by default. */
  games?: number;
  /** The source of all games' seeds; 1 by default. */
  seed?: number;
  /** All maps by default. They take turns, and so do the seats on each. */
  maps?: readonly string[];
  names?: readonly [a: string, b: string];
};

/**
 * Plays the games of a series one after another; the same call gives the same games as `bout sim`.
 * `visit` receives each one with its replay. Throws what `playMatch` throws.
 */
export function playSeries(
  options: SeriesOptions,
  visit?: (match: MatchResult, game: PlannedGame) => void,
): SeriesReport {
  const { bots, games = DEFAULT_GAMES, seed = 1, maps = MAP_NAMES } = options;
  const names = options.names ?? [nameOf(bots[0], "a"), nameOf(bots[1], "b")];
  const plan = { bots: names, games, seed, maps };
  const results = planGames(plan).map((game) => {
    const [first, second] = game.seatOfA === 0 ? [0, 1] : [1, 0];
    const match = playMatch({
      map: game.map,
      seed: game.seed,
      matchId: game.matchId,
      bots: [bots[first]!, bots[second]!],
      names: [names[first]!, names[second]!],
    });
    visit?.(match, game);
    return resultOf(game, match.stats, false);
  });
  return reportOn(plan, results);
}

const nameOf = (bot: SimulatorBot, letter: string): string =>
  typeof bot === "string" ? bot : letter;
