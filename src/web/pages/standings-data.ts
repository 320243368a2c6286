import type { ApiIndex } from "#core/api/api-index.ts";
import type { Ladder, LadderResults } from "#core/api/ladder-results.ts";
import type { Match } from "#core/api/match.ts";
import type { Season, SeasonResults } from "#core/api/season.ts";
import type { StandingsPage } from "#core/api/standings-page.ts";
import { DEFAULT_LADDER, hasSeasons } from "#core/ladder/ladder.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";
import { STANDINGS_PAGE_SIZE, RECENT_MATCHES, HOME_STANDINGS_ROWS } from "#site/standings/data.ts";
import type { HomeData, LadderData, ResultsData, StandingsFilter } from "#site/standings/data.ts";

import { providerPlace } from "./account-data.ts";
import { findEvents, upcomingOccasions } from "./event-data.ts";
import type { PageSources } from "./page-data.ts";
import { withQuery, redirectWithoutUnknown } from "./page-request.ts";
import type { Redirect } from "./page-request.ts";
import { registrationState } from "./registration-state.ts";

type Query = Readonly<Record<string, string | undefined>>;
type PageQuery = { query: Query };
type Api = PageSources["api"];

export async function homeData({ api, settings, now }: PageSources): Promise<HomeData> {
  const [standings, matches, index, ladders, events] = await Promise.all([
    api.get<StandingsPage>(`/api/standings?limit=${HOME_STANDINGS_ROWS}`),
    api.get<Match[]>(`/api/matches?limit=${RECENT_MATCHES}`),
    api.get<ApiIndex>("/api"),
    api.get<Ladder[]>("/api/ladders"),
    findEvents(api),
  ]);
  return {
    standings,
    matches,
    registration: registrationState(index, settings),
    base_url: settings.baseUrl,
    qualifying_games: index.operational_policy.ladder.qualifying_games,
    currentEvents: upcomingOccasions(ladders, events ?? []),
    now: now(),
  };
}

export async function ladderData(
  sources: PageSources,
  { query }: PageQuery,
): Promise<LadderData | Redirect | null> {
  const { api, settings, now } = sources;
  const redirect = redirectWithoutUnknown("/ladder", query, VALUES);
  if (redirect !== null) return redirect;
  const scope = await scopeOf(api, query);
  if (scope === null) return null;
  if ("otherwise" in scope)
    return { movedTo: withQuery("/ladder", { ...query, ...scope.otherwise }) };
  const { ladder, ladders, season, seasons } = scope;
  const page = pageNumber(query.page);
  if (page === null) return { movedTo: withQuery("/ladder", { ...query, page: undefined }) };
  const { filter, bot } = parseFilters(query);
  const params = { ladder: query.ladder, season: query.season, ...filter };
  const offset = bot === undefined ? String((page - 1) * STANDINGS_PAGE_SIZE) : undefined;
  const [standings, index, events] = await Promise.all([
    api.find<StandingsPage>(
      withQuery("/api/standings", { ...params, bot, limit: String(STANDINGS_PAGE_SIZE), offset }),
    ),
    api.get<ApiIndex>("/api"),
    findEvents(api),
  ]);
  if (standings === null) return null;
  const lastPage = Math.max(1, Math.ceil(standings.found / STANDINGS_PAGE_SIZE));
  if (page > lastPage)
    return {
      movedTo: withQuery("/ladder", {
        ...query,
        page: lastPage > 1 ? String(lastPage) : undefined,
      }),
    };
  return {
    ladder,
    ladders,
    season,
    seasons,
    events: events?.filter(({ ladder_id }) => ladder_id === ladder.id) ?? [],
    filter,
    requestedBot: bot ?? null,
    standings,
    qualifying_games: index.operational_policy.ladder.qualifying_games,
    provider: providerPlace(index, sources),
    contact: settings.contact,
    registration: registrationState(index, settings),
    now: now(),
  };
}

/**
 * Shows the requested month, or the latest finished month by default. On a ladder without months,
 * shows all matches.
 */
export async function resultsData(
  { api, now }: PageSources,
  { query }: PageQuery,
): Promise<ResultsData | Redirect | null> {
  const scope = await scopeOf(api, query);
  if (scope === null) return null;
  if ("otherwise" in scope)
    return { movedTo: withQuery("/results", { ...query, ...scope.otherwise }) };
  const { ladder, seasons } = scope;
  if (!hasSeasons(ladder.id)) {
    const results = await api.find<LadderResults>(`/api/ladders/${ladder.id}/results?brief=1`);
    return results && { scopeType: "ladder", results, seasons, now: now() };
  }
  const newest = seasons.find(({ state, id }) => state === "archived" && id !== "preseason");
  const shownSeason = query.season === undefined ? (newest?.id ?? "current") : query.season;
  const results = await api.find<SeasonResults>(`/api/seasons/${shownSeason}?brief=1`);
  return results && { scopeType: "season", results, seasons, now: now() };
}

type LadderScope = { ladder: Ladder; ladders: Ladder[]; season: Season | null; seasons: Season[] };

type AlternativeQuery = { otherwise: Partial<Query> };

async function scopeOf(api: Api, query: Query): Promise<LadderScope | AlternativeQuery | null> {
  const { ladder: id = DEFAULT_LADDER, season: seasonId } = query;
  const ladders = await api.find<Ladder[]>(withQuery("/api/ladders", { ladder: id }));
  const ladder = ladders?.find((a) => a.id === id);
  if (ladders === null || ladder === undefined) return findLowerCaseLadder(api, id);
  // Redirects remove default values, so that each page has one URL.
  if (query.ladder === DEFAULT_LADDER) return { otherwise: { ladder: undefined } };
  if (!hasSeasons(id))
    return seasonId === undefined ? { ladder, ladders, season: null, seasons: [] } : null;
  const seasons = await api.get<Season[]>("/api/seasons");
  const isRequested = (a: Season) =>
    seasonId === undefined ? a.state === "live" : a.id === seasonId;
  const season = seasons.find(isRequested);
  if (season !== undefined) return { ladder, ladders, season, seasons };
  const lowerId = seasonId?.toLowerCase();
  const matchesLowerCase = ({ id: b, state }: Season) =>
    b === lowerId || (lowerId === "current" && state === "live");
  const matchingSeason = seasons.find(matchesLowerCase);
  return matchingSeason === undefined ? null : { otherwise: { season: matchingSeason.id } };
}

/** Ladder ids are lower case, but URLs may not be. */
async function findLowerCaseLadder(api: Api, id: string): Promise<AlternativeQuery | null> {
  const lowerId = id.toLowerCase();
  if (lowerId === id) return null;
  const response = await api.find<Ladder[]>(withQuery("/api/ladders", { ladder: lowerId }));
  return response === null ? null : { otherwise: { ladder: lowerId } };
}

const VALUES = { show: ["players", "house"], online: ["1"] } as const;

function parseFilters({ q, owner, show, online, bot }: Query): {
  filter: StandingsFilter;
  bot: string | undefined;
} {
  const text = (value: string | undefined) =>
    value?.slice(0, FIXED_LIMITS.search_text_max).toWellFormed();
  return { filter: { q: text(q), owner: text(owner), show, online }, bot: text(bot) };
}

/**
 * Defaults to 1. Null unless the parameter is a number from 2, because the canonical URL omits page
 * 1.
 */
function pageNumber(text: string | undefined): number | null {
  if (text === undefined) return 1;
  return /^[1-9]\d{0,5}$/.test(text) && text !== "1" ? Number(text) : null;
}
