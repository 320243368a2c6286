// No ladder starves. If capacity is short, the pairs that have waited longest start first,
// regardless of their ladder.

import { SECOND_US } from "#base/util/time.ts";
import type { BotId, LadderId, MatchId } from "#core/ids/ids.ts";
import { DEFAULT_LADDER, PUBLIC_LADDER } from "#core/ladder/ladder.ts";
import type { LadderDefinition } from "#core/ladder/ladder.ts";
import type { PlannedMatch, WaveRequest } from "#live/matchmaker/matchmaker.ts";

import { freeBots, mayMeet } from "./allowed-pairs.ts";
import type { Watch } from "./watch.ts";

/**
 * A pair has waited too long if its wait exceeds this limit and also exceeds, by the margin, the
 * waits of pairs that are starting on other ladders.
 */
const LONG_WAIT_S = 90;
const MARGIN_S = 30;
/**
 * Number of pairs with shorter waits that may start on other ladders while none start on this
 * ladder.
 */
const MAX_PASSES = 4;
const ROUND_TIME = SECOND_US;

/**
 * The longest-waiting pair in the latest wave of a ladder with capacity. `passes` counts the
 * shorter-waiting pairs that started since.
 */
type WaitingPair = { at: number; wait: number; passes: number };

type StarvationFacts = {
  ladders: Map<LadderId, LadderDefinition>;
  /** In seconds, at the time of the wave that formed the pair. */
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
 * A pair's wait is the longer wait of the players' bots in it. House bots don't count, and
 * requested pairs rank first.
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

/** Returns the longest wait among all pairs that the rules allow; 0 if there are none. */
function longestWait(request: WaveRequest): number {
  const ready = freeBots(request);
  for (const [index, a] of ready.entries())
    if (ready.slice(0, index).some((other) => mayMeet(request, a, other))) return a.waitSeconds;
  return 0;
}
