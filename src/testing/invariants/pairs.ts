// Excluded opponents never meet: bots with the same owner, two house bots, or the previous opponent
// during the rematch hold.

import { firstTwo } from "#base/util/assert-defined.ts";
import { SECOND_US } from "#base/util/time.ts";
import { normalizeOwner } from "#core/accounts/name-rules.ts";
import type { BotId, LadderId, MatchId } from "#core/ids/ids.ts";
import { DEFAULT_LADDER } from "#core/ladder/ladder.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";

import { createQueuePlaces } from "./queue-places.ts";
import type { QueuePlaces, QueuedMessage } from "./queue-places.ts";
import type { BotFacts, Watch } from "./watch.ts";

const REMATCH_HOLD = FIXED_LIMITS.rematch_hold_s * SECOND_US;

type LastMatch = { at: number; opponent: string };

type PairFacts = {
  bots: Map<string, BotFacts>;
  /** `since` is in µs. */
  queuePlaces: QueuePlaces<{ since: number; version: string }>;
  seats: Map<MatchId, { ladderId: LadderId; botIds: readonly BotId[] }>;
  lastMatches: Map<BotId, Map<LadderId, LastMatch>>;
  /** Bots that disconnected and haven't reconnected since. */
  disconnected: Set<string>;
  /** Time at which two bots' last match ended, by ladder and both bot ids. */
  lastMet: Map<string, number>;
};

export function watchPairs(): Watch {
  const facts: PairFacts = {
    bots: new Map(),
    queuePlaces: createQueuePlaces(),
    seats: new Map(),
    lastMatches: new Map(),
    disconnected: new Set(),
    lastMet: new Map(),
  };
  return {
    name: "no forbidden pairing",
    on: {
      registered: ({ bot }) => {
        facts.bots.set(bot.id, bot);
        facts.queuePlaces.addBot(bot);
      },
      owned: ({ bot }) => void facts.bots.set(bot.id, bot),
      told: ({ about, botId, text }, { at }) => {
        // After reconnecting, a bot may meet its last opponent again once the hold is over.
        if (facts.disconnected.delete(botId)) facts.lastMatches.delete(botId);
        if (about === "queued") recordQueued(facts, botId, text, at);
      },
      left: ({ botId, ladderId, isGone }) => {
        facts.queuePlaces.leave(botId, ladderId);
        if (isGone) facts.disconnected.add(botId);
      },
      started: ({ matchId, ladderId, botIds }, { at }) => {
        facts.seats.set(matchId, { ladderId, botIds });
        return checkPair(facts, ladderId, botIds, at);
      },
      practised: ({ botId }) => facts.queuePlaces.leave(botId, DEFAULT_LADDER),
      confirmed: ({ matchId }, { at }) => recordEnd(facts, matchId, at),
      killed: () => {
        facts.queuePlaces.clear();
        facts.seats.clear();
        facts.lastMatches.clear();
      },
    },
  };
}

/** A bot that sends `queue` again with the same version keeps its place. */
function recordQueued({ queuePlaces }: PairFacts, botId: BotId, text: string, at: number): void {
  const { version, ladder_id } = JSON.parse(text) as QueuedMessage;
  const keepsPlace = queuePlaces.get(botId, ladder_id)?.version === version;
  if (!keepsPlace) queuePlaces.enter(botId, ladder_id, { since: at, version });
}

function recordEnd({ seats, lastMatches, lastMet }: PairFacts, matchId: MatchId, at: number): void {
  const match = seats.get(matchId);
  if (match === undefined) return;
  seats.delete(matchId);
  const { ladderId, botIds } = match;
  const [a, b] = firstTwo(botIds);
  const lastOf = (id: BotId) => lastMatches.getOrInsertComputed(id, () => new Map());
  lastOf(a).set(ladderId, { at, opponent: b });
  lastOf(b).set(ladderId, { at, opponent: a });
  lastMet.set(pairKey(ladderId, botIds), at);
}

const pairKey = (ladderId: LadderId, botIds: readonly BotId[]): string =>
  [ladderId, ...botIds.toSorted()].join(" ");

function checkPair(
  facts: PairFacts,
  ladderId: LadderId,
  botIds: readonly BotId[],
  at: number,
): string | null {
  const [a, b] = botIds.map((id) => facts.bots.get(id));
  if (a === undefined || b === undefined) return `${botIds.join(" ")}: unknown bot`;
  const names = `${a.name} meets ${b.name}`;
  const waitTimes = botIds.map((id) => at - (facts.queuePlaces.get(id, ladderId)?.since ?? at));
  for (const id of botIds) facts.queuePlaces.leave(id, ladderId);
  if (a.id === b.id || normalizeOwner(a.owner) === normalizeOwner(b.owner))
    return `${names}, which have the same owner`;
  if (a.house && b.house) return `${names}, both house bots`;
  const since = at - (facts.lastMet.get(pairKey(ladderId, botIds)) ?? -Infinity);
  if (since < REMATCH_HOLD) return `${names} again after ${since} µs`;
  const wereLastOpponents = facts.lastMatches.get(a.id)?.get(ladderId)?.opponent === b.id;
  const shorterWait = Math.min(...waitTimes);
  if (wereLastOpponents && shorterWait < REMATCH_HOLD)
    return `${names} again, having waited ${shorterWait} µs`;
  return null;
}
