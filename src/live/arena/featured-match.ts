import type { LadderId, MatchId } from "#core/ids/ids.ts";
import { boardFor } from "#live/standings/season.ts";

import type { ArenaState } from "./arena-state.ts";
import type { RankedMatch } from "./session.ts";

/** Rating of a version that isn't on the board yet, for the choice only. */
const UNKNOWN_RATING = 0;

/**
 * Returns the ranked match that spectators of a ladder should see, or null while none is running:
 * the match whose weaker bot has the highest rating, which favours strong and close matches. Among
 * equals, the match that started last. Skips matches that are starting up or already decided.
 */
export function pickFeaturedMatch(arena: ArenaState, ladderId: LadderId): MatchId | null {
  let best: { id: MatchId; rating: number } | null = null;
  for (const match of arena.rankedMatches.values()) {
    if (match.ladderId !== ladderId || match.runner.state.phase.name !== "playing") continue;
    const rating = lowerRating(arena, match);
    if (best === null || rating >= best.rating) best = { id: match.id, rating };
  }
  return best?.id ?? null;
}

function lowerRating(arena: ArenaState, match: RankedMatch): number {
  const entries = boardFor(arena, match)?.entries();
  const ratings = match.versions.map(({ id }) => entries?.get(id)?.rating ?? UNKNOWN_RATING);
  return Math.min(...ratings);
}
