// Seasons change with the month: a match counts in the season in which it started, stored standings
// never change, and there is always exactly one season to play in.

import { isDeepStrictEqual } from "node:util";

import { MINUTE } from "#base/units/time.ts";
import { hasSeasons } from "#core/ladder/ladder.ts";
import { PRESEASON, monthOf, seasonState } from "#core/ladder/season.ts";
import type { FinishedMatch } from "#data/store/match.ts";
import type { FinalStanding } from "#data/store/season.ts";

import { lasting } from "./lasting.ts";
import type { Lasting } from "./lasting.ts";
import type { Looked, Moment, Watch } from "./watch.ts";

/** How long a season may be due to open or to be archived while nothing else is wrong. */
const PATIENCE = MINUTE;

type Facts = {
  /** The newest season that is open. */
  newest: string;
  /** By match id: the season that was open when it started. */
  started: Map<string, string>;
  written: Map<string, readonly Lasting[]>;
  /** Since when a season has been due to open, and one to be archived; null if none is. */
  openDue: number | null;
  archiveDue: number | null;
};

export function watchSeasons(start: string): Watch {
  const facts: Facts = {
    newest: monthOf(start),
    started: new Map(),
    written: new Map(),
    openDue: null,
    archiveDue: null,
  };
  const rest = () => {
    facts.openDue = null;
    facts.archiveDue = null;
  };
  return {
    name: "seasons turn and stay",
    on: {
      opened: ({ seasons }) => {
        for (const id of seasons) if (id > facts.newest) facts.newest = id;
      },
      started: ({ matchId, ladderId }, moment) => {
        if (!hasSeasons(ladderId)) return null;
        facts.started.set(matchId, facts.newest);
        return startedBefore(facts, moment);
      },
      stored: ({ match }) => belongs(facts, match),
      archived: ({ season, places }) => archive(facts, season, places),
      killed: () => facts.started.clear(),
      booted: rest,
      stalled: rest,
      looked: (looked, moment) => live(facts, looked) ?? overdue(facts, looked, moment),
      standings: ({ bySeason }) => frozen(facts, bySeason),
      finished: () => (facts.archiveDue === null ? null : "a season was never archived"),
    },
  };
}

const monthAt = ({ wall }: Moment): string => monthOf(new Date(wall).toISOString());

function startedBefore({ newest }: Facts, moment: Moment): string | null {
  const month = monthAt(moment);
  return month > newest ? `a match starts in ${month}, which is not open` : null;
}

function belongs({ started, written }: Facts, match: FinishedMatch): string | null {
  const season = started.get(match.id);
  if (season === undefined) return null;
  started.delete(match.id);
  if (match.season !== season) return `${match.id} of ${season} is stored in ${match.season}`;
  return written.has(season) ? `${match.id} is stored in ${season}, which is archived` : null;
}

function archive({ written, newest }: Facts, season: string, places: readonly FinalStanding[]) {
  if (written.has(season)) return `${season} is archived twice`;
  if (season >= newest) return `${season} is archived and is the newest`;
  written.set(season, places.map(lasting));
  return null;
}

function live({ newest }: Facts, { live, seasons }: Looked): string | null {
  const states = seasons.map((season) => seasonState(season, newest));
  const count = states.filter((state) => state === "live").length;
  if (count !== 1) return `${count} seasons are live`;
  return live > newest ? `the arena plays in ${live}, which is not open` : null;
}

type Standings = ReadonlyMap<string, readonly FinalStanding[]>;

function frozen({ written }: Facts, bySeason: Standings): string | null {
  for (const [season, places] of bySeason) {
    if (season === PRESEASON) continue;
    const before = written.get(season);
    if (before === undefined || !isDeepStrictEqual(before, places.map(lasting)))
      return `the standings of ${season} are not those that were written`;
  }
  return null;
}

function overdue(facts: Facts, looked: Looked, moment: Moment): string | null {
  const { newest, started } = facts;
  const { storeFails, seasons, live } = looked;
  const isRunning = (season: string) => started.values().some((other) => other === season);
  const closed = seasons.filter(({ id, archivedAt }) => archivedAt === null && id !== newest);
  const isOpenDue = monthAt(moment) > newest || live !== newest;
  const isArchiveDue = closed.some(({ id }) => !isRunning(id));
  const since = (due: boolean, before: number | null) =>
    due && !storeFails ? (before ?? moment.at) : null;
  facts.openDue = since(isOpenDue, facts.openDue);
  facts.archiveDue = since(isArchiveDue, facts.archiveDue);
  if (moment.at - (facts.openDue ?? moment.at) > PATIENCE) return `no season opens after ${live}`;
  if (moment.at - (facts.archiveDue ?? moment.at) > PATIENCE)
    return `${closed.map(({ id }) => id).join(", ")} is not archived`;
  return null;
}
