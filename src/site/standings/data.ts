// Data of a ladder's pages: home, standings, results and the list of ladders.

import type { EventView } from "#core/api/event.ts";
import type { Ladder, LadderResults } from "#core/api/ladder-results.ts";
import type { Match } from "#core/api/match.ts";
import type { Season, SeasonResults } from "#core/api/season.ts";
import type { StandingsPage } from "#core/api/standings-page.ts";
import type { CurrentEvent, RegistrationMode, SignInInfo } from "#site/events/data.ts";

export type HomeData = {
  /** The top ranks. */
  standings: StandingsPage;
  /** The latest matches. */
  matches: Match[];
  registration: RegistrationMode;
  /** Public base URL without a trailing slash. */
  base_url: string;
  /** Rated games required to be ranked. */
  qualifying_games: number;
  /** Other current or upcoming ladders and events. */
  currentEvents: readonly CurrentEvent[];
  /** Server time of the data, Unix ms. */
  now: number;
};

/** Query parameters of the standings, for the page and the API. */
export type StandingsFilter = {
  q?: string | undefined;
  owner?: string | undefined;
  show?: string | undefined;
  online?: string | undefined;
};

export type LadderData = SignInInfo & {
  registration: RegistrationMode;
  ladder: Ladder;
  /** All listed ladders, for links between them. */
  ladders: Ladder[];
  /** The season; null on a ladder without seasons. */
  season: Season | null;
  /** Newest first; empty on a ladder without seasons. */
  seasons: Season[];
  /** Events on this ladder. */
  events: readonly EventView[];
  filter: StandingsFilter;
  /** The requested bot. */
  requestedBot: string | null;
  standings: StandingsPage;
  qualifying_games: number;
  now: number;
};

export type ResultsData =
  | { scopeType: "season"; results: SeasonResults; seasons: Season[]; now: number }
  | { scopeType: "ladder"; results: LadderResults; seasons: Season[]; now: number };

/** Number of ranks on the home page. */
export const HOME_STANDINGS_ROWS = 10;

/** Matches to choose from, and to show, on the home page. */
export const RECENT_MATCHES = 8;

/** Rows per page of the standings. */
export const STANDINGS_PAGE_SIZE = 50;
