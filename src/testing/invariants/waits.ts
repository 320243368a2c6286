// A bot that has a possible opponent waits no longer than 90 s. Every waiting bot takes part in
// waves unless it was told why not.

import { MINUTE_US, SECOND_US } from "#base/util/time.ts";
import type { BotId, LadderId } from "#core/ids/ids.ts";
import { DEFAULT_LADDER } from "#core/ladder/ladder.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";
import type { Limits } from "#core/limits/limits.ts";
import type { PlannedMatch, WaveRequest } from "#live/matchmaker/matchmaker.ts";

import { freeBots, mayMeet } from "./allowed-pairs.ts";
import { createQueuePlaces } from "./queue-places.ts";
import type { QueuePlaces, QueuedMessage } from "./queue-places.ts";
import type { Watch } from "./watch.ts";

const MAX_WAIT_S = 90;
/** Maximum time between waves, and between waves that include a given waiting bot, in µs. */
const MAX_SILENCE = MINUTE_US;

/** µs. */
const PRACTICE_WAIT = FIXED_LIMITS.practice_wait_s * SECOND_US;

/** Time at which the bot joined the queue, and time of the last wave that included it, in µs. */
type QueueWait = { since: number; lastWaveAt: number };

type WaitFacts = {
  limits: Limits;
  waiting: QueuePlaces<QueueWait>;
  house: Set<BotId>;
  /**
   * By bot: the time until which a reported quota or a pending practice request may hold it back,
   * in µs.
   */
  heldUntil: Map<BotId, number>;
  lastWaves: Map<LadderId, number>;
  lastFailure: number;
};

export function watchWaits(limits: Limits): Watch {
  const facts: WaitFacts = {
    limits,
    waiting: createQueuePlaces(),
    house: new Set(),
    heldUntil: new Map(),
    lastWaves: new Map(),
    lastFailure: 0,
  };
  const { waiting } = facts;
  return {
    name: "no bot waits too long",
    on: {
      registered: ({ bot }) => {
        waiting.addBot(bot);
        if (bot.house) facts.house.add(bot.id);
      },
      told: ({ botId, about, text }, { at }) => recordMessage(facts, botId, about, text, at),
      left: ({ botId, ladderId }) => waiting.leave(botId, ladderId),
      started: ({ botIds, ladderId }) => {
        for (const id of botIds) waiting.leave(id, ladderId);
      },
      // Waves skip a bot with a practice request until the request may have expired.
      asked: ({ botId }, { at }) => {
        const { heldUntil } = facts;
        heldUntil.set(botId, Math.max(heldUntil.get(botId) ?? 0, at + PRACTICE_WAIT));
      },
      practised: ({ botId }) => waiting.leave(botId, DEFAULT_LADDER),
      wave: ({ request, pairings }, { at }) => {
        facts.lastWaves.set(request.ladderId, at);
        for (const { botId } of request.waiting) {
          const wait = waiting.get(botId, request.ladderId);
          if (wait !== undefined) wait.lastWaveAt = at;
        }
        return checkUnpaired(request, pairings);
      },
      killed: () => waiting.clear(),
      booted: (_, { at }) => {
        facts.lastFailure = at;
      },
      stalled: (_, { at }) => {
        facts.lastFailure = at;
      },
      looked: ({ storeFails }, { at }) => {
        if (storeFails) facts.lastFailure = at;
        return checkOverlooked(facts, at);
      },
    },
  };
}

const QUEUE_END_CODES = [
  "invalid_version",
  "unknown_ladder",
  "version_retired",
  "version_limit",
  "ladder_closed",
  "enrollment_required",
].map((code) => `"code":"${code}"`);

/** The server repeats the notice while a quota is holding a bot back. */
function recordMessage(facts: WaitFacts, id: BotId, about: string, text: string, at: number): void {
  const { waiting, heldUntil, limits } = facts;
  if (about === "queued") {
    const { ladder_id } = JSON.parse(text) as QueuedMessage;
    if (waiting.get(id, ladder_id) === undefined)
      waiting.enter(id, ladder_id, { since: at, lastWaveAt: 0 });
  } else if (about === "error" && text.includes('"quota_exceeded"'))
    heldUntil.set(id, at + limits.quota_notice_every_s * SECOND_US);
  else if (about === "error" && QUEUE_END_CODES.some((code) => text.includes(code)))
    waiting.leave(id, null);
}

function checkOverlooked(facts: WaitFacts, at: number): string | null {
  const { waiting, heldUntil, limits, lastFailure } = facts;
  if (at - lastFailure < MAX_SILENCE) return null;
  const maxWait = MAX_SILENCE + limits.match_interval_s * SECOND_US;
  const overlookedPlaces = waiting.entries().filter(({ botId, facts: { since, lastWaveAt } }) => {
    const latest = Math.max(since, lastWaveAt, heldUntil.get(botId) ?? 0, lastFailure);
    return at - latest > maxWait;
  });
  for (const [ladderId, ladderPlaces] of Map.groupBy(overlookedPlaces, (place) => place.ladderId)) {
    // No wave is needed if a single bot or only house bots are waiting on a ladder.
    const areWavesDue =
      at - (facts.lastWaves.get(ladderId) ?? 0) < MAX_SILENCE || ladderPlaces.length > 1;
    if (areWavesDue && ladderPlaces.some(({ botId }) => !facts.house.has(botId)))
      return `left out of the waves of ${ladderId}: ${ladderPlaces.map(({ botId }) => botId).join(", ")}`;
  }
  return null;
}

function checkUnpaired(request: WaveRequest, pairings: readonly PlannedMatch[]): string | null {
  const { starts, waiting } = request;
  if (pairings.length >= starts.length) return null;
  const pairedIds = new Set(pairings.flatMap(({ botIds }) => botIds));
  const unpairedBots = freeBots(request).filter(({ botId }) => !pairedIds.has(botId));
  for (const one of unpairedBots) {
    if (one.waitSeconds <= MAX_WAIT_S) continue;
    const possibleOpponent = unpairedBots.find((bot) => mayMeet(request, one, bot));
    if (possibleOpponent !== undefined)
      return `${one.botId} has waited ${one.waitSeconds} s while ${possibleOpponent.botId} waits too, among ${waiting.length} bots`;
  }
  return null;
}
