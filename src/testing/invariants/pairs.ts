// Nobody meets an opponent it must not meet: its own owner's bots, the house among itself, or the
// bot it just met.

import { bothOf } from "#base/units/sure.ts";
import { SECOND } from "#base/units/time.ts";
import { ownerFold } from "#core/accounts/name.ts";
import type { BotId, MatchId } from "#core/words/ids.ts";
import { FIXED } from "#core/words/limits.ts";

import type { BotFacts, Watch } from "./watch.ts";

const HOLD = FIXED.rematch_hold_s * SECOND;

type Ended = { at: number; opponent: string };

type Facts = {
  bots: Map<string, BotFacts>;
  /** By bot id: since when it has waited, in µs. */
  waits: Map<string, { since: number; version: string }>;
  /** By match id. */
  seats: Map<string, readonly string[]>;
  /** By bot id: its last match. */
  last: Map<string, Ended>;
  /** Bots whose connection has ended, until they are heard from again. */
  gone: Set<string>;
  /** By both bot ids: the end of their last match. */
  met: Map<string, number>;
};

export function watchPairs(): Watch {
  const facts: Facts = {
    bots: new Map(),
    waits: new Map(),
    seats: new Map(),
    last: new Map(),
    gone: new Set(),
    met: new Map(),
  };
  return {
    name: "no forbidden pair",
    on: {
      registered: ({ bot }) => void facts.bots.set(bot.id, bot),
      told: ({ about, botId, text }, { at }) => {
        // A bot that left and came back only has to wait for the hold.
        if (facts.gone.delete(botId)) facts.last.delete(botId);
        if (about === "queued") noteQueued(facts, botId, text, at);
      },
      left: ({ botId, isGone }) => {
        facts.waits.delete(botId);
        if (isGone) facts.gone.add(botId);
      },
      started: ({ matchId, botIds }, { at }) => {
        facts.seats.set(matchId, botIds);
        return forbidden(facts, botIds, at);
      },
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
  const { version } = JSON.parse(text) as { version: string };
  if (waits.get(botId)?.version !== version) waits.set(botId, { since: at, version });
}

function noteEnd({ seats, last, met }: Facts, matchId: MatchId, at: number): void {
  const botIds = seats.get(matchId);
  if (botIds === undefined) return;
  seats.delete(matchId);
  const [one, other] = bothOf(botIds);
  last.set(one, { at, opponent: other });
  last.set(other, { at, opponent: one });
  met.set(keyOf(botIds), at);
}

const keyOf = (botIds: readonly BotId[]): string => botIds.toSorted().join(" ");

function forbidden(facts: Facts, botIds: readonly BotId[], at: number): string | null {
  const [one, other] = botIds.map((id) => facts.bots.get(id));
  if (one === undefined || other === undefined) return `${botIds.join(" ")}: an unknown bot plays`;
  const names = `${one.name} meets ${other.name}`;
  const rested = botIds.map((id) => at - (facts.waits.get(id)?.since ?? at));
  for (const id of botIds) facts.waits.delete(id);
  if (one.id === other.id || ownerFold(one.owner) === ownerFold(other.owner))
    return `${names}, of the same owner`;
  if (one.house && other.house) return `${names}, both of the house`;
  const since = at - (facts.met.get(keyOf(botIds)) ?? -Infinity);
  if (since < HOLD) return `${names} again after ${since} µs`;
  const wasLast = facts.last.get(one.id)?.opponent === other.id;
  const shorter = Math.min(...rested);
  if (wasLast && shorter < HOLD) return `${names} again, having waited ${shorter} µs`;
  return null;
}
