// Builds small waves that each demonstrate one pairing rule, from a few waiting bots and their past
// results.

import { createMatchups, recordGame } from "#core/pairing/matchups.ts";
import type { Matchups } from "#core/pairing/matchups.ts";
import { createRandomDraw } from "#core/pairing/random.ts";
import type { PlannedPairing, QueueSnapshot, WaitingBot, WaveLimits } from "#core/pairing/types.ts";
import { pairWave } from "#core/pairing/wave.ts";

import { CROWD_PAIRING_NUMBERS, drawStarts } from "./simulated-crowd.ts";

export const SCENE_WAVE_LIMITS: WaveLimits = {
  ownerConcurrency: 40,
  matchIntervalSeconds: 0.3,
  houseStarts: Infinity,
};
export const MAX_SCENE_STARTS = 20;
export const SCENE_MAPS = ["lanes", "cage", "trench"];

export function createWaitingBot(name: string, changes: Partial<WaitingBot> = {}): WaitingBot {
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

export function createSnapshot(
  bots: readonly WaitingBot[],
  matchups = createMatchups(),
): QueueSnapshot {
  return {
    bots,
    owners: new Map(),
    matchups,
    maps: SCENE_MAPS,
    requested: [],
    numbers: CROWD_PAIRING_NUMBERS,
  };
}

/** Returns a matchup in which `a` scores `points` in `games` games on one map. */
export function createMatchupHistory(games: number, points: number, map = "lanes"): Matchups {
  const matchups = createMatchups();
  for (let gameNumber = 0; gameNumber < games; gameNumber += 1) {
    const score = gameNumber < points ? 1 : 0;
    recordGame(matchups, { version: "a/1", opponent: "b/1", map, score });
  }
  return matchups;
}

export function pairScene(
  snapshot: QueueSnapshot,
  seed: number,
  maxStarts = MAX_SCENE_STARTS,
): PlannedPairing[] {
  const starts = drawStarts(maxStarts, createRandomDraw(seed));
  return pairWave(snapshot, SCENE_WAVE_LIMITS, starts, seed);
}
