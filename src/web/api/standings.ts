import { Type } from "typebox";

import type { Rate } from "#base/token-bucket/token-bucket.ts";
import { StandingsPageSchema } from "#core/api/standings-page.ts";
import type { StandingsPage, StandingsRow } from "#core/api/standings-page.ts";
import { displayName } from "#core/ids/house-bots.ts";
import type { BotId, LadderId } from "#core/ids/ids.ts";
import { hasSeasons } from "#core/ladder/ladder.ts";
import { pageOffset, intervalRange, filterStandings } from "#core/ladder/standings-page.ts";
import type { SearchableBot } from "#core/ladder/standings-page.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";
import type { NamedStanding } from "#data/store/season.ts";
import type { OnlineBot } from "#live/arena/arena-view.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { refuseNotFound } from "#web/http/errors.ts";
import { responseCache } from "#web/http/response-cache.ts";
import { okResponses, ladder, resolveLadderId, season } from "#web/http/route-params.ts";

import { ladderActivity } from "./ladder-activity.ts";
import { sessionsOn } from "./lobby.ts";
import { resolveSeason } from "./season.ts";
import type { KnownSeason } from "./season.ts";
import { boardRows, finalRow } from "./standings-entries.ts";
import type { StandingsEntry, Standings } from "./standings-entries.ts";

type PageDeps = ApiDeps & { standings: Standings };

/** Maximum rebuild rate while standings change constantly. Pages poll every 2 seconds. */
const REFRESH_RATE: Rate = { perSecond: 2, burst: 4 };
const PLACE_BYTES = 512;

const flag = (description: string) => Type.Optional(Type.Enum(["1"], { description }));
const text = (description: string) =>
  Type.Optional(Type.String({ maxLength: FIXED_LIMITS.search_text_max, description }));

const QuerySchema = Type.Object({
  ladder,
  season,
  q: text("part of a bot or owner name, case-insensitive"),
  owner: text("only bots of this owner, case-insensitive"),
  show: Type.Optional(Type.Enum(["players", "house"], { description: "only these bots" })),
  online: flag("only bots that are connected or playing"),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: FIXED_LIMITS.standings_page_max,
      default: FIXED_LIMITS.standings_page_default,
      description: "max rows",
    }),
  ),
  offset: Type.Optional(Type.Integer({ minimum: 0, default: 0, description: "rows to skip" })),
  bot: text("the page of `limit` rows that contains this bot; the first page if it has no row"),
});
type Query = Type.Static<typeof QuerySchema>;

export function standingsRoutes(app: App, deps: PageDeps): void {
  const cached = responseCache(deps, "standings pages", REFRESH_RATE);
  const finalStandings = openFinalStandings(deps);
  const schema = {
    querystring: QuerySchema,
    response: okResponses(Type.Unsafe<StandingsPage | Buffer>(StandingsPageSchema)),
  };
  const summary = "A page of a ladder's standings, with its current activity";
  const config = { endpoint: "standings", summary, errorCodes: [404] as const, public: true };
  app.get("/api/standings", { schema, config }, async ({ query }, reply) => {
    const ladderId = resolveLadderId(deps, query.ladder);
    if (ladderId === null) return refuseNotFound(reply, "ladder");
    const season = await resolveSeason(deps, reply, ladderId, query.season);
    if (season !== undefined && "error" in season) return season;
    // The key includes the state, so that the end of a season shows immediately.
    const key = JSON.stringify([ladderId, season?.id, season?.state, query]);
    return cached(reply, key, async () => {
      const entries = await rankedEntries({ ...deps, finalStandings }, ladderId, season);
      return pageOf(deps, { ladderId, season: season, query, entries });
    });
  });
}

type RankedEntry = SearchableBot & { botId: BotId; rating: number; deviation: number } & (
    | { place: StandingsEntry; final: null }
    | { place: null; final: NamedStanding }
  );

type FinalStandings = (season: string) => Promise<NamedStanding[]>;

