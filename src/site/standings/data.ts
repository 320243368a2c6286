import type { EventView } from "#core/api/event.ts";
import type { Ladder, LadderResults } from "#core/api/ladder-results.ts";
import type { Match } from "#core/api/match.ts";
import type { Season, SeasonResults } from "#core/api/season.ts";
import type { StandingsPage } from "#core/api/standings-page.ts";
import type { CurrentEvent, RegistrationMode, SignInInfo } from "#site/events/data.ts";

export type HomeData = {
  standings: StandingsPage;
  matches: Match[];
  registration: RegistrationMode;
  /** Public base URL without a trailing slash. */
  base_url: string;
  /** Rated games required for a rank. */
  qualifying_games: number;
  currentEvents: readonly CurrentEvent[];
  /** Server time when the data was loaded, in Unix ms. */
  now: number;
};

/** Query parameters shared by the standings page and its API. */
export type StandingsFilter = {
  q?: string | undefined;
  owner?: string | undefined;
  show?: string | undefined;
  online?: string | undefined;
};

export type LadderData = SignInInfo & {
  registration: RegistrationMode;
  ladder: Ladder;
  ladders: Ladder[];
  /** Null on a ladder without seasons. */
  season: Season | null;
  /** Newest first. Empty on a ladder without seasons. */
  seasons: Season[];
  events: readonly EventView[];
  filter: StandingsFilter;
  requestedBot: string | null;
  standings: StandingsPage;
  qualifying_games: number;
  now: number;
};

export type ResultsData =
  | { scopeType: "season"; results: SeasonResults; seasons: Season[]; now: number }
  | { scopeType: "ladder"; results: LadderResults; seasons: Season[]; now: number };

export const HOME_STANDINGS_ROWS = 10;

/** Number of latest matches from which the home page picks the ones to feature and list. */
export const RECENT_MATCHES = 8;

export const STANDINGS_PAGE_SIZE = 50;
