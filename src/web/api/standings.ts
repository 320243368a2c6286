// A page of the standings with what happens on the ladder now: what the site shows of a ladder.

import { Type } from "typebox";

import type { Rate } from "#base/token-bucket/token-bucket.ts";
import { hasSeasons } from "#core/ladder/ladder.ts";
import { offsetOf, rangeOf, wanted } from "#core/ladder/standings-page.ts";
import type { Listed } from "#core/ladder/standings-page.ts";
import { StandingsPageSchema } from "#core/resources/standings.ts";
import type { StandingsPage, StandingsRow } from "#core/resources/standings.ts";
import { displayName } from "#core/words/house.ts";
import type { BotId, LadderId } from "#core/words/ids.ts";
import { FIXED } from "#core/words/limits.ts";
import type { ReadStanding } from "#data/store/season.ts";
import type { OnlineBot } from "#live/arena/view.ts";
import { keepAnswers } from "#web/http/cached-answer.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { missing } from "#web/http/errors.ts";
import { answers, ladder, ladderOf, season } from "#web/http/query.ts";

import { activityOf } from "./activity.ts";
import { boardRows, finalRow } from "./leaderboard-rows.ts";
import type { StandingPlace, Standings } from "./leaderboard-rows.ts";
import { sessionsOn } from "./lobby.ts";
import { seasonOf } from "./season.ts";
import type { KnownSeason } from "./season.ts";

type PageDeps = ApiDeps & { standings: Standings };

/** Under steady change. Pages ask every two seconds. */
const MAKINGS: Rate = { perSecond: 2, burst: 4 };
/** Size of a final place, in bytes. */
const PLACE_BYTES = 512;

const flag = (description: string) => Type.Optional(Type.Enum(["1"], { description }));
const text = (description: string) =>
  Type.Optional(Type.String({ maxLength: FIXED.search_text_max, description }));

const QuerySchema = Type.Object({
  ladder,
  season,
  q: text("a part of a bot's or an owner's name, in any letter case"),
  owner: text("bots of this owner alone, in any letter case"),
  show: Type.Optional(Type.Enum(["players", "house"], { description: "these bots alone" })),
  online: flag("bots that are connected or play alone"),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: FIXED.standings_page_max,
      default: FIXED.standings_page_default,
      description: "most rows",
    }),
  ),
  offset: Type.Optional(
    Type.Integer({ minimum: 0, default: 0, description: "rows that come before the page" }),
  ),
  bot: text("the page of `limit` rows with this bot; the first one if it is on none"),
});
type Query = Type.Static<typeof QuerySchema>;

export function standingsRoutes(app: App, deps: PageDeps): void {
  const kept = keepAnswers(deps, "standings pages", MAKINGS);
  const finals = keepFinals(deps);
  const schema = {
    querystring: QuerySchema,
    response: answers(Type.Unsafe<StandingsPage | Buffer>(StandingsPageSchema)),
  };
  const about = "A page of the standings of a ladder, with what happens on it now";
  const config = { endpoint: "standings", about, refuses: [404] as const, public: true };
  app.get("/api/standings", { schema, config }, async ({ query }, reply) => {
    const ladderId = ladderOf(deps, query.ladder);
    if (ladderId === null) return missing(reply, "ladder");
    const found = await seasonOf(deps, reply, ladderId, query.season);
    if (found !== undefined && "error" in found) return found;
    // The key has the state, so that the end of a season shows at once.
    const key = JSON.stringify([ladderId, found?.id, found?.state, query]);
    return kept(reply, key, async () => {
      const all = await rankedOf({ ...deps, finals }, ladderId, found);
      return pageOf(deps, { ladderId, season: found, query, all });
    });
  });
}

/** A place in standings that still change, or in final ones. */
type Ranked = Listed & { botId: BotId; rating: number; deviation: number } & (
    | { place: StandingPlace; final: null }
    | { place: null; final: ReadStanding }
  );

type Finals = (season: string) => Promise<ReadStanding[]>;

/** They never change, and each page shows a part of them. */
function keepFinals({ store, cache }: Pick<ApiDeps, "store" | "cache">): Finals {
  const kept = cache.shelf<ReadStanding[]>("final standings", {
    sizeOf: (rows) => rows.length * PLACE_BYTES,
  });
  return (season) => kept.get(season, () => store.seasons.standings(season));
}

/** All of them, best first. */
async function rankedOf(
  { arena, standings, finals }: Pick<PageDeps, "arena" | "standings"> & { finals: Finals },
  ladderId: LadderId,
  season: KnownSeason | undefined,
): Promise<Ranked[]> {
  const { live, closing } = arena.seasons();
  const isMoving = season === undefined || season.id === live || closing.includes(season.id);
  if (!isMoving) return (await finals(season.id)).map(finalRanked);
  return (await standings(ladderId, season?.id)).map(liveRanked);
}

function liveRanked(place: StandingPlace): Ranked {
  const { id: botId, name, owner, house } = place.bot;
  const { rating, deviation } = place.rated;
  const display = displayName(name);
  return { botId, name, display, owner, house, rating, deviation, place, final: null };
}

function finalRanked(final: ReadStanding): Ranked {
  const { botId, name, owner, house, rating, deviation } = final;
  const display = displayName(name);
  return { botId, name, display, owner, house, rating, deviation, place: null, final };
}

type PageRequest = {
  ladderId: LadderId;
  season: KnownSeason | undefined;
  query: Query;
  all: readonly Ranked[];
};

async function pageOf(deps: PageDeps, request: PageRequest): Promise<StandingsPage> {
  const { ladderId, season, query, all } = request;
  const { arena } = deps;
  const isPast = season !== undefined && season.state !== "live";
  const sessions = isPast ? [] : sessionsOn(deps, ladderId);
  const byBot = new Map(sessions.map((session) => [session.botId, session]));
  const { q: text, owner, show, limit = FIXED.standings_page_default } = query;
  const house = show === undefined ? undefined : show === "house";
  const named = wanted(all, { text, owner, house });
  const found = query.online === "1" ? named.filter(({ botId }) => byBot.has(botId)) : named;
  const { bot, offset: asked = 0 } = query;
  const offset = bot === undefined ? asked : offsetOf(found, bot, limit);
  const range = rangeOf(all);
  const live = hasSeasons(ladderId) ? arena.seasons().live : null;
  return {
    ladder_id: ladderId,
    season: season?.id ?? live,
    total: all.length,
    found: found.length,
    offset,
    lowest: range?.lowest ?? null,
    highest: range?.highest ?? null,
    rows: await rowsOf(deps, found.slice(offset, offset + limit), byBot),
    now: isPast ? null : await activityOf(deps, ladderId, all.flatMap(placeOf), sessions),
  };
}

const placeOf = ({ place }: Ranked): StandingPlace[] => (place === null ? [] : [place]);

async function rowsOf(
  { store, arena }: PageDeps,
  ranked: readonly Ranked[],
  sessions: ReadonlyMap<BotId, OnlineBot>,
): Promise<StandingsRow[]> {
  const online = arena.onlineIds();
  const bots = await store.bots.byIds(ranked.map(({ botId }) => botId));
  const avatars = new Map(bots.map(({ id, avatar }) => [id, avatar]));
  const found = ranked.flatMap(({ place, final }) =>
    place === null ? finalRow(final) : boardRows([place], online),
  );
  return found.map(({ botId, row }) => {
    const { state = null, matchId = null } = sessions.get(botId) ?? {};
    return { ...row, avatar: avatars.get(botId) ?? null, state, match_id: matchId };
  });
}
