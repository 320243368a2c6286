// Results of one season: standings, highlights, specialists, rivalries and styles.

import { setImmediate as nextTurn } from "node:timers/promises";

import { Type } from "typebox";

import { sure } from "#base/units/sure.ts";
import type { AttackName } from "#core/engine/types.ts";
import { seasonCompetition } from "#core/ladder/season.ts";
import { attackSpecialists, mapSpecialists, styleOf, usualRates } from "#core/ladder/style.ts";
import { gamesOf } from "#core/ladder/version-record.ts";
import type { Match } from "#core/resources/match.ts";
import { SeasonResultsSchema } from "#core/resources/season.ts";
import type { Highlights, SeasonResults } from "#core/resources/season.ts";
import { displayName } from "#core/words/house.ts";
import type { BotId } from "#core/words/ids.ts";
import type { Limits } from "#core/words/limits.ts";
import type { BotRecord } from "#data/store/bot.ts";
import type { CompetitionFigures, HighlightKind } from "#data/store/figures.ts";
import { keepAnswers, LARGE_MAKINGS } from "#web/http/cached-answer.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { missing } from "#web/http/errors.ts";
import { answers, brief } from "#web/http/query.ts";

import { wholeIdentity } from "./identity.ts";
import type { Standings } from "./leaderboard-rows.ts";
import { toMatch } from "./match.ts";
import { findSeason, seasonRows, withChampions } from "./season.ts";
import type { KnownSeason, SeasonRow } from "./season.ts";
import { styleAnswer } from "./style.ts";

type ResultDeps = ApiDeps & { standings: Standings };

const SeasonParams = Type.Object({
  id: Type.String({ description: "`current`, `YYYY-MM` or `preseason`" }),
});
const ResultsTextSchema = Type.Unsafe<SeasonResults | Buffer>(SeasonResultsSchema);

export function seasonResultRoutes(app: App, deps: ResultDeps): void {
  const querystring = Type.Object({ brief });
  const schema = { params: SeasonParams, querystring, response: answers(ResultsTextSchema) };
  const about = "A season with its standings, highlights, rivalries and styles";
  const config = { endpoint: "season", about, refuses: [404] as const, public: true };
  const kept = keepAnswers(deps, "season results", LARGE_MAKINGS);
  app.get("/api/seasons/:id", { schema, config }, async ({ params, query }, reply) => {
    const known = await findSeason(deps, params.id);
    if (known === null) return missing(reply, "season");
    // The key has the state, so that the end of a season shows at once.
    const isBrief = query.brief !== undefined;
    const body = await kept(reply, `${known.id} ${known.state} ${isBrief}`, async () => {
      const season = await findSeason(deps, known.id);
      if (season === null) return null;
      const results = await seasonResults(deps, season);
      return isBrief ? inBrief(results, deps.limits()) : results;
    });
    return body ?? missing(reply, "season");
  });
}

async function seasonResults(deps: ResultDeps, season: KnownSeason): Promise<SeasonResults> {
  const { store } = deps;
  const competition = seasonCompetition(season.id);
  const [rows, figures] = await Promise.all([
    seasonRows(deps, season.id),
    store.figures.competition(competition, deps.limits().rivalries_shown),
  ]);
  const byId = await botsIn(store, [...rows, ...figures.maps]);
  const mention = mentions(byId);
  // With many bots each step takes milliseconds, so matches are played in between.
  await nextTurn();
  const players = playersOf(rows, byId);
  const known = botsOf(deps, players);
  await nextTurn();
  const specialists = specialistsOf(figures, mention);
  await nextTurn();
  const styles = stylesOf(rows, figures, mention);
  return {
    season: sure((await withChampions(deps, [season]))[0], "season"),
    standings: rows.map(({ row }) => row),
    totals: totalsOf(figures, players),
    highlights: await highlightsOf(deps, figures),
    specialists,
    rivalries: rivalriesOf(figures, mention),
    styles,
    bots: known,
  };
}

/** The first of the standings, their styles, and the bots that anything in the answer is about. */
function inBrief(
  { standings, styles, bots, ...results }: SeasonResults,
  { results_brief }: Pick<Limits, "results_brief">,
): SeasonResults {
  const first = standings.slice(0, results_brief);
  const about = { ...results, styles: styles.slice(0, results_brief) };
  const names = namesIn(about, new Set(first.map(({ name }) => name)));
  const isNamed = ({ name }: { name: string }) => names.has(name);
  return { ...about, standings: first, bots: bots.filter(isNamed) };
}

function namesIn(
  { specialists, rivalries, styles }: Pick<SeasonResults, "specialists" | "rivalries" | "styles">,
  names: Set<string>,
): ReadonlySet<string> {
  const mentioned = [...specialists.maps, ...specialists.attacks, ...styles].map(({ bot }) => bot);
  for (const { name } of [...mentioned, ...rivalries.flatMap((rivalry) => rivalry.bots)])
    names.add(name);
  return names;
}

