// Reads all matches of a competition page by page, newest first.

import { sure } from "#base/units/sure.ts";

import { SHAPES } from "./answers.ts";
import type { ListedMatch } from "./answers.ts";
import { countMatch, createCount, isLater } from "./count.ts";
import type { Count } from "./count.ts";
import { faultsOf } from "./fault.ts";
import type { MatchFault, ListedCompetition } from "./fault.ts";
import { Unreadable } from "./source.ts";
import type { Source } from "./source.ts";

/** Matches read so far, and the end of the oldest. */
export type Progress = { matches: number; back: string };

export type History = {
  /** Counts of matches so old that none can be added any more. */
  settled: Count;
  faults: MatchFault[];
  /** Matches that ended at this instant or later are not in `settled`. */
  since: string;
};

/** A match may be stored this long after others that ended later. */
const LATE_MS = 60_000;

/** More than any season has; a server that sends more is not believed. */
const MOST_MATCHES = 20_000_000;

/** Faults that are kept; one is enough to report. */
const MOST_FAULTS = 1000;

/** Reads everything once, so that later only what is new has to be read. */
export async function readHistory(
  source: Source,
  scope: ListedCompetition,
  pageSize: number,
  tell: (progress: Progress) => void,
): Promise<History> {
  const history: History = { settled: createCount(), faults: [], since: "" };
  let matches = 0;
  for await (const page of pagesOf(source, scope, pageSize)) {
    if (matches === 0) history.since = earlier(sure(page[0], "match").ended, LATE_MS);
    for (const match of page.filter(({ ended }) => ended < history.since)) {
      countMatch(history.settled, match);
      if (history.faults.length < MOST_FAULTS) history.faults.push(...faultsOf(match, scope));
    }
    matches += page.length;
    tell({ matches, back: sure(page.at(-1), "match").ended });
    if (matches > MOST_MATCHES) throw new Unreadable(`there are more than ${MOST_MATCHES} matches`);
  }
  return history;
}

/** The matches that ended at an instant or later, newest first. */
export async function readSince(
  source: Source,
  scope: ListedCompetition,
  pageSize: number,
  since: string,
): Promise<ListedMatch[]> {
  const matches: ListedMatch[] = [];
  for await (const page of pagesOf(source, scope, pageSize)) {
    matches.push(...page.filter(({ ended }) => ended >= since));
    if (sure(page.at(-1), "match").ended < since || matches.length > MOST_MATCHES) break;
  }
  return matches;
}

function earlier(instant: string, ms: number): string {
  return new Date(Date.parse(instant) - ms).toISOString();
}

/**
 * Pages with at least one match each, every match older than the previous one. Only an empty page
 * is the last: a server may list fewer matches than requested.
 */
async function* pagesOf(
  source: Source,
  scope: ListedCompetition,
  pageSize: number,
): AsyncGenerator<ListedMatch[]> {
  let last: ListedMatch | null = null;
  for (;;) {
    const answer = await source.find(pagePath(scope, pageSize, last), SHAPES.matches);
    if (answer === null) throw new Unreadable(`there is no ladder ${scope.ladder}`);
    const page: ListedMatch[] = answer.value;
    for (const match of page) {
      if (last !== null && !isLater(last, match))
        throw new Unreadable(`the list of matches is not in order: ${match.id} after ${last.id}`);
      last = match;
    }
    if (page.length === 0) return;
    yield page;
  }
}

function pagePath(
  { ladder, season }: ListedCompetition,
  limit: number,
  last: ListedMatch | null,
): string {
  const query = new URLSearchParams({ ladder, limit: String(limit) });
  if (season !== null) query.set("season", season.id);
  if (last !== null) query.set("before", last.id);
  return `/api/matches?${query.toString()}`;
}
