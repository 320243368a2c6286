// Nobody is stuck: matches end, their results are stored, and the arena knows no other matches than
// those that were started.

import { MINUTE } from "#base/units/time.ts";

import type { Looked, Moment, Watch } from "./watch.ts";

/** The longest match with silent bots, in µs. */
const LONGEST_MATCH = 20 * MINUTE;
/** The longest that a result may wait for a working store. */
const LONGEST_SAVE = MINUTE;

type Facts = {
  /** µs, by match id: made; rated. */
  running: Map<string, number>;
  rated: Map<string, number>;
  /** µs, by match id of a practice game: made. */
  practised: Map<string, number>;
  /** When the store, or the server itself, was last seen to fail, in µs. */
  lastTrouble: number;
};

export function watchProgress(): Watch {
  const facts: Facts = {
    running: new Map(),
    rated: new Map(),
    practised: new Map(),
    lastTrouble: 0,
  };
  const noteTrouble = (_: unknown, { at }: Moment) => {
    facts.lastTrouble = at;
  };
  return {
    name: "nobody is stuck",
    on: {
      started: ({ matchId }, { at }) => void facts.running.set(matchId, at),
      practised: ({ matchId }, { at }) => void facts.practised.set(matchId, at),
      rated: ({ game }, { at }) => void facts.rated.set(game.matchId, at),
      confirmed: ({ matchId }) => {
        facts.running.delete(matchId);
        facts.practised.delete(matchId);
        facts.rated.delete(matchId);
      },
      killed: () => {
        facts.running.clear();
        facts.practised.clear();
        facts.rated.clear();
      },
      booted: noteTrouble,
      stalled: noteTrouble,
      looked: (looked, { at }) => {
        if (looked.storeFails) facts.lastTrouble = at;
        return overdue(facts, at) ?? unknown(facts, looked);
      },
      finished: () => {
        const left = facts.running.size + facts.practised.size;
        return left === 0 ? null : `${left} matches never end`;
      },
    },
  };
}

function overdue(facts: Facts, at: number): string | null {
  const { running, practised, rated, lastTrouble } = facts;
  for (const [id, since] of [...running, ...practised])
    if (at - Math.max(since, lastTrouble) > LONGEST_MATCH) return `${id} does not end`;
  for (const [id, since] of rated)
    if (at - Math.max(since, lastTrouble) > LONGEST_SAVE) return `${id} is over and not stored`;
  return null;
}

function unknown({ running, practised }: Facts, looked: Looked): string | null {
  if (looked.running !== running.size)
    return `the arena counts ${looked.running} matches, there are ${running.size}`;
  for (const { name, state, matchId } of looked.online)
    if (state === "playing" && !running.has(matchId ?? "") && !practised.has(matchId ?? ""))
      return `${name} plays no match`;
  return null;
}
