import { setImmediate as nextTurn } from "node:timers/promises";

import { Type } from "typebox";

import { assertDefined } from "#base/util/assert-defined.ts";
import type { Match } from "#core/api/match.ts";
import { SeasonResultsSchema } from "#core/api/season.ts";
import type { Highlights, SeasonResults } from "#core/api/season.ts";
import type { AttackName } from "#core/engine/types.ts";
import { displayName } from "#core/ids/house-bots.ts";
import type { BotId } from "#core/ids/ids.ts";
import {
  attackSpecialists,
  mapSpecialists,
  summarizeStyle,
  averageRates,
} from "#core/ladder/play-style.ts";
import { seasonCompetition } from "#core/ladder/season.ts";
import { totalGames } from "#core/ladder/version-record.ts";
import type { Limits } from "#core/limits/limits.ts";
import type { BotRecord } from "#data/store/bot.ts";
import type { CompetitionStats, HighlightKind } from "#data/store/stats.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { refuseNotFound } from "#web/http/errors.ts";
import { responseCache, LARGE_REFRESH_RATE } from "#web/http/response-cache.ts";
import { okResponses, brief } from "#web/http/route-params.ts";

import { fullBotIdentity } from "./bot-identity.ts";
import { toMatch } from "./match.ts";
import { findSeason, seasonRows, withChampions } from "./season.ts";
import type { KnownSeason, SeasonRow } from "./season.ts";
import type { Standings } from "./standings-entries.ts";
import { styleView } from "./style-view.ts";

type ResultDeps = ApiDeps & { standings: Standings };

const SeasonParams = Type.Object({
  id: Type.String({ description: "`current`, `YYYY-MM` or `preseason`" }),
});
const ResultsTextSchema = Type.Unsafe<SeasonResults | Buffer>(SeasonResultsSchema);

export function seasonResultRoutes(app: App, deps: ResultDeps): void {
  const querystring = Type.Object({ brief });
  const schema = { params: SeasonParams, querystring, response: okResponses(ResultsTextSchema) };
  const summary = "A season with its standings, highlights, rivalries and styles";
  const config = { endpoint: "season", summary, errorCodes: [404] as const, public: true };
  const cached = responseCache(deps, "season results", LARGE_REFRESH_RATE);
  app.get("/api/seasons/:id", { schema, config }, async ({ params, query }, reply) => {
    const requestedSeason = await findSeason(deps, params.id);
    if (requestedSeason === null) return refuseNotFound(reply, "season");
    // The key includes the state, so that the end of a season shows immediately.
    const isBrief = query.brief !== undefined;
    const body = await cached(
      reply,
      `${requestedSeason.id} ${requestedSeason.state} ${isBrief}`,
      async () => {
        const season = await findSeason(deps, requestedSeason.id);
        if (season === null) return null;
        const results = await seasonResults(deps, season);
        return isBrief ? briefResults(results, deps.limits()) : results;
      },
    );
    return body ?? refuseNotFound(reply, "season");
  });
}

async function seasonResults(deps: ResultDeps, season: KnownSeason): Promise<SeasonResults> {
  const { store } = deps;
  const competition = seasonCompetition(season.id);
  const [rows, stats] = await Promise.all([
    seasonRows(deps, season.id),
    store.stats.competition(competition, deps.limits().rivalries_shown),
  ]);
  const byId = await readBots(store, [...rows, ...stats.maps]);
  const toReference = botReferences(byId);
  // Yields between steps so that matches continue: with many bots, a step takes milliseconds.
  await nextTurn();
  const players = playersOf(rows, byId);
  const botViews = botsOf(deps, players);
  await nextTurn();
  const specialists = specialistsOf(stats, toReference);
  await nextTurn();
  const styles = stylesOf(rows, stats, toReference);
  return {
    season: assertDefined((await withChampions(deps, [season]))[0], "season"),
    standings: rows.map(({ row }) => row),
    totals: seasonTotals(stats, players),
    highlights: await buildHighlights(deps, stats),
    specialists,
    rivalries: rivalriesOf(stats, toReference),
    styles,
    bots: botViews,
  };
}

function briefResults(
  { standings, styles, bots, ...results }: SeasonResults,
  { results_brief }: Pick<Limits, "results_brief">,
): SeasonResults {
  const first = standings.slice(0, results_brief);
  const briefFields = { ...results, styles: styles.slice(0, results_brief) };
  const names = namesIn(briefFields, new Set(first.map(({ name }) => name)));
  const isNamed = ({ name }: { name: string }) => names.has(name);
  return { ...briefFields, standings: first, bots: bots.filter(isNamed) };
}

function namesIn(
  { specialists, rivalries, styles }: Pick<SeasonResults, "specialists" | "rivalries" | "styles">,
  names: Set<string>,
): ReadonlySet<string> {
  const mentionedBots = [...specialists.maps, ...specialists.attacks, ...styles].map(
    ({ bot }) => bot,
  );
  for (const { name } of [...mentionedBots, ...rivalries.flatMap((rivalry) => rivalry.bots)])
    names.add(name);
  return names;
}

type Bots = ReadonlyMap<string, BotRecord>;

