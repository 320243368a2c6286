// The games of a series, which follow from its plan alone.

import { drawnFrom, nextState } from "#core/engine/random.ts";
import type { MatchId } from "#core/words/ids.ts";

export type SeriesPlan = {
  /** A and B by name. */
  bots: readonly [a: string, b: string];
  games: number;
  seed: number;
  maps: readonly string[];
};

export type PlannedGame = {
  number: number;
  matchId: MatchId;
  map: string;
  seed: number;
  /** The seat of bot A, 0 or 1. */
  seatOfA: number;
};

const NUMBER_DIGITS = 4;

/** The games in order. Maps take turns, and so do the seats on each map. */
export function planGames({ games, seed, maps }: SeriesPlan): PlannedGame[] {
  let state = seed;
  return Array.from({ length: games }, (_, number) => {
    state = nextState(state);
    const round = Math.floor(number / maps.length);
    const place = number % maps.length;
    return {
      number,
      matchId: `sim-${seed}-${String(number).padStart(NUMBER_DIGITS, "0")}`,
      map: maps[place]!,
      seed: drawnFrom(state),
      seatOfA: (round + place) % 2,
    };
  });
}
