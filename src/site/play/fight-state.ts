// Everything the page knows of a fight, and what each message changes.
import { parseGrid } from "#core/engine/grid.ts";
import type { Grid } from "#core/engine/grid.ts";

import type { FightEnd, Hello, Message, Seen } from "./messages.ts";
import { atTheEnd } from "./scene.ts";
import { newsOf } from "./words.ts";

type News = { tick: number; text: string };

export type FightState = {
  /** What the opponent is called. */
  foe: string;
  /** Null until the fight has begun. */
  hello: Hello | null;
  grid: Grid | null;
  /** The newest observation, and the one before it. */
  seen: Seen | null;
  previous: Seen | null;
  /** Oldest first. */
  news: readonly News[];
  end: FightEnd | null;
  /** Why there is no fight, or none any more. */
  trouble: string | null;
  isDraining: boolean;
};

/** As many as are shown. */
const MOST_NEWS = 5;

export const unopened = (foe: string): FightState => ({
  foe,
  hello: null,
  grid: null,
  seen: null,
  previous: null,
  news: [],
  end: null,
  trouble: null,
  isDraining: false,
});

export function heard(state: FightState, message: Message): FightState {
  switch (message.type) {
    case "hello": {
      const { name, rows } = message.map;
      return { ...state, hello: message, grid: parseGrid(name, rows) };
    }
    case "observation":
      return observed(state, message);
    case "end":
      return ended(state, message);
    case "error":
      return state.hello === null || message.code === "rate_limited"
        ? { ...state, trouble: message.message }
        : state;
    case "server_draining":
      return { ...state, isDraining: true };
  }
}

function observed(state: FightState, seen: Seen): FightState {
  const { hello, foe } = state;
  if (hello === null) return state;
  const sides = { me: hello.fighter, foe };
  const fresh = seen.events.flatMap((event) => {
    const text = newsOf(event, sides);
    return text === null ? [] : [{ tick: seen.tick - 1, text }];
  });
  const news = [...state.news, ...fresh].slice(-MOST_NEWS);
  return { ...state, seen, previous: state.seen, news };
}

/** A piece of news once more, unless it is the newest already: a key may be held for long. */
export function told(state: FightState, tick: number, text: string): FightState {
  if (state.news.at(-1)?.text === text) return state;
  return { ...state, news: [...state.news, { tick, text }].slice(-MOST_NEWS) };
}

function ended(state: FightState, end: FightEnd): FightState {
  const { seen } = state;
  if (seen === null) return { ...state, end };
  return { ...state, end, seen: atTheEnd(seen, end), previous: null };
}

/** The socket has closed. After an end that is as it should be. */
export function closed(state: FightState): FightState {
  if (state.end !== null || state.trouble !== null) return state;
  return { ...state, trouble: troubleOf(state) };
}

function troubleOf({ hello, isDraining }: FightState): string {
  if (isDraining) return "The server restarts. Try again in a minute.";
  return hello === null
    ? "The server does not answer. Try again in a moment."
    : "The connection broke. Whoever leaves a fight gives it up, so this one is lost.";
}
