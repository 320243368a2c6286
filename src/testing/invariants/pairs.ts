// Nobody meets an opponent it must not meet: its own owner's bots, the house among itself, or the
// bot it just met.

import { bothOf } from "#base/units/sure.ts";
import { SECOND } from "#base/units/time.ts";
import { ownerFold } from "#core/accounts/name.ts";
import { DEFAULT_LADDER } from "#core/ladder/ladder.ts";
import type { BotId, LadderId, MatchId } from "#core/words/ids.ts";
import { FIXED } from "#core/words/limits.ts";

import { openPlaces } from "./places.ts";
import type { Places, Queued } from "./places.ts";
import type { BotFacts, Watch } from "./watch.ts";

const HOLD = FIXED.rematch_hold_s * SECOND;

type Ended = { at: number; opponent: string };

type Facts = {
  bots: Map<string, BotFacts>;
  /** Since when bots wait, µs. */
  waits: Places<{ since: number; version: string }>;
  /** By match id. */
  seats: Map<MatchId, { ladderId: LadderId; botIds: readonly BotId[] }>;
  /** By bot id: its last match on each ladder. */
  last: Map<BotId, Map<LadderId, Ended>>;
  /** Bots whose connection has ended, until they are heard of again. */
  gone: Set<string>;
  /** By ladder and both bot ids: the end of their last match. */
  met: Map<string, number>;
};

export function watchPairs(): Watch {
  const facts: Facts = {
    bots: new Map(),
    waits: openPlaces(),
    seats: new Map(),
    last: new Map(),
    gone: new Set(),
    met: new Map(),
  };
  return {
    name: "no forbidden pair",
    on: {
      registered: ({ bot }) => {
        facts.bots.set(bot.id, bot);
        facts.waits.know(bot);
      },
      owned: ({ bot }) => void facts.bots.set(bot.id, bot),
      told: ({ about, botId, text }, { at }) => {
        // A bot that left and came back only has to wait for the hold.
        if (facts.gone.delete(botId)) facts.last.delete(botId);
        if (about === "queued") noteQueued(facts, botId, text, at);
      },
      left: ({ botId, ladderId, isGone }) => {
        facts.waits.leave(botId, ladderId);
        if (isGone) facts.gone.add(botId);
      },
      started: ({ matchId, ladderId, botIds }, { at }) => {
        facts.seats.set(matchId, { ladderId, botIds });
        return forbidden(facts, ladderId, botIds, at);
      },
      practised: ({ botId }) => facts.waits.leave(botId, DEFAULT_LADDER),
      confirmed: ({ matchId }, { at }) => noteEnd(facts, matchId, at),
      killed: () => {
        facts.waits.clear();
        facts.seats.clear();
        facts.last.clear();
      },
    },
  };
}

/** A bot that asks again for its place in the queue keeps it. */
function noteQueued({ waits }: Facts, botId: BotId, text: string, at: number): void {
  const { version, ladder_id } = JSON.parse(text) as Queued;
  const isKept = waits.get(botId, ladder_id)?.version === version;
  if (!isKept) waits.take(botId, ladder_id, { since: at, version });
}

function noteEnd({ seats, last, met }: Facts, matchId: MatchId, at: number): void {
  const match = seats.get(matchId);
  if (match === undefined) return;
  seats.delete(matchId);
  const { ladderId, botIds } = match;
  const [one, other] = bothOf(botIds);
  const lastOf = (id: BotId) => last.getOrInsertComputed(id, () => new Map());
  lastOf(one).set(ladderId, { at, opponent: other });
  lastOf(other).set(ladderId, { at, opponent: one });
  met.set(keyOf(ladderId, botIds), at);
}

const keyOf = (ladderId: LadderId, botIds: readonly BotId[]): string =>
  [ladderId, ...botIds.toSorted()].join(" ");

function forbidden(
  facts: Facts,
  ladderId: LadderId,
  botIds: readonly BotId[],
  at: number,
): string | null {
  const [one, other] = botIds.map((id) => facts.bots.get(id));
  if (one === undefined || other === undefined) return `${botIds.join(" ")}: an unknown bot plays`;
  const names = `${one.name} meets ${other.name}`;
  const rested = botIds.map((id) => at - (facts.waits.get(id, ladderId)?.since ?? at));
  for (const id of botIds) facts.waits.leave(id, ladderId);
  if (one.id === other.id || ownerFold(one.owner) === ownerFold(other.owner))
    return `${names}, of the same owner`;
  if (one.house && other.house) return `${names}, both of the house`;
  const since = at - (facts.met.get(keyOf(ladderId, botIds)) ?? -Infinity);
  if (since < HOLD) return `${names} again after ${since} µs`;
  const wasLast = facts.last.get(one.id)?.get(ladderId)?.opponent === other.id;
  const shorter = Math.min(...rested);
  if (wasLast && shorter < HOLD) return `${names} again, having waited ${shorter} µs`;
  return null;
}