type Bots = ReadonlyMap<string, BotRecord>;

/** Bots that results are about, by id. */
export async function botsIn(
  store: ApiDeps["store"],
  rows: readonly { botId: BotId }[],
): Promise<Bots> {
  const ids = new Set(rows.map(({ botId }) => botId));
  const bots = await store.bots.byIds([...ids]);
  return new Map(bots.map((bot) => [bot.id, bot]));
}

/** First the bots in the standings, then the others by age. */
function playersOf(rows: readonly SeasonRow[], bots: Bots): BotRecord[] {
  const placed = new Set(rows.map(({ botId }) => botId));
  const ageKey = ({ created, id }: BotRecord) => `${created} ${id}`;
  const others = [...bots.values()]
    .filter(({ id }) => !placed.has(id))
    .toSorted((one, other) => (ageKey(one) < ageKey(other) ? -1 : 1));
  return [...[...placed].flatMap((id) => bots.get(id) ?? []), ...others];
}

type Mention = (botId: BotId) => { id: string; name: string; display_name: string };

export const mentions =
  (bots: Bots): Mention =>
  (id) => {
    const { name } = bots.get(id) ?? { name: id };
    return { id, name, display_name: displayName(name) };
  };

function totalsOf({ totals }: CompetitionFigures, players: readonly BotRecord[]) {
  return {
    games: totals.games,
    draws: totals.draws,
    player_bots: players.filter(({ house }) => !house).length,
    stats_games: totals.statsGames,
  };
}

export async function highlightsOf(
  { store }: Pick<ResultDeps, "store">,
  { highlights }: Pick<CompetitionFigures, "highlights">,
): Promise<Highlights> {
  const find = async (kind: HighlightKind): Promise<Match | null> => {
    const id = highlights[kind];
    const row = id === undefined ? null : await store.matches.byId(id);
    return row && toMatch(row);
  };
  const [opener, finale, longest, quickest, swing, upset] = await Promise.all([
    find("opener"),
    find("finale"),
    find("longest"),
    find("quickest"),
    find("swing"),
    find("upset"),
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

/** From the side of the bot whose rating moved most. */
function swingOf(match: Match): Highlights["biggest_swing"] {
  const moves = match.bots.map((bot) => {
    const points = Math.abs((bot.rating_after ?? 0) - (bot.rating_before ?? 0));
    return { points, bot: mentioned(bot), match };
  });
  return moves.toSorted((one, other) => other.points - one.points)[0] ?? null;
}

/** From the side of the winner; `points` is how far it was below the loser. */
function upsetOf(match: Match): Highlights["biggest_upset"] {
  const winner = match.bots.find(({ id }) => id === match.winner);
  const loser = match.bots.find((bot) => bot !== winner);
  if (winner === undefined || loser === undefined) return null;
  const points = (loser.rating_before ?? 0) - (winner.rating_before ?? 0);
  return { points, bot: mentioned(winner), match };
}

const mentioned = ({ id, name, display_name }: Match["bots"][number]) => ({
  id,
  name,
  display_name,
});

function specialistsOf(
  { maps, play, weapons }: CompetitionFigures,
  mention: Mention,
): SeasonResults["specialists"] {
  return {
    maps: mapSpecialists(maps).map(({ map, botId, games, winRate, usualWinRate }) => {
      return { map, bot: mention(botId), games, win_rate: winRate, usual_win_rate: usualWinRate };
    }),
    attacks: attackSpecialists(play, weapons).map((one) => ({
      attack: one.attack as AttackName,
      bot: mention(one.botId),
      games: one.games,
      damage_per_game: one.damagePerGame,
      accuracy: one.accuracy,
    })),
  };
}

export function rivalriesOf(
  { rivalries }: Pick<CompetitionFigures, "rivalries">,
  mention: Mention,
): SeasonResults["rivalries"] {
  return rivalries.map(({ botIds: [one, other], ...results }) => ({
    bots: [mention(one), mention(other)],
    games: gamesOf(results),
    wins: [results.wins, results.losses],
    draws: results.draws,
  }));
}

function stylesOf(
  rows: readonly SeasonRow[],
  { play, weapons }: CompetitionFigures,
  mention: Mention,
): SeasonResults["styles"] {
  const playOf = new Map(play.map((one) => [one.botId, one]));
  const weaponsOf = Map.groupBy(weapons, ({ botId }) => botId);
  const usual = usualRates(play);
  return rows.flatMap(({ botId }) => {
    const own = playOf.get(botId);
    if (own === undefined) return [];
    const style = styleOf(own, weaponsOf.get(botId) ?? [], usual);
    return [{ bot: mention(botId), ...styleAnswer(style) }];
  });
}

function botsOf(deps: ResultDeps, players: readonly BotRecord[]): SeasonResults["bots"] {
  const online = deps.arena.onlineIds();
  return players.map((bot) => wholeIdentity(bot, online));
}
