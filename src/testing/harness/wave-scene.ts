// Small waves that show one rule each: a few waiting bots, and their results against each other.

import { createMatchups, recordGame } from "#core/pairing/matchups.ts";
import type { Matchups } from "#core/pairing/matchups.ts";
import { createDraw } from "#core/pairing/random.ts";
import type { Pairing, Snapshot, WaitingBot, WaveLimits } from "#core/pairing/types.ts";
import { pairWave } from "#core/pairing/wave.ts";

import { NUMBERS, startsDrawn } from "./crowd.ts";

export const LIMITS: WaveLimits = {
  ownerConcurrency: 40,
  matchIntervalSeconds: 0.3,
  houseStarts: Infinity,
};
/** More matches than could ever start here. */
export const MOST_STARTS = 20;
export const MAPS = ["lanes", "cage", "trench"];

export function bot(name: string, changes: Partial<WaitingBot> = {}): WaitingBot {
  return {
    bot: name,
    owner: null,
    house: false,
    version: `${name}/1`,
    rating: 1500,
    games: 30,
    formerRating: null,
    recentGames: 0,
    seatSurplus: 0,
    waitSeconds: 0,
    sinceStartSeconds: Infinity,
    lastOpponent: null,
    sinceMeetingSeconds: new Map(),
    ...changes,
  };
}

export function snapshotOf(bots: readonly WaitingBot[], matchups = createMatchups()): Snapshot {
  return { bots, owners: new Map(), matchups, maps: MAPS, requested: [], numbers: NUMBERS };
}

/** A matchup with the given points for `a` in `games` games on one map. */
export function played(games: number, points: number, map = "lanes"): Matchups {
  const matchups = createMatchups();
  for (let game = 0; game < games; game += 1) {
    const score = game < points ? 1 : 0;
    recordGame(matchups, { version: "a/1", opponent: "b/1", map, score });
  }
  return matchups;
}

export function waveOf(snapshot: Snapshot, seed: number, mostStarts = MOST_STARTS): Pairing[] {
  const starts = startsDrawn(mostStarts, createDraw(seed));
  return pairWave(snapshot, LIMITS, starts, seed);
}
