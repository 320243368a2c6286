// What the pages about a ladder show.

import { DEFAULT_LADDER, hasSeasons } from "#core/ladder/ladder.ts";
import type { ApiIndex } from "#core/resources/api.ts";
import type { Ladder, LadderResults } from "#core/resources/ladder-results.ts";
import type { Match } from "#core/resources/match.ts";
import type { Season, SeasonResults } from "#core/resources/season.ts";
import type { StandingsPage } from "#core/resources/standings.ts";
import { FIXED } from "#core/words/limits.ts";
import { PLACES_A_PAGE, RECENT_MATCHES, TOP_PLACES } from "#site/standings/data.ts";
import type { HomeData, LadderData, ResultsData, StandingsFilter } from "#site/standings/data.ts";

import { providerOf } from "./account-data.ts";
import { eventsOf, occasionsOf } from "./event-data.ts";
import type { PageSources } from "./page-data.ts";
import { addressOf, withoutUnknown } from "./page-request.ts";
import type { Moved } from "./page-request.ts";
import { registrationOf } from "./registration.ts";

/** Parameters that the page reads. */
type Query = Readonly<Record<string, string | undefined>>;
type PageQuery = { query: Query };
type Api = PageSources["api"];

export async function homeData({ api, settings, now }: PageSources): Promise<HomeData> {
  const [standings, matches, index, ladders, events] = await Promise.all([
    api.get<StandingsPage>(`/api/standings?limit=${TOP_PLACES}`),
    api.get<Match[]>(`/api/matches?limit=${RECENT_MATCHES}`),
    api.get<ApiIndex>("/api"),
    api.get<Ladder[]>("/api/ladders"),
    eventsOf(api),
  ]);
  return {
    standings,
    matches,
    registration: registrationOf(index, settings),
    base_url: settings.baseUrl,
    qualifying_games: index.operational_policy.ladder.qualifying_games,
    occasions: occasionsOf(ladders, events ?? []),
    now: now(),
  };
}

export async function ladderData(
  sources: PageSources,
  { query }: PageQuery,
): Promise<LadderData | Moved | null> {
  const { api, settings, now } = sources;
  const moved = withoutUnknown("/ladder", query, VALUES);
  if (moved !== null) return moved;
  const scope = await scopeOf(api, query);
  if (scope === null) return null;
  if ("otherwise" in scope)
    return { movedTo: addressOf("/ladder", { ...query, ...scope.otherwise }) };
  const { ladder, ladders, season, seasons } = scope;
  const page = pageNumber(query.page);
  if (page === null) return { movedTo: addressOf("/ladder", { ...query, page: undefined }) };
  const { filter, bot } = wishesOf(query);
  const asked = { ladder: query.ladder, season: query.season, ...filter };
  const offset = bot === undefined ? String((page - 1) * PLACES_A_PAGE) : undefined;
  const [standings, index, events] = await Promise.all([
    api.find<StandingsPage>(
      addressOf("/api/standings", { ...asked, bot, limit: String(PLACES_A_PAGE), offset }),
    ),
    api.get<ApiIndex>("/api"),
    eventsOf(api),
  ]);
  if (standings === null) return null;
  const last = Math.max(1, Math.ceil(standings.found / PLACES_A_PAGE));
  if (page > last)
    return {
      movedTo: addressOf("/ladder", { ...query, page: last > 1 ? String(last) : undefined }),
    };
  return {
    ladder,
    ladders,
    season,
    seasons,
    events: events?.filter(({ ladder_id }) => ladder_id === ladder.id) ?? [],
    filter,
    sought: bot ?? null,
    standings,
    qualifying_games: index.operational_policy.ladder.qualifying_games,
    provider: providerOf(index, sources),
    contact: settings.contact,
    registration: registrationOf(index, settings),
    now: now(),
  };
}

/** The newest month that is over, or the one that is asked for; of a ladder without months, all. */
export async function resultsData(
  { api, now }: PageSources,
  { query }: PageQuery,
): Promise<ResultsData | Moved | null> {
  const scope = await scopeOf(api, query);
  if (scope === null) return null;
  if ("otherwise" in scope)
    return { movedTo: addressOf("/results", { ...query, ...scope.otherwise }) };
  const { ladder, seasons } = scope;
  if (!hasSeasons(ladder.id)) {
    const results = await api.find<LadderResults>(`/api/ladders/${ladder.id}/results?brief=1`);
    return results && { of: "ladder", results, seasons, now: now() };
  }
  const newest = seasons.find(({ state, id }) => state === "archived" && id !== "preseason");
  const shown = query.season === undefined ? (newest?.id ?? "current") : query.season;
  const results = await api.find<SeasonResults>(`/api/seasons/${shown}?brief=1`);
  return results && { of: "season", results, seasons, now: now() };
}

type Asked = { ladder: Ladder; ladders: Ladder[]; season: Season | null; seasons: Season[] };

/** What must be asked for in place of what was: the page has another address. */
type Otherwise = { otherwise: Partial<Query> };

/** The ladder and season of a page; null if there is no such ladder or season. */
async function scopeOf(api: Api, query: Query): Promise<Asked | Otherwise | null> {
  const { ladder: id = DEFAULT_LADDER, season: seasonId } = query;
  const ladders = await api.find<Ladder[]>(addressOf("/api/ladders", { ladder: id }));
  const ladder = ladders?.find((one) => one.id === id);
  if (ladders === null || ladder === undefined) return otherLadder(api, id);
  // One address for one thing: the default is never named.
  if (query.ladder === DEFAULT_LADDER) return { otherwise: { ladder: undefined } };
  if (!hasSeasons(id))
    return seasonId === undefined ? { ladder, ladders, season: null, seasons: [] } : null;
  const seasons = await api.get<Season[]>("/api/seasons");
  const isMeant = (one: Season) =>
    seasonId === undefined ? one.state === "live" : one.id === seasonId;
  const season = seasons.find(isMeant);
  if (season !== undefined) return { ladder, ladders, season, seasons };
  const lower = seasonId?.toLowerCase();
  const isAlike = ({ id: other, state }: Season) =>
    other === lower || (lower === "current" && state === "live");
  const alike = seasons.find(isAlike);
  return alike === undefined ? null : { otherwise: { season: alike.id } };
}

/** Ids of ladders are lower case; a request may not be. */
async function otherLadder(api: Api, id: string): Promise<Otherwise | null> {
  const lower = id.toLowerCase();
  if (lower === id) return null;
  const found = await api.find<Ladder[]>(addressOf("/api/ladders", { ladder: lower }));
  return found === null ? null : { otherwise: { ladder: lower } };
}

/** Of the parameters that narrow the standings, those that are one of a few words. */
const VALUES = { show: ["players", "house"], online: ["1"] } as const;

/** What a reader looks for, cut to what the API takes. */
function wishesOf({ q, owner, show, online, bot }: Query): {
  filter: StandingsFilter;
  bot: string | undefined;
} {
  const text = (given: string | undefined) => given?.slice(0, FIXED.search_text_max).toWellFormed();
  return { filter: { q: text(q), owner: text(owner), show, online }, bot: text(bot) };
}

/** From 1; null for anything that is not the number of a page after the first. */
function pageNumber(text: string | undefined): number | null {
  if (text === undefined) return 1;
  return /^[1-9]\d{0,5}$/.test(text) && text !== "1" ? Number(text) : null;
}
