// No ladder starves: if capacity is short, the pairs that have waited longest start first, whatever
// their ladder.

import { SECOND_US } from "#base/util/time.ts";
import type { BotId, LadderId, MatchId } from "#core/ids/ids.ts";
import { DEFAULT_LADDER, PUBLIC_LADDER } from "#core/ladder/ladder.ts";
import type { LadderDefinition } from "#core/ladder/ladder.ts";
import type { PlannedMatch, WaveRequest } from "#live/matchmaker/matchmaker.ts";

import { freeBots, mayMeet } from "./allowed-pairs.ts";
import type { Watch } from "./watch.ts";

/**
 * A wait is long from here, if it also exceeds the waits of pairs that start elsewhere by the
 * margin.
 */
const LONG_WAIT_S = 90;
const MARGIN_S = 30;
/** Pairs with shorter waits that start elsewhere while a ladder starts none. */
const MAX_PASSES = 4;
/** Maximum µs from a wave to its match starts. */
const ROUND_TIME = SECOND_US;

/**
 * From the latest wave of a ladder with capacity: the longest wait of a pair, and how many pairs
 * passed it since.
 */
type WaitingPair = { at: number; wait: number; passes: number };

type StarvationFacts = {
  ladders: Map<LadderId, LadderDefinition>;
  /** Seconds by match id, from the wave that made the pair. */
  waits: Map<MatchId, number>;
  running: Map<MatchId, LadderId>;
  waitingPairs: Map<LadderId, WaitingPair>;
};

export function watchStarvation(): Watch {
  const facts: StarvationFacts = {
    ladders: new Map([[DEFAULT_LADDER, PUBLIC_LADDER]]),
    waits: new Map(),
    running: new Map(),
    waitingPairs: new Map(),
  };
  return {
    name: "no ladder starves",
    on: {
      ladder: ({ ladder }) => void facts.ladders.set(ladder.id, ladder),
      recalled: ({ ladders }) => {
        for (const ladder of ladders) facts.ladders.set(ladder.id, ladder);
      },
      wave: ({ request, pairings }, { at }) => {
        recordWaits(facts, request, pairings);
        recordWaitingPair(facts, request, at);
      },
      started: ({ matchId, ladderId }, { at }) => checkStart(facts, matchId, ladderId, at),
      confirmed: ({ matchId }) => void facts.running.delete(matchId),
      killed: () => {
        facts.running.clear();
        facts.waits.clear();
        facts.waitingPairs.clear();
      },
    },
  };
}

/**
 * A pair has waited as long as its longer-waiting player's bot; house bots don't count. Requested
 * pairs come first.
 */
function recordWaits(
  { waits }: StarvationFacts,
  { waiting }: WaveRequest,
  paired: readonly PlannedMatch[],
): void {
  const waitOf = (id: BotId) => {
    const bot = waiting.find(({ botId, house }) => botId === id && !house);
    return bot?.waitSeconds ?? 0;
  };
  for (const { matchId, botIds, reasons } of paired) {
    const isRequested = reasons.ground === "requested";
    waits.set(matchId, isRequested ? Infinity : Math.max(...botIds.map(waitOf)));
  }
}

function recordWaitingPair(
  { waitingPairs, running, ladders }: StarvationFacts,
  request: WaveRequest,
  at: number,
): void {
  const { ladderId } = request;
  const maxConcurrent = ladders.get(ladderId)?.maxConcurrent ?? Infinity;
  const runningCount = [...running.values()].filter((other) => other === ladderId).length;
  const wait = runningCount < maxConcurrent ? longestWait(request) : 0;
  const passes = waitingPairs.get(ladderId)?.passes ?? 0;
  if (wait >= LONG_WAIT_S) waitingPairs.set(ladderId, { at, wait, passes });
  else waitingPairs.delete(ladderId);
}

function checkStart(
  facts: StarvationFacts,
  matchId: MatchId,
  ladderId: LadderId,
  at: number,
): string | null {
  const { waits, running, waitingPairs } = facts;
  const wait = waits.get(matchId) ?? 0;
  waits.delete(matchId);
  running.set(matchId, ladderId);
  waitingPairs.delete(ladderId);
  for (const [otherLadder, waitingPair] of waitingPairs) {
    if (at - waitingPair.at > ROUND_TIME || wait > waitingPair.wait - MARGIN_S) continue;
    waitingPair.passes += 1;
    if (waitingPair.passes > MAX_PASSES)
      return `a pair on ${otherLadder} has waited ${waitingPair.wait} s; one that waited ${wait} s starts on ${ladderId}`;
  }
  return null;
}

/** Longest wait of the pairs that the rules alone allow; 0 for none. */
function longestWait(request: WaveRequest): number {
  const ready = freeBots(request);
  for (const [index, a] of ready.entries())
    if (ready.slice(0, index).some((other) => mayMeet(request, a, other))) return a.waitSeconds;
  return 0;
}
