// Random pairing as a baseline for the real one: anybody meets anybody the rules allow.

import { MAP_NAMES } from "#core/engine/maps.ts";
import { createDraw, shuffled } from "#core/pairing/random.ts";
import type { Matchmaker, Paired, Waiting, WaveRequest } from "#live/matchmaker/matchmaker.ts";
import { mayMeet, readyBots } from "#testing/invariants/allowed.ts";

/** Random pairs have no reasons. */
const NO_REASONS = {} as Paired["reasons"];

/** The same matchmaker with random waves. */
export function randomlyPairing(matchmaker: Matchmaker): Matchmaker {
  return { ...matchmaker, pair: async (requests) => requests.flatMap(randomWave) };
}

function randomWave(request: WaveRequest): Paired[] {
  const draw = createDraw(request.seed);
  const left = new Set(shuffled(readyBots(request), draw));
  const paired: Paired[] = [];
  for (const one of left) {
    left.delete(one);
    const other: Waiting | undefined = left.values().find((bot) => mayMeet(request, one, bot));
    if (other === undefined || paired.length >= request.starts.length) continue;
    left.delete(other);
    const map = MAP_NAMES[Math.floor(draw() * MAP_NAMES.length)]!;
    const { ladderId } = request;
    const start = request.starts[paired.length]!;
    const botIds = [one.botId, other.botId] as const;
    paired.push({ ...start, ladderId, botIds, map, claimSeconds: 0, reasons: NO_REASONS });
  }
  return paired;
}
