import { SECOND_MS } from "#base/util/time.ts";
import type { ApiIndex } from "#core/api/api-index.ts";
import type {
  BotStyle,
  VersionComparison,
  Losses,
  BotMapRecord,
  OpponentRecord,
} from "#core/api/bot-record.ts";
import type { Bot, BotVersion, RatingHistory } from "#core/api/bot.ts";
import type { Match } from "#core/api/match.ts";
import type { SeasonMatchups } from "#core/api/season.ts";
import { MAP_NAMES } from "#core/engine/maps.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";
import { MATCH_RESULTS } from "#site/bot/data.ts";
import type { BotPart, BotPartData, BotScope, ChartData } from "#site/bot/data.ts";

import type { PageSources } from "./page-data.ts";
import { withQuery } from "./page-request.ts";
import type { PageRequest } from "./page-request.ts";

type PartRequest = PageSources & { bot: Bot; scope: BotScope; query: PageRequest["query"] };

type Reader = (request: PartRequest) => Promise<BotPartData>;

export const PART_READERS: Readonly<Record<BotPart, Reader>> = {
  overview,
  opponents,
  versions,
  losses,
  matches,
};

const VERSIONS_SHOWN = 25;
const MATCHES_SHOWN = 50;
/** Matches the length of the list of recent opponents. */
const OPPONENTS_SHOWN = FIXED_LIMITS.opponents_shown;

async function overview(request: PartRequest): Promise<BotPartData> {
  const { api, bot, scope } = request;
  const [history, maps, style, tick_ms, matches] = await Promise.all([
    api.get<RatingHistory>(botPath(request, "ratings", scopeParams(scope))),
    api.get<BotMapRecord[]>(botPath(request, "maps", scopeParams(scope))),
    api.get<BotStyle>(botPath(request, "style", scopeParams(scope))),
    tickMs(request),
    scope.season === scope.liveSeason ? bot.recent_matches : seasonMatches(request),
  ]);
  const version = bot.versions.find(({ label }) => label === bot.current_version) ?? null;
  return { part: "overview", chart: chartOf(history), maps, style, version, tick_ms, matches };
}

const seasonMatches = ({ api, bot, scope }: PartRequest): Promise<Match[]> =>
  api.get(withQuery("/api/matches", { bot: bot.name, ...scopeParams(scope), limit: "20" }));

/**
 * For all versions, returns the most recent opponents. For one version, returns the most frequent
 * opponents.
 */
async function opponents(request: PartRequest): Promise<BotPartData> {
  const { api, bot, scope, query } = request;
  const { version } = query;
  const commonData = {
    part: "opponents",
    version: version ?? null,
    labels: labelsOf(bot),
  } as const;
  if (version === undefined || scope.season === null) {
    const path = botPath(request, "opponents", scopeParams(scope));
    const records = await api.get<OpponentRecord[]>(path);
    return { ...commonData, version: null, opponents: records, total: records.length };
  }
  const params = { bot: bot.name, version, minimum: "1", all: "1" };
  const path = withQuery(`/api/seasons/${scope.season}/matchups`, params);
  const response = await api.find<SeasonMatchups>(path);
  if (response === null) return { ...commonData, opponents: null, total: 0 };
  const mostPlayed = response.best
    .toSorted((first, second) => second.games - first.games)
    .slice(0, OPPONENTS_SHOWN)
    .map((row) => ({ ...row, last_played: null }));
  return { ...commonData, opponents: mostPlayed, total: response.total };
}

async function versions(request: PartRequest): Promise<BotPartData> {
  const { api, bot, scope, query } = request;
  const { before } = query;
  const { ladder } = scope;
  const limit = String(VERSIONS_SHOWN);
  const [response, compared, tick_ms] = await Promise.all([
    api.find<BotVersion[]>(botPath(request, "versions", { ladder, before, limit })),
    readComparison(request),
    tickMs(request),
  ]);
  const shownVersions = response ?? [];
  return {
    part: "versions",
    versions: shownVersions,
    olderCursor:
      shownVersions.length < VERSIONS_SHOWN ? null : (shownVersions.at(-1)?.label ?? null),
    isFirstPage: before === undefined,
    tick_ms,
    comparison: compared,
    labels: labelsOf(bot),
  };
}

type Compared = Extract<BotPartData, { part: "versions" }>["comparison"];

async function readComparison(request: PartRequest): Promise<Compared> {
  const { api, scope, query } = request;
  const { a, b } = query;
  if (a === undefined || b === undefined) return null;
  if (a === b) return { a, b, result: null };
  const path = botPath(request, "compare", { a, b, ladder: scope.ladder });
  return { a, b, result: await api.find<VersionComparison>(path) };
}

/** Covers the requested version, or the current version by default. */
async function losses(request: PartRequest): Promise<BotPartData> {
  const { api, bot, scope, query } = request;
  const version = query.version ?? bot.current_version;
  const labels = labelsOf(bot);
  if (version === null) return { part: "losses", version, losses: null, labels };
  const path = botPath(request, "losses", { version, ...scopeParams(scope) });
  return { part: "losses", version, losses: await api.find<Losses>(path), labels };
}

async function matches(request: PartRequest): Promise<BotPartData> {
  const { api, bot, scope, query } = request;
  const { before, version, opponent, map } = query;
  const result = MATCH_RESULTS.find((first) => first === query.result);
  const filter = { version, opponent, map, result };
  const limit = String(MATCHES_SHOWN);
  const params = { bot: bot.name, ...scopeParams(scope), ...filter, before, limit };
  const response = await api.find<Match[]>(withQuery("/api/matches", params));
  const isLast = response === null || response.length < MATCHES_SHOWN;
  return {
    part: "matches",
    filter,
    matches: response,
    olderCursor: isLast ? null : (response.at(-1)?.id ?? null),
    isFirstPage: before === undefined,
    labels: labelsOf(bot),
    maps: MAP_NAMES,
  };
}

const labelsOf = ({ versions: shownVersions }: Bot): string[] =>
  shownVersions.map(({ label }) => label).toReversed();

function chartOf({ games, points }: RatingHistory): ChartData {
  const labels = [...new Set(points.map(({ version }) => version))];
  return {
    games,
    versions: labels,
    points: points.map(({ ended, rating, rating_deviation, version }) => [
      Date.parse(ended),
      rating,
      rating_deviation,
      labels.indexOf(version),
    ]),
  };
}

async function tickMs({ api }: PageSources): Promise<number> {
  const { operational_policy } = await api.get<ApiIndex>("/api");
  return operational_policy.deadlines.tick_s * SECOND_MS;
}

type Values = Readonly<Record<string, string | undefined>>;

const botPath = ({ bot }: PartRequest, resource: string, values: Values): string =>
  withQuery(`/api/bots/${bot.name}/${resource}`, values);

const scopeParams = ({ ladder, season }: BotScope): Values => ({
  ladder,
  season: season ?? undefined,
});
