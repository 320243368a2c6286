// Random pairing as a baseline: pairs any two bots that the rules allow to meet.

import { MAP_NAMES } from "#core/engine/maps.ts";
import { createRandomDraw, shuffle } from "#core/pairing/random.ts";
import type {
  Matchmaker,
  PlannedMatch,
  WaitingEntry,
  WaveRequest,
} from "#live/matchmaker/matchmaker.ts";
import { mayMeet, readyBots } from "#testing/invariants/allowed-pairs.ts";

const NO_REASONS = {} as PlannedMatch["reasons"];

export function withRandomPairing(matchmaker: Matchmaker): Matchmaker {
  return { ...matchmaker, pair: async (requests) => requests.flatMap(pairRandomly) };
}

function pairRandomly(request: WaveRequest): PlannedMatch[] {
  const draw = createRandomDraw(request.seed);
  const unpairedBots = new Set(shuffle(readyBots(request), draw));
  const pairings: PlannedMatch[] = [];
  for (const one of unpairedBots) {
    unpairedBots.delete(one);
    const opponent: WaitingEntry | undefined = unpairedBots
      .values()
      .find((bot) => mayMeet(request, one, bot));
    if (opponent === undefined || pairings.length >= request.starts.length) continue;
    unpairedBots.delete(opponent);
    const map = MAP_NAMES[Math.floor(draw() * MAP_NAMES.length)]!;
    const { ladderId } = request;
    const start = request.starts[pairings.length]!;
    const botIds = [one.botId, opponent.botId] as const;
    pairings.push({ ...start, ladderId, botIds, map, claimSeconds: 0, reasons: NO_REASONS });
  }
  return pairings;
}
