// Selects the home page's featured match, running or ended.

import type { Match } from "#core/api/match.ts";
import type { ActivitySummary, RunningMatchSummary } from "#core/api/standings-page.ts";

import { mostWatchable } from "./watchability.ts";

export type FeaturedCorner = {
  name: string;
  displayName: string;
  avatar: string | null;
  house: boolean;
  /** For example, "rank 3" or "rated 1500". Can be empty. */
  ratingText: string;
};

export type FeaturedMatch = {
  id: string;
  map: string;
  corners: FeaturedCorner[];
  /** Null once the match has ended. */
  tick: number | null;
  /** Null until the match has ended and is stored. */
  match: Match | null;
  /** When the page noticed the end, in Unix ms. Null while the match is running. */
  endedMs: number | null;
};

/** How long a match stays featured after it ended. */
const DISPLAY_AFTER_END_MS = 10_000;

type FeaturedMatchInput = { now: ActivitySummary | null; matches: readonly Match[]; nowMs: number };

/** Returns the match to feature. Keeps the current match until shortly after its end. */
export function nextFeaturedMatch(
  current: FeaturedMatch | null,
  { now, matches, nowMs }: FeaturedMatchInput,
): FeaturedMatch | null {
  const running = now?.running ?? [];
  if (current !== null && current.endedMs === null)
    return updateFeatured(current, running, matches, nowMs);
  const canReplace =
    current === null || current.endedMs === null || nowMs - current.endedMs > DISPLAY_AFTER_END_MS;
  const [firstRunning] = running;
  if (firstRunning !== undefined && canReplace) return featuredFromRunning(firstRunning);
  if (current !== null)
    return current.match === null ? withStoredResult(current, matches) : current;
  const mostWatchableMatch = mostWatchable(matches);
  return mostWatchableMatch === undefined ? null : featuredFromStored(mostWatchableMatch, nowMs);
}

function updateFeatured(
  current: FeaturedMatch,
  running: readonly RunningMatchSummary[],
  matches: readonly Match[],
  nowMs: number,
): FeaturedMatch {
  const runningMatch = running.find(({ id }) => id === current.id);
  if (runningMatch !== undefined) return { ...current, tick: runningMatch.tick };
  return { ...withStoredResult(current, matches), tick: null, endedMs: nowMs };
}

const withStoredResult = (current: FeaturedMatch, matches: readonly Match[]): FeaturedMatch => ({
  ...current,
  match: matches.find(({ id }) => id === current.id) ?? null,
});

function featuredFromRunning({ id, map, tick, bots }: RunningMatchSummary): FeaturedMatch {
  const corners = bots.map(({ name, display_name: displayName, avatar, house, rank, rating }) => {
    const ratingText = rank === null ? "not ranked yet" : `rank ${rank}, rated ${rating}`;
    return { name, displayName, avatar, house, ratingText };
  });
  return { id, map, corners, tick, match: null, endedMs: null };
}

function featuredFromStored(match: Match, nowMs: number): FeaturedMatch {
  const corners = match.bots.map(({ name, display_name: displayName, avatar, house, ...bot }) => {
    const ratingText = bot.rating_before === undefined ? "" : `rated ${bot.rating_before}`;
    return { name, displayName, avatar, house, ratingText };
  });
  // The match ended long ago, so a running match can replace it immediately.
  const endedMs = nowMs - DISPLAY_AFTER_END_MS;
  return { id: match.id, map: match.map, corners, tick: null, match, endedMs };
}
