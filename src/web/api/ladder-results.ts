import { Type } from "typebox";

import { LadderResultsSchema } from "#core/api/ladder-results.ts";
import type { Ladder, LadderResults } from "#core/api/ladder-results.ts";
import type { SeasonId } from "#core/ids/ids.ts";
import type { LadderStats } from "#data/store/stats.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { refuseNotFound } from "#web/http/errors.ts";
import { responseCache, LARGE_REFRESH_RATE } from "#web/http/response-cache.ts";
import { okResponses, brief, season } from "#web/http/route-params.ts";

import { publicEvents, toLadder } from "./ladder.ts";
import { readBots, buildHighlights, botReferences, rivalriesOf } from "./season-results.ts";
import { resolveSeason, seasonRows } from "./season.ts";
import { boardRows } from "./standings-entries.ts";
import type { Standings } from "./standings-entries.ts";

type ResultDeps = ApiDeps & { standings: Standings };

const ParamsSchema = Type.Object({ id: Type.String({ description: "id of the ladder" }) });

export function ladderResultRoutes(app: App, deps: ResultDeps): void {
  const cached = responseCache(deps, "ladder results", LARGE_REFRESH_RATE);
  const schema = {
    params: ParamsSchema,
    querystring: Type.Object({ season, brief }),
    response: okResponses(Type.Unsafe<LadderResults | Buffer>(LadderResultsSchema)),
  };
  const summary = "A ladder with its standings, counts, highlights and rivalries";
  const config = { endpoint: "ladder_results", summary, errorCodes: [404] as const, public: true };
  app.get("/api/ladders/:id/results", { schema, config }, async ({ params, query }, reply) => {
    const ladderDefinition = deps.ladders.byId(params.id);
    if (ladderDefinition === null) return refuseNotFound(reply, "ladder");
    const season = await resolveSeason(deps, reply, ladderDefinition.id, query.season);
    if (season !== undefined && "error" in season) return season;
    const ladder = toLadder(ladderDefinition, deps.clock().toISOString(), deps.events);
    const { id, state } = season ?? {};
    const isBrief = query.brief !== undefined;
    return cached(reply, JSON.stringify([ladder, id, state, isBrief]), () =>
      ladderResults(deps, ladder, { season: id, isBrief }),
    );
  });
}

async function ladderResults(
  deps: ResultDeps,
  ladder: Ladder,
  { season, isBrief }: { season: SeasonId | undefined; isBrief: boolean },
): Promise<LadderResults> {
  const { store, arena } = deps;
  const { rivalries_shown, results_brief } = deps.limits();
  const [allRows, stats] = await Promise.all([
    season === undefined
      ? deps.standings(ladder.id).then((places) => boardRows(places, arena.onlineIds()))
      : seasonRows(deps, season),
    store.stats.ladder({ ladderId: ladder.id, season, rivalries: rivalries_shown }),
  ]);
  const rows = isBrief ? allRows.slice(0, results_brief) : allRows;
  const rivals = stats.rivalries.flatMap(({ botIds }) => botIds.map((botId) => ({ botId })));
  const byId = await readBots(store, [...rows, ...rivals]);
  return {
    ladder,
    events: await eventAwards(deps, ladder),
    standings: rows.map(({ botId, row }) => ({ ...row, avatar: byId.get(botId)?.avatar ?? null })),
    totals: ladderTotals(stats),
    maps: stats.maps,
    highlights: await buildHighlights(deps, stats),
    rivalries: rivalriesOf(stats, botReferences(byId)),
    archive: await archiveLink(store, ladder),
  };
}

/** Null until the archive is built, shortly after the final standings. */
async function archiveLink(
  { ladders }: Pick<ApiDeps["store"], "ladders">,
  { id, phase }: Ladder,
): Promise<LadderResults["archive"]> {
  const archive = phase === "closed" ? (await ladders.byId(id))?.archive : null;
  return archive ? { url: `/api/ladders/${id}/archive`, bytes: archive.bytes } : null;
}

async function eventAwards(
  { store, events }: ResultDeps,
  { id: ladderId }: Ladder,
): Promise<LadderResults["events"]> {
  const ladderEvents = publicEvents(events, ladderId);
  const tallies = await store.awards.tallies(ladderEvents.map(({ id }) => id));
  return ladderEvents.map(({ id: eventId, name, achievements }) => ({
    id: eventId,
    name,
    achievements: achievements.map((achievement) => {
      const { earned = 0, revoked = 0 } =
        tallies.find(
          (tally) => tally.eventId === eventId && tally.achievementId === achievement.id,
        ) ?? {};
      return { id: achievement.id, name: achievement.name, earned: earned - revoked };
    }),
  }));
}

function ladderTotals({ totals, maps, players, house }: LadderStats): LadderResults["totals"] {
  return {
    ...totals,
    rated: maps.reduce((total, { games }) => total + games, 0),
    player_bots: players.bots,
    contestants: players.bots + house.bots,
    player_wins: players.wins,
    house_wins: house.wins,
  };
}
