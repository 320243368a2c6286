import { isBotName } from "#core/accounts/name-rules.ts";
import type { Bot, BotVersion } from "#core/api/bot.ts";
import type { Ladder } from "#core/api/ladder-results.ts";
import type { ServerStatus } from "#core/api/ladder.ts";
import type { Season } from "#core/api/season.ts";
import { canonicalHouseName } from "#core/ids/house-bots.ts";
import { DEFAULT_LADDER } from "#core/ladder/ladder.ts";
import { compareSeasonIds } from "#core/ladder/season.ts";
import { BOT_PARTS, MATCH_RESULTS } from "#site/bot/data.ts";
import type { BotData, BotSummary, BotPart, BotStanding, BotScope } from "#site/bot/data.ts";
import type { PageHead } from "#site/shell/data.ts";

import { PART_READERS } from "./bot-part-readers.ts";
import type { PageSources } from "./page-data.ts";
import { withQuery, redirectWithoutUnknown } from "./page-request.ts";
import type { Redirect, PageRequest } from "./page-request.ts";

const COMPARE_PARAMS = ["a", "b"] as const;
const FILTER_PARAMS = ["version", "opponent", "map", "result", "before"] as const;

export const BOT_QUERY = ["part", "ladder", "season", ...FILTER_PARAMS, ...COMPARE_PARAMS] as const;

export async function botData(
  sources: PageSources,
  { parts: { name = "" }, query }: PageRequest,
): Promise<BotData | Redirect | null> {
  if (!isBotName(name)) return null;
  const { api } = sources;
  const ladder = query.ladder ?? DEFAULT_LADDER;
  const bot = await api.find<Bot>(`/api/bots/${name}?${new URLSearchParams({ ladder })}`);
  if (bot === null) return findHouseBot(api, name, query);
  if (bot.name !== name) return movedTo(bot.name, query);
  const redirect = redirectWithoutUnknown(`/bot/${name}`, query, PARAM_VALUES);
  if (redirect !== null) return redirect;
  const scope = await scopeOf(sources, bot, query.season);
  if (scope === null) return null;
  const partName = resolvePart(query);
  // Opponents of a single version are available per season only.
  if (partName === "opponents" && scope.season === null && query.version !== undefined)
    return movedTo(name, { ...query, version: undefined });
  const [status, part] = await Promise.all([
    api.get<ServerStatus>(`/api/status?bot=${name}`),
    PART_READERS[partName]({ ...sources, bot, scope, query }),
  ]);
  const { now } = sources;
  return { bot: shownBot(bot), standing: placeOf(bot, scope), scope, status, now: now(), ...part };
}

const PARAM_VALUES = { part: BOT_PARTS, result: MATCH_RESULTS };

const movedTo = (name: string, query: PageRequest["query"]): Redirect => ({
  movedTo: withQuery(`/bot/${name}`, query),
});

/**
 * Finds a house bot by display name and redirects to it. A bot with that actual name takes
 * precedence.
 */
async function findHouseBot(
  api: PageSources["api"],
  text: string,
  query: PageRequest["query"],
): Promise<Redirect | null> {
  const name = canonicalHouseName(text);
  if (name === null) return null;
  const bot = await api.find<Bot>(`/api/bots/${name}`);
  return bot && movedTo(bot.name, query);
}

/** Without a section name, the other parameters determine the section. */
function resolvePart(query: PageRequest["query"]): BotPart {
  const requestedPart = BOT_PARTS.find((part) => part === query.part);
  if (requestedPart !== undefined) return requestedPart;
  if (COMPARE_PARAMS.some((name) => query[name] !== undefined)) return "versions";
  return FILTER_PARAMS.some((name) => query[name] !== undefined) ? "matches" : "overview";
}

