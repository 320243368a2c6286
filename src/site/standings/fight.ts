// The bout on the front page: one that is being fought, or one that was.

import type { Match } from "#core/resources/match.ts";
import type { Activity, RunningFight } from "#core/resources/standings.ts";

import { mostWatchable } from "./worth.ts";

export type Corner = {
  name: string;
  display: string;
  avatar: string | null;
  house: boolean;
  /** "rank 3", a rating, or nothing. */
  facts: string;
};

export type FeaturedFight = {
  id: string;
  map: string;
  /** In seat order. */
  corners: Corner[];
  /** Null once it is over. */
  tick: number | null;
  /** Null while it goes on, and until it is stored. */
  match: Match | null;
  /** When it was seen to be over, in ms since 1970. */
  over: number | null;
};

/** A bout stays this long after its end before another takes its place. */
const STAYS_MS = 10_000;

type News = { now: Activity | null; matches: readonly Match[]; clock: number };

/** The bout to show: the last one for as long as it goes on and a little longer. */
export function nextFight(
  last: FeaturedFight | null,
  { now, matches, clock }: News,
): FeaturedFight | null {
  const running = now?.running ?? [];
  if (last !== null && last.over === null) return followed(last, running, matches, clock);
  const isNew = last === null || last.over === null || clock - last.over > STAYS_MS;
  const [first] = running;
  if (first !== undefined && isNew) return runningFight(first);
  if (last !== null) return last.match === null ? stored(last, matches) : last;
  const newest = mostWatchable(matches);
  return newest === undefined ? null : pastFight(newest, clock);
}

function followed(
  last: FeaturedFight,
  running: readonly RunningFight[],
  matches: readonly Match[],
  clock: number,
): FeaturedFight {
  const still = running.find(({ id }) => id === last.id);
  if (still !== undefined) return { ...last, tick: still.tick };
  return { ...stored(last, matches), tick: null, over: clock };
}

/** With its result, once that is among the stored ones. */
const stored = (last: FeaturedFight, matches: readonly Match[]): FeaturedFight => ({
  ...last,
  match: matches.find(({ id }) => id === last.id) ?? null,
});

function runningFight({ id, map, tick, bots }: RunningFight): FeaturedFight {
  const corners = bots.map(({ name, display_name: display, avatar, house, rank, rating }) => {
    const facts = rank === null ? "not ranked yet" : `rank ${rank}, rated ${rating}`;
    return { name, display, avatar, house, facts };
  });
  return { id, map, corners, tick, match: null, over: null };
}

function pastFight(match: Match, clock: number): FeaturedFight {
  const corners = match.bots.map(({ name, display_name: display, avatar, house, ...bot }) => {
    const facts = bot.rating_before === undefined ? "" : `rated ${bot.rating_before}`;
    return { name, display, avatar, house, facts };
  });
  // It was over long ago: the next one that begins may take its place at once.
  const over = clock - STAYS_MS;
  return { id: match.id, map: match.map, corners, tick: null, match, over };
}
