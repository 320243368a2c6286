// Nobody waits in vain: no longer than 90 s while there is anybody it may meet, and nobody is left
// out of the waves without being told.

import { MINUTE, SECOND } from "#base/units/time.ts";
import type { Limits } from "#core/words/limits.ts";
import type { Paired, WaveRequest } from "#live/matchmaker/matchmaker.ts";

import { mayMeet, readyBots } from "./allowed.ts";
import type { Watch } from "./watch.ts";

const LONGEST_WAIT_S = 90;
/** µs without a wave, or without a place in one, after which something is wrong. */
const PATIENCE = MINUTE;

type Facts = {
  limits: Limits;
  /** By bot id, in µs: since when it has waited, and when it was last in a wave or told why not. */
  waiting: Map<string, number>;
  heeded: Map<string, number>;
  lastWave: number;
  lastTrouble: number;
};

export function watchWaits(limits: Limits): Watch {
  const facts: Facts = {
    limits,
    waiting: new Map(),
    heeded: new Map(),
    lastWave: 0,
    lastTrouble: 0,
  };
  return {
    name: "nobody waits in vain",
    on: {
      told: ({ botId, about, text }, { at }) => hear(facts, botId, about, text, at),
      left: ({ botId }) => void facts.waiting.delete(botId),
      started: ({ botIds }) => {
        for (const id of botIds) facts.waiting.delete(id);
      },
      wave: ({ request, paired }, { at }) => {
        facts.lastWave = at;
        for (const { botId } of request.waiting) heed(facts, botId, at);
        return leftOver(request, paired);
      },
      killed: () => facts.waiting.clear(),
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

function heed({ heeded }: Facts, id: string, until: number): void {
  heeded.set(id, Math.max(until, heeded.get(id) ?? 0));
}

/** A bot that is told of a quota is told again regularly while it is held back. */
function hear(facts: Facts, id: string, about: string, text: string, at: number): void {
  const { waiting, limits } = facts;
  if (about === "queued") {
    if (!waiting.has(id)) waiting.set(id, at);
  } else if (about === "error" && text.includes('"quota_exceeded"'))
    heed(facts, id, at + limits.quota_notice_every_s * SECOND);
  else if (about === "error" && text.includes('"version_retired"')) waiting.delete(id);
}

function unheeded({ waiting, heeded, limits, lastTrouble, lastWave }: Facts, at: number) {
  if (at - lastTrouble < PATIENCE) return null;
  const patience = PATIENCE + limits.match_interval_s * SECOND;
  const overlooked = [...waiting]
    .filter(([id, since]) => at - Math.max(since, heeded.get(id) ?? 0, lastTrouble) > patience)
    .map(([id]) => id);
  // A bot that waits alone gets no wave, and needs none.
  const areWavesDue = at - lastWave < PATIENCE || overlooked.length > 1;
  return overlooked.length > 0 && areWavesDue
    ? `left out of the waves: ${overlooked.join(", ")}`
    : null;
}

function leftOver(request: WaveRequest, paired: readonly Paired[]): string | null {
  const { starts, waiting } = request;
  if (paired.length >= starts.length) return null;
  const taken = new Set(paired.flatMap(({ botIds }) => botIds));
  const left = readyBots(request).filter(({ botId }) => !taken.has(botId));
  for (const one of left) {
    if (one.waitSeconds <= LONGEST_WAIT_S) continue;
    const other = left.find((bot) => mayMeet(request, one, bot));
    if (other !== undefined)
      return `${one.botId} has waited ${one.waitSeconds} s, and ${other.botId} waits too, of ${waiting.length}`;
  }
  return null;
}