/** Caches final standings, which never change and span several pages. */
function openFinalStandings({ store, cache }: Pick<ApiDeps, "store" | "cache">): FinalStandings {
  const cached = cache.namespace<NamedStanding[]>("final standings", {
    sizeOf: (rows) => rows.length * PLACE_BYTES,
  });
  return (season) => cached.get(season, () => store.seasons.standings(season));
}

async function rankedEntries(
  {
    arena,
    standings,
    finalStandings,
  }: Pick<PageDeps, "arena" | "standings"> & { finalStandings: FinalStandings },
  ladderId: LadderId,
  season: KnownSeason | undefined,
): Promise<RankedEntry[]> {
  const { live, closing } = arena.seasons();
  const isChanging = season === undefined || season.id === live || closing.includes(season.id);
  if (!isChanging) return (await finalStandings(season.id)).map(finalRanked);
  return (await standings(ladderId, season?.id)).map(liveRanked);
}

function liveRanked(place: StandingsEntry): RankedEntry {
  const { id: botId, name, owner, house } = place.bot;
  const { rating, deviation } = place.rated;
  const display = displayName(name);
  return { botId, name, display, owner, house, rating, deviation, place, final: null };
}

function finalRanked(final: NamedStanding): RankedEntry {
  const { botId, name, owner, house, rating, deviation } = final;
  const display = displayName(name);
  return { botId, name, display, owner, house, rating, deviation, place: null, final };
}

type StandingsPageRequest = {
  ladderId: LadderId;
  season: KnownSeason | undefined;
  query: Query;
  entries: readonly RankedEntry[];
};

async function pageOf(deps: PageDeps, request: StandingsPageRequest): Promise<StandingsPage> {
  const { ladderId, season, query, entries } = request;
  const { arena } = deps;
  const isPast = season !== undefined && season.state !== "live";
  const sessions = isPast ? [] : sessionsOn(deps, ladderId);
  const byBot = new Map(sessions.map((session) => [session.botId, session]));
  const { q: text, owner, show, limit = FIXED_LIMITS.standings_page_default } = query;
  const house = show === undefined ? undefined : show === "house";
  const filteredEntries = filterStandings(entries, { text, owner, house });
  const found =
    query.online === "1"
      ? filteredEntries.filter(({ botId }) => byBot.has(botId))
      : filteredEntries;
  const { bot, offset: requestedOffset = 0 } = query;
  const offset = bot === undefined ? requestedOffset : pageOffset(found, bot, limit);
  const range = intervalRange(entries);
  const live = hasSeasons(ladderId) ? arena.seasons().live : null;
  return {
    ladder_id: ladderId,
    season: season?.id ?? live,
    total: entries.length,
    found: found.length,
    offset,
    lowest: range?.lowest ?? null,
    highest: range?.highest ?? null,
    rows: await rowsOf(deps, found.slice(offset, offset + limit), byBot),
    now: isPast
      ? null
      : await ladderActivity(deps, ladderId, entries.flatMap(livePlaces), sessions),
  };
}

const livePlaces = ({ place }: RankedEntry): StandingsEntry[] => (place === null ? [] : [place]);

async function rowsOf(
  { store, arena }: PageDeps,
  ranked: readonly RankedEntry[],
  sessions: ReadonlyMap<BotId, OnlineBot>,
): Promise<StandingsRow[]> {
  const online = arena.onlineIds();
  const bots = await store.bots.byIds(ranked.map(({ botId }) => botId));
  const avatars = new Map(bots.map(({ id, avatar }) => [id, avatar]));
  const tableRows = ranked.flatMap(({ place, final }) =>
    place === null ? finalRow(final) : boardRows([place], online),
  );
  return tableRows.map(({ botId, row }) => {
    const { state = null, matchId = null } = sessions.get(botId) ?? {};
    return { ...row, avatar: avatars.get(botId) ?? null, state, match_id: matchId };
  });
}
