// Ratings as shown on boards. An incremental fit depends on the order of the matches in its last
// digits, but a board must survive a restart unchanged. So boards fit the same counts from scratch
// in canonical order.

import type { Competition } from "#core/ladder/season.ts";
import { canonicalCopy } from "#core/rating/canonical.ts";
import { versionResults } from "#core/rating/competition-results.ts";
import {
  areDeviationsExact,
  exactDeviations,
  refreshDeviations,
  cachedDeviation,
} from "#core/rating/deviation.ts";
import { ratingOf } from "#core/rating/fit.ts";
import type { CompetitionResults } from "#core/rating/types.ts";

import { deviationsPerRead } from "./board-refresh.ts";
import { stateOf } from "./competition.ts";
import type { CompetitionState, Competitions } from "./competition.ts";
import type { BoardPage } from "./matchmaker.ts";

/** Above this many versions, a board refreshes only some deviations per read. */
export const FULL_PASS_VERSIONS = 200;
/** Deviations made exact in one part of the final pass; takes up to tens of ms. */
const DEVIATIONS_PER_PART = 40;

/**
 * Returns the ratings of all versions that have played. With few versions, every deviation is
 * exact. With many, only those of versions that played since the last read and of a rotating share.
 * The page says whether all are exact.
 */
export function readBoardPage(competitions: Competitions, competition: Competition): BoardPage {
  const state = stateOf(competitions, competition);
  const { results, unreadVersions } = state;
  if (results.versions.length <= FULL_PASS_VERSIONS) {
    const canonical = canonicalResults(state);
    exactDeviations(canonical);
    unreadVersions.clear();
    return boardPageOf(state, canonical);
  }
  refreshDeviations(results, deviationsPerRead(results.versions.length), unreadVersions);
  unreadVersions.clear();
  return boardPageOf(state, results);
}

/**
 * Runs one part of the final pass over a finished competition. Returns null until the last part,
 * then the board with exact deviations.
 */
export function computeFinalBoard(
  competitions: Competitions,
  competition: Competition,
): BoardPage | null {
  const state = stateOf(competitions, competition);
  const canonical = canonicalResults(state);
  refreshDeviations(canonical, DEVIATIONS_PER_PART);
  return areDeviationsExact(canonical) ? boardPageOf(state, canonical) : null;
}

/** Uses canonical ratings, and deviations from `deviationSource`. */
function boardPageOf(state: CompetitionState, deviationSource: CompetitionResults): BoardPage {
  const { playedVersions, sequence, results } = state;
  const canonical = canonicalResults(state);
  const boardLines = [...playedVersions].map(([versionId, { botId, last }]) => ({
    botId,
    versionId,
    rating: ratingOf(canonical, versionId),
    deviation: cachedDeviation(deviationSource, versionId),
    ...versionResults(results, versionId),
    ...last,
  }));
  return {
    lastSequence: sequence,
    isExact: areDeviationsExact(deviationSource),
    lines: boardLines,
  };
}

function canonicalResults(state: CompetitionState): CompetitionResults {
  state.canonical ??= canonicalCopy(state.results);
  return state.canonical;
}