export async function readBots(
  store: ApiDeps["store"],
  rows: readonly { botId: BotId }[],
): Promise<Bots> {
  const ids = new Set(rows.map(({ botId }) => botId));
  const bots = await store.bots.byIds([...ids]);
  return new Map(bots.map((bot) => [bot.id, bot]));
}

/** Returns ranked bots in standings order, then unranked bots, oldest first. */
function playersOf(rows: readonly SeasonRow[], bots: Bots): BotRecord[] {
  const rankedIds = new Set(rows.map(({ botId }) => botId));
  const ageKey = ({ created, id }: BotRecord) => `${created} ${id}`;
  const others = [...bots.values()]
    .filter(({ id }) => !rankedIds.has(id))
    .toSorted((a, b) => (ageKey(a) < ageKey(b) ? -1 : 1));
  return [...[...rankedIds].flatMap((id) => bots.get(id) ?? []), ...others];
}

type BotReferenceOf = (botId: BotId) => { id: string; name: string; display_name: string };

export const botReferences =
  (bots: Bots): BotReferenceOf =>
  (id) => {
    const { name } = bots.get(id) ?? { name: id };
    return { id, name, display_name: displayName(name) };
  };

function seasonTotals({ totals }: CompetitionStats, players: readonly BotRecord[]) {
  return {
    games: totals.games,
    draws: totals.draws,
    player_bots: players.filter(({ house }) => !house).length,
    stats_games: totals.statsGames,
  };
}

export async function buildHighlights(
  { store }: Pick<ResultDeps, "store">,
  { highlights }: Pick<CompetitionStats, "highlights">,
): Promise<Highlights> {
  const findHighlight = async (kind: HighlightKind): Promise<Match | null> => {
    const id = highlights[kind];
    const row = id === undefined ? null : await store.matches.byId(id);
    return row && toMatch(row);
  };
  const [opener, finale, longest, quickest, swing, upset] = await Promise.all([
    findHighlight("opener"),
    findHighlight("finale"),
    findHighlight("longest"),
    findHighlight("quickest"),
    findHighlight("swing"),
    findHighlight("upset"),
  ]);
  return {
    opener,
    finale,
    longest,
    quickest,
    biggest_swing: swing && swingOf(swing),
    biggest_upset: upset && upsetOf(upset),
  };
}

/** Describes the match from the perspective of the bot with the larger rating change. */
function swingOf(match: Match): Highlights["biggest_swing"] {
  const ratingChanges = match.bots.map((bot) => {
    const points = Math.abs((bot.rating_after ?? 0) - (bot.rating_before ?? 0));
    return { points, bot: toBotReference(bot), match };
  });
  return ratingChanges.toSorted((a, b) => b.points - a.points)[0] ?? null;
}

/**
 * Describes the match from the winner's perspective. `points` is the rating difference the winner
 * overcame.
 */
function upsetOf(match: Match): Highlights["biggest_upset"] {
  const winner = match.bots.find(({ id }) => id === match.winner);
  const loser = match.bots.find((bot) => bot !== winner);
  if (winner === undefined || loser === undefined) return null;
  const points = (loser.rating_before ?? 0) - (winner.rating_before ?? 0);
  return { points, bot: toBotReference(winner), match };
}

const toBotReference = ({ id, name, display_name }: Match["bots"][number]) => ({
  id,
  name,
  display_name,
});

function specialistsOf(
  { maps, play, weapons }: CompetitionStats,
  toReference: BotReferenceOf,
): SeasonResults["specialists"] {
  return {
    maps: mapSpecialists(maps).map(({ map, botId, games, winRate, usualWinRate }) => {
      return {
        map,
        bot: toReference(botId),
        games,
        win_rate: winRate,
        usual_win_rate: usualWinRate,
      };
    }),
    attacks: attackSpecialists(play, weapons).map((a) => ({
      attack: a.attack as AttackName,
      bot: toReference(a.botId),
      games: a.games,
      damage_per_game: a.damagePerGame,
      accuracy: a.accuracy,
    })),
  };
}

export function rivalriesOf(
  { rivalries }: Pick<CompetitionStats, "rivalries">,
  toReference: BotReferenceOf,
): SeasonResults["rivalries"] {
  return rivalries.map(({ botIds: [a, b], ...results }) => ({
    bots: [toReference(a), toReference(b)],
    games: totalGames(results),
    wins: [results.wins, results.losses],
    draws: results.draws,
  }));
}

function stylesOf(
  rows: readonly SeasonRow[],
  { play, weapons }: CompetitionStats,
  toReference: BotReferenceOf,
): SeasonResults["styles"] {
  const playOf = new Map(play.map((a) => [a.botId, a]));
  const weaponsOf = Map.groupBy(weapons, ({ botId }) => botId);
  const averages = averageRates(play);
  return rows.flatMap(({ botId }) => {
    const botPlay = playOf.get(botId);
    if (botPlay === undefined) return [];
    const style = summarizeStyle(botPlay, weaponsOf.get(botId) ?? [], averages);
    return [{ bot: toReference(botId), ...styleView(style) }];
  });
}

function botsOf(deps: ResultDeps, players: readonly BotRecord[]): SeasonResults["bots"] {
  const online = deps.arena.onlineIds();
  return players.map((bot) => fullBotIdentity(bot, online));
}
