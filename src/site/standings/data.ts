// The data of the pages about a ladder: its front page, its standings, its results, all ladders.

import type { EventView } from "#core/resources/event.ts";
import type { Ladder, LadderResults } from "#core/resources/ladder-results.ts";
import type { Match } from "#core/resources/match.ts";
import type { Season, SeasonResults } from "#core/resources/season.ts";
import type { StandingsPage } from "#core/resources/standings.ts";
import type { Occasion, Registration, SignInPlace } from "#site/events/data.ts";

export type HomeData = {
  /** The first places. */
  standings: StandingsPage;
  /** The newest ones. */
  matches: Match[];
  registration: Registration;
  /** Public address without a trailing slash. */
  base_url: string;
  /** Rated games needed to be ranked. */
  qualifying_games: number;
  /** Other ladders and events that are on now, or come next. */
  occasions: readonly Occasion[];
  /** The server's clock when the rest was read, in ms since 1970. */
  now: number;
};

/** Query parameters of the standings, as they are asked of the page and of the API. */
export type StandingsFilter = {
  q?: string | undefined;
  owner?: string | undefined;
  show?: string | undefined;
  online?: string | undefined;
};

export type LadderData = SignInPlace & {
  registration: Registration;
  ladder: Ladder;
  /** All that are listed, for links from one to another. */
  ladders: Ladder[];
  /** Whose standings these are; null on a ladder without seasons. */
  season: Season | null;
  /** Newest first; none on a ladder without seasons. */
  seasons: Season[];
  /** Those on this ladder. */
  events: readonly EventView[];
  filter: StandingsFilter;
  /** A bot that the page was asked for. */
  sought: string | null;
  standings: StandingsPage;
  qualifying_games: number;
  now: number;
};

export type ResultsData =
  | { of: "season"; results: SeasonResults; seasons: Season[]; now: number }
  | { of: "ladder"; results: LadderResults; seasons: Season[]; now: number };

/** Places on the front page. */
export const TOP_PLACES = 10;

/** Matches that the front page chooses from, and shows. */
export const RECENT_MATCHES = 8;

/** Rows of a page of the standings. */
export const PLACES_A_PAGE = 50;
