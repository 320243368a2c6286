// Reads all matches in a competition page by page, newest first.

import { assertDefined } from "#base/util/assert-defined.ts";

import { addMatchToCount, createMatchCount, endedLater } from "./match-count.ts";
import type { MatchCount } from "./match-count.ts";
import { findMatchProblems } from "./match-problems.ts";
import type { MatchProblem, ListedCompetition } from "./match-problems.ts";
import { RESPONSE_SCHEMAS } from "./response-schemas.ts";
import type { ListedMatch } from "./response-schemas.ts";
import { UnreadableSourceError } from "./source.ts";
import type { LadderSource } from "./source.ts";

/** Number of matches read so far, and the end time of the oldest. */
export type HistoryProgress = { matches: number; oldestEnd: string };

export type MatchHistory = {
  /** Counts matches that are so old that no earlier match can still appear. */
  settledCount: MatchCount;
  faults: MatchProblem[];
  /** Matches that ended at or after this time aren't in `settledCount`. */
  since: string;
};

/** Maximum delay with which a match may be stored after matches that ended later, in ms. */
const MAX_STORE_DELAY_MS = 60_000;

/** More than any season has. A server that lists more is rejected. */
const MAX_MATCHES = 20_000_000;

const MAX_FAULTS = 1000;

/** Reads everything once, so that later only new matches need to be read. */
export async function readMatchHistory(
  source: LadderSource,
  scope: ListedCompetition,
  pageSize: number,
  reportProgress: (progress: HistoryProgress) => void,
): Promise<MatchHistory> {
  const history: MatchHistory = { settledCount: createMatchCount(), faults: [], since: "" };
  let matches = 0;
  for await (const page of readPages(source, scope, pageSize)) {
    if (matches === 0)
      history.since = subtractMs(assertDefined(page[0], "match").ended, MAX_STORE_DELAY_MS);
    for (const match of page.filter(({ ended }) => ended < history.since)) {
      addMatchToCount(history.settledCount, match);
      if (history.faults.length < MAX_FAULTS)
        history.faults.push(...findMatchProblems(match, scope));
    }
    matches += page.length;
    reportProgress({ matches, oldestEnd: assertDefined(page.at(-1), "match").ended });
    if (matches > MAX_MATCHES)
      throw new UnreadableSourceError(`there are more than ${MAX_MATCHES} matches`);
  }
  return history;
}

/** Returns the matches that ended at or after a given time, newest first. */
export async function readMatchesSince(
  source: LadderSource,
  scope: ListedCompetition,
  pageSize: number,
  since: string,
): Promise<ListedMatch[]> {
  const matches: ListedMatch[] = [];
  for await (const page of readPages(source, scope, pageSize)) {
    matches.push(...page.filter(({ ended }) => ended >= since));
    if (assertDefined(page.at(-1), "match").ended < since || matches.length > MAX_MATCHES) break;
  }
  return matches;
}

function subtractMs(instant: string, ms: number): string {
  return new Date(Date.parse(instant) - ms).toISOString();
}

/**
 * Yields pages with at least one match each. Each match must be older than the previous one. Only
 * an empty page is the last page, because a server may list fewer matches than requested.
 */
async function* readPages(
  source: LadderSource,
  scope: ListedCompetition,
  pageSize: number,
): AsyncGenerator<ListedMatch[]> {
  let lastMatch: ListedMatch | null = null;
  for (;;) {
    const response = await source.readIfPresent(
      pagePath(scope, pageSize, lastMatch),
      RESPONSE_SCHEMAS.matches,
    );
    if (response === null) throw new UnreadableSourceError(`there is no ladder ${scope.ladder}`);
    const page: ListedMatch[] = response.value;
    for (const match of page) {
      if (lastMatch !== null && !endedLater(lastMatch, match))
        throw new UnreadableSourceError(
          `the list of matches is out of order: ${match.id} after ${lastMatch.id}`,
        );
      lastMatch = match;
    }
    if (page.length === 0) return;
    yield page;
  }
}

function pagePath(
  { ladder, season }: ListedCompetition,
  limit: number,
  lastMatch: ListedMatch | null,
): string {
  const query = new URLSearchParams({ ladder, limit: String(limit) });
  if (season !== null) query.set("season", season.id);
  if (lastMatch !== null) query.set("before", lastMatch.id);
  return `/api/matches?${query.toString()}`;
}
