// No ladder starves: where room is short, it goes to the pairs that have waited longest, whatever
// their ladder.

import { SECOND } from "#base/units/time.ts";
import { DEFAULT_LADDER, PUBLIC } from "#core/ladder/ladder.ts";
import type { LadderDefinition } from "#core/ladder/ladder.ts";
import type { BotId, LadderId, MatchId } from "#core/words/ids.ts";
import type { Paired, WaveRequest } from "#live/matchmaker/matchmaker.ts";

import { freeBots, mayMeet } from "./allowed.ts";
import type { Watch } from "./watch.ts";

/** A pair has waited long, and longer by so much than those that start elsewhere. */
const LONG_WAIT_S = 90;
const MARGIN_S = 30;
/** Pairs that came later and start elsewhere while a ladder starts none. */
const MOST_PASSES = 4;
/** µs from a wave to the starts that come of it. */
const SAME_ROUND = SECOND;

/** In the latest wave of a ladder with room: how long a pair had waited, and who passed it since. */
type Hunger = { at: number; wait: number; passes: number };

type Facts = {
  ladders: Map<LadderId, LadderDefinition>;
  /** By match id, from the wave that made the pair: seconds. */
  waits: Map<MatchId, number>;
  running: Map<MatchId, LadderId>;
  hungry: Map<LadderId, Hunger>;
};

export function watchStarvation(): Watch {
  const facts: Facts = {
    ladders: new Map([[DEFAULT_LADDER, PUBLIC]]),
    waits: new Map(),
    running: new Map(),
    hungry: new Map(),
  };
  return {
    name: "no ladder starves",
    on: {
      ladder: ({ ladder }) => void facts.ladders.set(ladder.id, ladder),
      recalled: ({ ladders }) => {
        for (const ladder of ladders) facts.ladders.set(ladder.id, ladder);
      },
      wave: ({ request, paired }, { at }) => {
        noteWaits(facts, request, paired);
        noteHunger(facts, request, at);
      },
      started: ({ matchId, ladderId }, { at }) => start(facts, matchId, ladderId, at),
      confirmed: ({ matchId }) => void facts.running.delete(matchId),
      killed: () => {
        facts.running.clear();
        facts.waits.clear();
        facts.hungry.clear();
      },
    },
  };
}

/**
 * A pair has waited as long as its older player's bot; the house is never in a hurry. One that was
 * asked for comes before all others.
 */
function noteWaits({ waits }: Facts, { waiting }: WaveRequest, paired: readonly Paired[]): void {
  const waitOf = (id: BotId) => {
    const bot = waiting.find(({ botId, house }) => botId === id && !house);
    return bot?.waitSeconds ?? 0;
  };
  for (const { matchId, botIds, reasons } of paired) {
    const isAsked = reasons.ground === "requested";
    waits.set(matchId, isAsked ? Infinity : Math.max(...botIds.map(waitOf)));
  }
}

function noteHunger({ hungry, running, ladders }: Facts, request: WaveRequest, at: number): void {
  const { ladderId } = request;
  const most = ladders.get(ladderId)?.maxConcurrent ?? Infinity;
  const here = [...running.values()].filter((other) => other === ladderId).length;
  const wait = here < most ? longestWait(request) : 0;
  const passes = hungry.get(ladderId)?.passes ?? 0;
  if (wait >= LONG_WAIT_S) hungry.set(ladderId, { at, wait, passes });
  else hungry.delete(ladderId);
}

function start(facts: Facts, matchId: MatchId, ladderId: LadderId, at: number): string | null {
  const { waits, running, hungry } = facts;
  const wait = waits.get(matchId) ?? 0;
  waits.delete(matchId);
  running.set(matchId, ladderId);
  hungry.delete(ladderId);
  for (const [other, hunger] of hungry) {
    if (at - hunger.at > SAME_ROUND || wait > hunger.wait - MARGIN_S) continue;
    hunger.passes += 1;
    if (hunger.passes > MOST_PASSES)
      return `a pair on ${other} has waited ${hunger.wait} s; one that waited ${wait} s starts on ${ladderId}`;
  }
  return null;
}

/** Of the pairs that may meet by the rules alone; 0 for none. */
function longestWait(request: WaveRequest): number {
  const ready = freeBots(request);
  for (const [place, one] of ready.entries())
    if (ready.slice(0, place).some((other) => mayMeet(request, one, other))) return one.waitSeconds;
  return 0;
}
