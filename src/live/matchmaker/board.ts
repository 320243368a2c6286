// The ratings that everybody sees. The last digits of a fit that goes from game to game depend on
// the order of the games; a board must be the same after a restart. So boards show a fit of the
// same counts in canonical order, started from nothing.

import type { Competition } from "#core/ladder/season.ts";
import { canonicalCopy } from "#core/rating/canonical.ts";
import { tally } from "#core/rating/competition-results.ts";
import {
  areDeviationsExact,
  deviations,
  refreshDeviations,
  rememberedDeviation,
} from "#core/rating/deviation.ts";
import { rating } from "#core/rating/fit.ts";
import type { CompetitionResults } from "#core/rating/types.ts";

import { stateOf } from "./competition.ts";
import type { CompetitionState, Competitions } from "./competition.ts";
import type { BoardPage } from "./matchmaker.ts";
import { refreshedAtOnce } from "./refresh.ts";

/** Above this many versions a board refreshes some deviations instead of all. */
export const FULL_PASS_VERSIONS = 200;
/** Deviations that one part of the last pass makes exact: tens of milliseconds at most. */
const SETTLED_AT_ONCE = 40;

/**
 * Ratings of every version that has played. With few versions every deviation is exact; with many,
 * only those of versions that have played since the last reading and of some others in turn. The
 * page says whether all are exact.
 */
export function boardOf(competitions: Competitions, competition: Competition): BoardPage {
  const state = stateOf(competitions, competition);
  const { scope, unread } = state;
  if (scope.versions.length <= FULL_PASS_VERSIONS) {
    const canonical = canonicalScope(state);
    deviations(canonical);
    unread.clear();
    return pageOf(state, canonical);
  }
  refreshDeviations(scope, refreshedAtOnce(scope.versions.length), unread);
  unread.clear();
  return pageOf(state, scope);
}

/**
 * Runs one part of a full pass over a competition that is over. Null until the last part, then the
 * board with every deviation exact.
 */
export function settleBoard(
  competitions: Competitions,
  competition: Competition,
): BoardPage | null {
  const state = stateOf(competitions, competition);
  const canonical = canonicalScope(state);
  refreshDeviations(canonical, SETTLED_AT_ONCE);
  return areDeviationsExact(canonical) ? pageOf(state, canonical) : null;
}

/** Ratings are the canonical ones; deviations are those remembered in `remembering`. */
function pageOf(state: CompetitionState, remembering: CompetitionResults): BoardPage {
  const { played, sequence, scope } = state;
  const canonical = canonicalScope(state);
  const lines = [...played].map(([versionId, { botId, last }]) => ({
    botId,
    versionId,
    rating: rating(canonical, versionId),
    deviation: rememberedDeviation(remembering, versionId),
    ...tally(scope, versionId),
    ...last,
  }));
  return { upTo: sequence, isExact: areDeviationsExact(remembering), lines };
}

function canonicalScope(state: CompetitionState): CompetitionResults {
  state.canonical ??= canonicalCopy(state.scope);
  return state.canonical;
}