async function scopeOf(
  { api }: PageSources,
  bot: Bot,
  requestedSeason: string | undefined,
): Promise<BotScope | null> {
  const live = bot.season ?? null;
  const pastSeasons = (bot.season_history ?? []).map(({ season }) => season);
  const season =
    live === null || requestedSeason === undefined || requestedSeason === "current"
      ? live
      : requestedSeason;
  if (season !== null && season !== live && !pastSeasons.includes(season)) {
    const seasons = await api.get<Season[]>("/api/seasons");
    if (!seasons.some(({ id }) => id === season)) return null;
  }
  const seasonIds = new Set([live, season, ...pastSeasons].filter((id) => id !== null));
  return {
    ladder: bot.ladder_id,
    season,
    liveSeason: live,
    ladders: await laddersOf(api, bot),
    seasons: [...seasonIds].toSorted(compareSeasonIds),
  };
}

/** Returns the ladders on which the bot has played. A hidden ladder has no name, only its id. */
async function laddersOf(
  api: PageSources["api"],
  { played_ladders, ladder_id }: Bot,
): Promise<BotScope["ladders"]> {
  const ids = [...new Set([...played_ladders, ladder_id])];
  // Names are shown only in the ladder switch, so a single ladder needs no name.
  const namedLadders =
    ids.length > 1
      ? await api.find<Ladder[]>(withQuery("/api/ladders", { ladder: ladder_id }))
      : null;
  const names = new Map(namedLadders?.map(({ id, name }) => [id, name]));
  return ids.map((id) => ({ id, name: names.get(id) ?? id }));
}

function shownBot(bot: Bot): BotSummary {
  const { id, name, display_name, owner, owner_url, house, online, status, created, avatar } = bot;
  const { current_version, versions_total, qualifying_games } = bot;
  return {
    id,
    name,
    display_name,
    owner,
    owner_url,
    house,
    online,
    status,
    created,
    avatar,
    current_version,
    versions_total,
    qualifying_games,
  };
}

/** In the live standings: the ranked version, or the current version if the bot is unranked. */
function placeOf(bot: Bot, { season, liveSeason }: BotScope): BotStanding | null {
  if (season !== liveSeason) {
    const place = bot.season_history?.find((item) => item.season === season);
    if (place === undefined) return null;
    const { version, rank, leaderboard_score: score, wins, losses, draws } = place;
    return { version, rank, score, wins, losses, draws, estimate: null, qualifying: null };
  }
  const rankedVersion =
    bot.versions.find(({ rank }) => rank !== null) ??
    bot.versions.find(({ label }) => label === bot.current_version);
  if (rankedVersion === undefined) return null;
  const { label: version, rank, leaderboard_score: score, wins, losses, draws } = rankedVersion;
  const estimate = { rating: rankedVersion.rating, deviation: rankedVersion.rating_deviation };
  const qualifying = qualifyingAfter(bot, rankedVersion);
  return { version, rank, score, wins, losses, draws, estimate, qualifying };
}

/** Returns the newest version after the ranked one, if it still has too few games for a rank. */
function qualifyingAfter(
  { versions, qualifying_games: gamesNeeded }: Bot,
  rankedVersion: BotVersion,
): BotStanding["qualifying"] {
  if (rankedVersion.rank === null) return null;
  const newerVersions = versions.slice(versions.indexOf(rankedVersion) + 1);
  const qualifyingVersion = newerVersions.findLast(
    (item) => !item.retired && gamesOf(item) < gamesNeeded,
  );
  return qualifyingVersion === undefined
    ? null
    : { version: qualifyingVersion.label, games: gamesOf(qualifyingVersion) };
}

const gamesOf = ({ wins, losses, draws }: BotVersion): number => wins + losses + draws;

export function botHead({ bot, standing, scope }: BotData): PageHead {
  const author = bot.house ? "a house bot" : `by ${bot.owner}`;
  const rank = standing?.rank ?? null;
  const scopeText = scope.season === null ? scope.ladder : `${scope.ladder}, ${scope.season}`;
  const standingText =
    rank === null ? "not ranked yet" : `rank ${rank} with ${standing?.score} points (${scopeText})`;
  return {
    title: `${bot.display_name} · Bout`,
    description: `${bot.display_name}, ${author}: ${standingText}. Rating, versions, opponents and matches.`,
  };
}
