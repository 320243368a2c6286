// Nobody waits in vain: no longer than 90 s while there is anybody it may meet, and nobody is left
// out of the waves without being told.

import { MINUTE, SECOND } from "#base/units/time.ts";
import { DEFAULT_LADDER } from "#core/ladder/ladder.ts";
import type { BotId, LadderId } from "#core/words/ids.ts";
import { FIXED } from "#core/words/limits.ts";
import type { Limits } from "#core/words/limits.ts";
import type { Paired, WaveRequest } from "#live/matchmaker/matchmaker.ts";

import { freeBots, mayMeet } from "./allowed.ts";
import { openPlaces } from "./places.ts";
import type { Places, Queued } from "./places.ts";
import type { Watch } from "./watch.ts";

const LONGEST_WAIT_S = 90;
/** µs without a wave, or without a place in one, after which something is wrong. */
const PATIENCE = MINUTE;

/** µs. */
const PRACTICE_WAIT = FIXED.practice_wait_s * SECOND;

/** In µs: since when a bot waits on a ladder, and when it was last in a wave there. */
type Wait = { since: number; heeded: number };

type Facts = {
  limits: Limits;
  waiting: Places<Wait>;
  house: Set<BotId>;
  /** By bot id, in µs: until when a quota that it was told of may hold it back. */
  held: Map<BotId, number>;
  lastWaves: Map<LadderId, number>;
  lastTrouble: number;
};

export function watchWaits(limits: Limits): Watch {
  const facts: Facts = {
    limits,
    waiting: openPlaces(),
    house: new Set(),
    held: new Map(),
    lastWaves: new Map(),
    lastTrouble: 0,
  };
  const { waiting } = facts;
  return {
    name: "nobody waits in vain",
    on: {
      registered: ({ bot }) => {
        waiting.know(bot);
        if (bot.house) facts.house.add(bot.id);
      },
      told: ({ botId, about, text }, { at }) => hear(facts, botId, about, text, at),
      left: ({ botId, ladderId }) => waiting.leave(botId, ladderId),
      started: ({ botIds, ladderId }) => {
        for (const id of botIds) waiting.leave(id, ladderId);
      },
      // Such a bot is in no wave for as long as its wish may last.
      asked: ({ botId }, { at }) => {
        const { held } = facts;
        held.set(botId, Math.max(held.get(botId) ?? 0, at + PRACTICE_WAIT));
      },
      practised: ({ botId }) => waiting.leave(botId, DEFAULT_LADDER),
      wave: ({ request, paired }, { at }) => {
        facts.lastWaves.set(request.ladderId, at);
        for (const { botId } of request.waiting) {
          const wait = waiting.get(botId, request.ladderId);
          if (wait !== undefined) wait.heeded = at;
        }
        return leftOver(request, paired);
      },
      killed: () => waiting.clear(),
      booted: (_, { at }) => {
        facts.lastTrouble = at;
      },
      stalled: (_, { at }) => {
        facts.lastTrouble = at;
      },
      looked: ({ storeFails }, { at }) => {
        if (storeFails) facts.lastTrouble = at;
        return unheeded(facts, at);
      },
    },
  };
}

/** A bot that hears one of these waits no more: its ladder closed, or its next `queue` was refused. */
const DISMISSALS = [
  "invalid_version",
  "unknown_ladder",
  "version_retired",
  "version_limit",
  "ladder_closed",
  "enrollment_required",
].map((code) => `"code":"${code}"`);

/** A bot that is told of a quota is told again every so often as long as it is held back. */
function hear(facts: Facts, id: BotId, about: string, text: string, at: number): void {
  const { waiting, held, limits } = facts;
  if (about === "queued") {
    const { ladder_id } = JSON.parse(text) as Queued;
    if (waiting.get(id, ladder_id) === undefined)
      waiting.take(id, ladder_id, { since: at, heeded: 0 });
  } else if (about === "error" && text.includes('"quota_exceeded"'))
    held.set(id, at + limits.quota_notice_every_s * SECOND);
  else if (about === "error" && DISMISSALS.some((code) => text.includes(code)))
    waiting.leave(id, null);
}

function unheeded(facts: Facts, at: number): string | null {
  const { waiting, held, limits, lastTrouble } = facts;
  if (at - lastTrouble < PATIENCE) return null;
  const patience = PATIENCE + limits.match_interval_s * SECOND;
  const overlooked = waiting.all().filter(({ botId, facts: { since, heeded } }) => {
    const latest = Math.max(since, heeded, held.get(botId) ?? 0, lastTrouble);
    return at - latest > patience;
  });
  for (const [ladderId, here] of Map.groupBy(overlooked, (place) => place.ladderId)) {
    // One bot alone gets no wave, and needs none; nor does the house.
    const areWavesDue = at - (facts.lastWaves.get(ladderId) ?? 0) < PATIENCE || here.length > 1;
    if (areWavesDue && here.some(({ botId }) => !facts.house.has(botId)))
      return `left out of the waves of ${ladderId}: ${here.map(({ botId }) => botId).join(", ")}`;
  }
  return null;
}

function leftOver(request: WaveRequest, paired: readonly Paired[]): string | null {
  const { starts, waiting } = request;
  if (paired.length >= starts.length) return null;
  const taken = new Set(paired.flatMap(({ botIds }) => botIds));
  const left = freeBots(request).filter(({ botId }) => !taken.has(botId));
  for (const one of left) {
    if (one.waitSeconds <= LONGEST_WAIT_S) continue;
    const other = left.find((bot) => mayMeet(request, one, bot));
    if (other !== undefined)
      return `${one.botId} has waited ${one.waitSeconds} s, and ${other.botId} waits too, of ${waiting.length}`;
  }
  return null;
}
