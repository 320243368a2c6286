// Ratings as published on boards. The last digits of an incremental fit depend on the order of
// matches, but a restart must not change a board. Boards therefore fit the same counts from scratch
// in a canonical order.

import type { Competition } from "#core/ladder/season.ts";
import { canonicalCopy } from "#core/rating/canonical-copy.ts";
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

/** With more versions than this, a read only refreshes some of the deviations. */
export const FULL_PASS_VERSIONS = 200;
/** Number of deviations per part of the final pass. Computing them takes up to tens of ms. */
const DEVIATIONS_PER_PART = 40;

/**
 * Returns the ratings of all versions that have played. On a small board, every deviation is exact.
 * On a large board, a read only refreshes versions that played since the last read and a rotating
 * share of the rest; `isExact` tells whether all deviations are exact.
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
 * Runs one part of the final pass over a finished competition. Returns null until the pass is
 * complete, then the board with exact deviations.
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

/** Takes ratings from the canonical fit and deviations from `deviationSource`. */
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
