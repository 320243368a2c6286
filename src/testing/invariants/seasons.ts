// Seasons follow calendar months. A match counts in the season in which it started, archived
// standings never change, and exactly one season is live.

import { isDeepStrictEqual } from "node:util";

import { MINUTE_US } from "#base/util/time.ts";
import { hasSeasons } from "#core/ladder/ladder.ts";
import { PRESEASON, monthOf, seasonState } from "#core/ladder/season.ts";
import type { FinishedMatch } from "#data/store/match.ts";
import type { FinalStanding } from "#data/store/season.ts";

import { toStoredStanding } from "./stored-standing.ts";
import type { StoredStanding } from "./stored-standing.ts";
import type { ObservedState, Moment, Watch } from "./watch.ts";

/** Maximum delay in opening or archiving a season if nothing fails in the meantime, in µs. */
const OVERDUE_LIMIT = MINUTE_US;

type SeasonFacts = {
  newest: string;
  /** By match id: the season that was live when the match started. */
  openSeasonAtStart: Map<string, string>;
  storedStandings: Map<string, readonly StoredStanding[]>;
  /** Time since which opening or archiving has been due; null if neither is due. */
  openDue: number | null;
  archiveDue: number | null;
};

export function watchSeasons(start: string): Watch {
  const facts: SeasonFacts = {
    newest: monthOf(start),
    openSeasonAtStart: new Map(),
    storedStandings: new Map(),
    openDue: null,
    archiveDue: null,
  };
  const clearDue = () => {
    facts.openDue = null;
    facts.archiveDue = null;
  };
  return {
    name: "seasons change on time and standings are final",
    on: {
      opened: ({ seasons }) => {
        for (const id of seasons) if (id > facts.newest) facts.newest = id;
      },
      started: ({ matchId, ladderId }, moment) => {
        if (!hasSeasons(ladderId)) return null;
        facts.openSeasonAtStart.set(matchId, facts.newest);
        return checkStart(facts, moment);
      },
      stored: ({ match }) => checkStored(facts, match),
      archived: ({ season, places }) => checkArchive(facts, season, places),
      killed: () => facts.openSeasonAtStart.clear(),
      booted: clearDue,
      stalled: clearDue,
      looked: (looked, moment) => checkLive(facts, looked) ?? checkOverdue(facts, looked, moment),
      standings: ({ bySeason }) => checkUnchanged(facts, bySeason),
      finished: () => (facts.archiveDue === null ? null : "a season was never archived"),
    },
  };
}

const monthAt = ({ wall }: Moment): string => monthOf(new Date(wall).toISOString());

function checkStart({ newest }: SeasonFacts, moment: Moment): string | null {
  const month = monthAt(moment);
  return month > newest ? `a match starts in ${month}, which is not open` : null;
}

function checkStored(
  { openSeasonAtStart, storedStandings }: SeasonFacts,
  match: FinishedMatch,
): string | null {
  const season = openSeasonAtStart.get(match.id);
  if (season === undefined) return null;
  openSeasonAtStart.delete(match.id);
  if (match.season !== season) return `${match.id} of ${season} is stored in ${match.season}`;
  return storedStandings.has(season)
    ? `${match.id} is stored in ${season}, which is archived`
    : null;
}

function checkArchive(
  { storedStandings, newest }: SeasonFacts,
  season: string,
  places: readonly FinalStanding[],
) {
  if (storedStandings.has(season)) return `${season} is archived twice`;
  if (season >= newest) return `${season} is archived but is the newest`;
  storedStandings.set(season, places.map(toStoredStanding));
  return null;
}

function checkLive({ newest }: SeasonFacts, { live, seasons }: ObservedState): string | null {
  const states = seasons.map((season) => seasonState(season, newest));
  const count = states.filter((state) => state === "live").length;
  if (count !== 1) return `${count} seasons are live`;
  return live > newest ? `the arena plays in ${live}, which is not open` : null;
}

type Standings = ReadonlyMap<string, readonly FinalStanding[]>;

function checkUnchanged({ storedStandings }: SeasonFacts, bySeason: Standings): string | null {
  for (const [season, places] of bySeason) {
    if (season === PRESEASON) continue;
    const before = storedStandings.get(season);
    if (before === undefined || !isDeepStrictEqual(before, places.map(toStoredStanding)))
      return `the standings of ${season} differ from those written`;
  }
  return null;
}

function checkOverdue(facts: SeasonFacts, looked: ObservedState, moment: Moment): string | null {
  const { newest, openSeasonAtStart } = facts;
  const { storeFails, seasons, live } = looked;
  const isRunning = (season: string) =>
    openSeasonAtStart.values().some((startSeason) => startSeason === season);
  const closed = seasons.filter(({ id, archivedAt }) => archivedAt === null && id !== newest);
  const isOpenDue = monthAt(moment) > newest || live !== newest;
  const isArchiveDue = closed.some(({ id }) => !isRunning(id));
  const dueSince = (due: boolean, before: number | null) =>
    due && !storeFails ? (before ?? moment.at) : null;
  facts.openDue = dueSince(isOpenDue, facts.openDue);
  facts.archiveDue = dueSince(isArchiveDue, facts.archiveDue);
  if (moment.at - (facts.openDue ?? moment.at) > OVERDUE_LIMIT)
    return `no season opens after ${live}`;
  if (moment.at - (facts.archiveDue ?? moment.at) > OVERDUE_LIMIT)
    return `${closed.map(({ id }) => id).join(", ")} is not archived`;
  return null;
}
