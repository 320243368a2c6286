// A bot's page: what all its parts show. Each part reads the rest by itself.

import { isBotName } from "#core/accounts/name.ts";
import { DEFAULT_LADDER } from "#core/ladder/ladder.ts";
import { newestFirst } from "#core/ladder/season.ts";
import type { Bot, BotVersion } from "#core/resources/bot.ts";
import type { Ladder } from "#core/resources/ladder-results.ts";
import type { Status } from "#core/resources/ladder.ts";
import type { Season } from "#core/resources/season.ts";
import { houseNameOf } from "#core/words/house.ts";
import { BOT_PARTS, MATCH_RESULTS } from "#site/bot/data.ts";
import type { BotData, ShownBot, BotPart, BotPlace, BotScope } from "#site/bot/data.ts";
import type { Head } from "#site/public/data.ts";

import { PART_READERS } from "./bot-parts.ts";
import type { PageSources } from "./page-data.ts";
import { addressOf, withoutUnknown } from "./page-request.ts";
import type { Moved, PageRequest } from "./page-request.ts";

const COMPARED = ["a", "b"] as const;
const FILTERS = ["version", "opponent", "map", "result", "before"] as const;

/** All that its parts read. */
export const BOT_QUERY = ["part", "ladder", "season", ...FILTERS, ...COMPARED] as const;

export async function botData(
  sources: PageSources,
  { parts: { name = "" }, query }: PageRequest,
): Promise<BotData | Moved | null> {
  if (!isBotName(name)) return null;
  const { api } = sources;
  const ladder = query.ladder ?? DEFAULT_LADDER;
  const bot = await api.find<Bot>(`/api/bots/${name}?${new URLSearchParams({ ladder })}`);
  if (bot === null) return houseBotMeant(api, name, query);
  if (bot.name !== name) return movedTo(bot.name, query);
  const moved = withoutUnknown(`/bot/${name}`, query, VALUES);
  if (moved !== null) return moved;
  const scope = await scopeOf(sources, bot, query.season);
  if (scope === null) return null;
  const shown = partOf(query);
  // A version's opponents are those of a season.
  if (shown === "opponents" && scope.season === null && query.version !== undefined)
    return movedTo(name, { ...query, version: undefined });
  const [status, part] = await Promise.all([
    api.get<Status>(`/api/status?bot=${name}`),
    PART_READERS[shown]({ ...sources, bot, scope, query }),
  ]);
  const { now } = sources;
  return { bot: factsOf(bot), place: placeOf(bot, scope), scope, status, now: now(), ...part };
}

/** Of the parameters, those that are one of a few words. */
const VALUES = { part: BOT_PARTS, result: MATCH_RESULTS };

const movedTo = (name: string, query: PageRequest["query"]): Moved => ({
  movedTo: addressOf(`/bot/${name}`, query),
});

/** People know house bots by the names that they see. A bot that has such a name wins. */
async function houseBotMeant(
  api: PageSources["api"],
  text: string,
  query: PageRequest["query"],
): Promise<Moved | null> {
  const name = houseNameOf(text);
  if (name === null) return null;
  const bot = await api.find<Bot>(`/api/bots/${name}`);
  return bot && movedTo(bot.name, query);
}

/** Without its name, a part is known by what only it reads. */
function partOf(query: PageRequest["query"]): BotPart {
  const named = BOT_PARTS.find((part) => part === query.part);
  if (named !== undefined) return named;
  if (COMPARED.some((name) => query[name] !== undefined)) return "versions";
  return FILTERS.some((name) => query[name] !== undefined) ? "matches" : "overview";
}

/** Null if there is no such season. */
async function scopeOf(
  { api }: PageSources,
  bot: Bot,
  asked: string | undefined,
): Promise<BotScope | null> {
  const live = bot.season ?? null;
  const known = (bot.season_history ?? []).map(({ season }) => season);
  const season = live === null || asked === undefined || asked === "current" ? live : asked;
  if (season !== null && season !== live && !known.includes(season)) {
    const seasons = await api.get<Season[]>("/api/seasons");
    if (!seasons.some(({ id }) => id === season)) return null;
  }
  const all = new Set([live, season, ...known].filter((id) => id !== null));
  return {
    ladder: bot.ladder_id,
    season,
    live,
    ladders: await laddersOf(api, bot),
    seasons: [...all].toSorted(newestFirst),
  };
}

/** Those that it has played on. A hidden one is known by its id alone. */
async function laddersOf(
  api: PageSources["api"],
  { played_ladders, ladder_id }: Bot,
): Promise<BotScope["ladders"]> {
  const ids = [...new Set([...played_ladders, ladder_id])];
  // The page names them only to switch from one to another.
  const known =
    ids.length > 1
      ? await api.find<Ladder[]>(addressOf("/api/ladders", { ladder: ladder_id }))
      : null;
  const names = new Map(known?.map(({ id, name }) => [id, name]));
  return ids.map((id) => ({ id, name: names.get(id) ?? id }));
}

function factsOf(bot: Bot): ShownBot {
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

/** Of the live standings, the ranked version or else the current one. */
function placeOf(bot: Bot, { season, live }: BotScope): BotPlace | null {
  if (season !== live) {
    const place = bot.season_history?.find((one) => one.season === season);
    if (place === undefined) return null;
    const { version, rank, leaderboard_score: score, wins, losses, draws } = place;
    return { version, rank, score, wins, losses, draws, estimate: null, qualifying: null };
  }
  const shown =
    bot.versions.find(({ rank }) => rank !== null) ??
    bot.versions.find(({ label }) => label === bot.current_version);
  if (shown === undefined) return null;
  const { label: version, rank, leaderboard_score: score, wins, losses, draws } = shown;
  const estimate = { rating: shown.rating, deviation: shown.rating_deviation };
  const qualifying = qualifyingAfter(bot, shown);
  return { version, rank, score, wins, losses, draws, estimate, qualifying };
}

/** The newest version that was made after the ranked one and has too few games to follow it. */
function qualifyingAfter(
  { versions, qualifying_games: needed }: Bot,
  shown: BotVersion,
): BotPlace["qualifying"] {
  if (shown.rank === null) return null;
  const newer = versions.slice(versions.indexOf(shown) + 1);
  const found = newer.findLast((one) => !one.retired && gamesOf(one) < needed);
  return found === undefined ? null : { version: found.label, games: gamesOf(found) };
}

const gamesOf = ({ wins, losses, draws }: BotVersion): number => wins + losses + draws;

export function botHead({ bot, place, scope }: BotData): Head {
  const whose = bot.house ? "a house bot" : `by ${bot.owner}`;
  const at = place?.rank ?? null;
  const where = scope.season === null ? scope.ladder : `${scope.ladder}, ${scope.season}`;
  const standing =
    at === null ? "not ranked yet" : `rank ${at} with ${place?.score} points (${where})`;
  return {
    title: `${bot.display_name} · Bout`,
    description: `${bot.display_name}, ${whose}: ${standing}. Rating, versions, opponents and matches.`,
  };
}
