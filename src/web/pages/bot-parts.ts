// What each part of a bot's page reads, and nothing else.

import { SECOND_MS } from "#base/units/time.ts";
import { MAP_NAMES } from "#core/engine/maps.ts";
import type { ApiIndex } from "#core/resources/api.ts";
import type {
  BotStyle,
  Comparison,
  Losses,
  RecordOnMap,
  OpponentRecord,
} from "#core/resources/bot-record.ts";
import type { Bot, BotVersion, RatingHistory } from "#core/resources/bot.ts";
import type { Match } from "#core/resources/match.ts";
import type { SeasonMatchups } from "#core/resources/season.ts";
import { FIXED } from "#core/words/limits.ts";
import { MATCH_RESULTS } from "#site/bot/data.ts";
import type { BotPart, BotPartData, BotScope, ChartData } from "#site/bot/data.ts";

import type { PageSources } from "./page-data.ts";
import { addressOf } from "./page-request.ts";
import type { PageRequest } from "./page-request.ts";

type Asked = PageSources & { bot: Bot; scope: BotScope; query: PageRequest["query"] };

type Reader = (asked: Asked) => Promise<BotPartData>;

export const PART_READERS: Readonly<Record<BotPart, Reader>> = {
  overview,
  opponents,
  versions,
  losses,
  matches,
};

const VERSIONS_SHOWN = 25;
const MATCHES_SHOWN = 50;
/** As many as the list of those met last has. */
const OPPONENTS_SHOWN = FIXED.opponents_shown;

async function overview(asked: Asked): Promise<BotPartData> {
  const { api, bot, scope } = asked;
  const [history, maps, style, tick_ms, matches] = await Promise.all([
    api.get<RatingHistory>(about(asked, "ratings", inScope(scope))),
    api.get<RecordOnMap[]>(about(asked, "maps", inScope(scope))),
    api.get<BotStyle>(about(asked, "style", inScope(scope))),
    tickMs(asked),
    scope.season === scope.live ? bot.recent_matches : seasonMatches(asked),
  ]);
  const version = bot.versions.find(({ label }) => label === bot.current_version) ?? null;
  return { part: "overview", chart: chartOf(history), maps, style, version, tick_ms, matches };
}

const seasonMatches = ({ api, bot, scope }: Asked): Promise<Match[]> =>
  api.get(addressOf("/api/matches", { bot: bot.name, ...inScope(scope), limit: "20" }));

/** Of all its versions those met last; of one version those it met most. */
async function opponents(asked: Asked): Promise<BotPartData> {
  const { api, bot, scope, query } = asked;
  const { version } = query;
  const shown = { part: "opponents", version: version ?? null, labels: labelsOf(bot) } as const;
  if (version === undefined || scope.season === null) {
    const path = about(asked, "opponents", inScope(scope));
    const met = await api.get<OpponentRecord[]>(path);
    return { ...shown, version: null, opponents: met, total: met.length };
  }
  const wanted = { bot: bot.name, version, minimum: "1", all: "1" };
  const path = addressOf(`/api/seasons/${scope.season}/matchups`, wanted);
  const found = await api.find<SeasonMatchups>(path);
  if (found === null) return { ...shown, opponents: null, total: 0 };
  const most = found.best
    .toSorted((one, other) => other.games - one.games)
    .slice(0, OPPONENTS_SHOWN)
    .map((row) => ({ ...row, last_played: null }));
  return { ...shown, opponents: most, total: found.total };
}

async function versions(asked: Asked): Promise<BotPartData> {
  const { api, bot, scope, query } = asked;
  const { before } = query;
  const { ladder } = scope;
  const limit = String(VERSIONS_SHOWN);
  const [found, compared, tick_ms] = await Promise.all([
    api.find<BotVersion[]>(about(asked, "versions", { ladder, before, limit })),
    comparedIn(asked),
    tickMs(asked),
  ]);
  const shown = found ?? [];
  return {
    part: "versions",
    versions: shown,
    older: shown.length < VERSIONS_SHOWN ? null : (shown.at(-1)?.label ?? null),
    isFirst: before === undefined,
    tick_ms,
    compared,
    labels: labelsOf(bot),
  };
}

type Compared = Extract<BotPartData, { part: "versions" }>["compared"];

async function comparedIn(asked: Asked): Promise<Compared> {
  const { api, scope, query } = asked;
  const { a, b } = query;
  if (a === undefined || b === undefined) return null;
  if (a === b) return { a, b, result: null };
  const path = about(asked, "compare", { a, b, ladder: scope.ladder });
  return { a, b, result: await api.find<Comparison>(path) };
}

/** Of the version asked for, else of the current one. */
async function losses(asked: Asked): Promise<BotPartData> {
  const { api, bot, scope, query } = asked;
  const version = query.version ?? bot.current_version;
  const labels = labelsOf(bot);
  if (version === null) return { part: "losses", version, losses: null, labels };
  const path = about(asked, "losses", { version, ...inScope(scope) });
  return { part: "losses", version, losses: await api.find<Losses>(path), labels };
}

async function matches(asked: Asked): Promise<BotPartData> {
  const { api, bot, scope, query } = asked;
  const { before, version, opponent, map } = query;
  const result = MATCH_RESULTS.find((one) => one === query.result);
  const filter = { version, opponent, map, result };
  const limit = String(MATCHES_SHOWN);
  const wanted = { bot: bot.name, ...inScope(scope), ...filter, before, limit };
  const found = await api.find<Match[]>(addressOf("/api/matches", wanted));
  const isLast = found === null || found.length < MATCHES_SHOWN;
  return {
    part: "matches",
    filter,
    matches: found,
    older: isLast ? null : (found.at(-1)?.id ?? null),
    isFirst: before === undefined,
    labels: labelsOf(bot),
    maps: MAP_NAMES,
  };
}

/** Newest first. */
const labelsOf = ({ versions: shown }: Bot): string[] =>
  shown.map(({ label }) => label).toReversed();

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

const about = ({ bot }: Asked, what: string, values: Values): string =>
  addressOf(`/api/bots/${bot.name}/${what}`, values);

const inScope = ({ ladder, season }: BotScope): Values => ({
  ladder,
  season: season ?? undefined,
});
