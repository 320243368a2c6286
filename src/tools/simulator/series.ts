// Plays many matches between two bots in this process and reports on them, like `bout sim`.

import { MAP_NAMES } from "#core/engine/maps.ts";

import type { SimulatorBot } from "./bot.ts";
import { playMatch } from "./match.ts";
import type { MatchResult } from "./match.ts";
import { planGames } from "./plan.ts";
import type { PlannedGame } from "./plan.ts";
import { createSeriesReport, createGameResult } from "./report.ts";
import type { SeriesReport } from "./report.ts";

/** Plays each map twice from each seat. */
const DEFAULT_GAMES = 4 * MAP_NAMES.length;

export type SeriesOptions = {
  /** The win rate is A's. */
  bots: readonly [a: SimulatorBot, b: SimulatorBot];
  /** Defaults to 36. */
  games?: number;
  /** Seed from which all match seeds are derived. Defaults to 1. */
  seed?: number;
  /** Defaults to all maps. Maps rotate, and seats alternate on each map. */
  maps?: readonly string[];
  names?: readonly [a: string, b: string];
};

/**
 * Plays a series of matches in order. The same options give the same matches as `bout sim`. Calls
 * `visit` with each match and its replay. Throws whatever `playMatch` throws.
 */
export function playSeries(
  options: SeriesOptions,
  onMatch?: (match: MatchResult, game: PlannedGame) => void,
): SeriesReport {
  const { bots, games = DEFAULT_GAMES, seed = 1, maps = MAP_NAMES } = options;
  const names = options.names ?? [botName(bots[0], "a"), botName(bots[1], "b")];
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
    onMatch?.(match, game);
    return createGameResult(game, match.stats, false);
  });
  return createSeriesReport(plan, results);
}

const botName = (bot: SimulatorBot, fallbackName: string): string =>
  typeof bot === "string" ? bot : fallbackName;
