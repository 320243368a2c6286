import { randomFromState, nextState } from "#core/engine/random.ts";
import type { MatchId } from "#core/ids/ids.ts";

export type SeriesPlan = {
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
  /** 0 or 1. */
  seatOfA: number;
};

const NUMBER_DIGITS = 4;

/** Returns the matches in order. Maps rotate, and seats alternate on each map. */
export function planGames({ games, seed, maps }: SeriesPlan): PlannedGame[] {
  let state = seed;
  return Array.from({ length: games }, (_, number) => {
    state = nextState(state);
    const round = Math.floor(number / maps.length);
    const mapIndex = number % maps.length;
    return {
      number,
      matchId: `sim-${seed}-${String(number).padStart(NUMBER_DIGITS, "0")}`,
      map: maps[mapIndex]!,
      seed: randomFromState(state),
      seatOfA: (round + mapIndex) % 2,
    };
  });
}
