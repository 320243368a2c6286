// Computes the leaderboard from counted matches by the published method: Bradley-Terry with its
// prior and anchors, exact deviations, one row per bot.

import { assertDefined } from "#base/util/assert-defined.ts";
import { isScaleAnchor } from "#core/ids/house-bots.ts";
import type { BotId } from "#core/ids/ids.ts";
import type { Results } from "#core/ids/results.ts";
import { rankBots } from "#core/ladder/standings.ts";
import type { RatedVersionEntry } from "#core/ladder/standings.ts";
import {
  addPairResults,
  createCompetitionResults,
  setAnchors,
} from "#core/rating/competition-results.ts";
import { exactDeviations as deviations } from "#core/rating/deviation.ts";
import { ratingOf } from "#core/rating/fit.ts";
import type { CompetitionResults } from "#core/rating/types.ts";

import { endedLater } from "./match-count.ts";
import type { MatchCount, VersionGames } from "./match-count.ts";

/** Rating and deviation in points, unrounded. */
export type RatedVersion = Results & {
  botId: BotId;
  name: string;
  label: string;
  rating: number;
  deviation: number;
};

export type ComputedBoard = {
  /** By version key: every version that has a rated match. */
  versions: ReadonlyMap<string, RatedVersion>;
  /** Best first. The rank is the index plus one. */
  rows: readonly RatedVersion[];
  /** Versions whose mean rating is fixed at 1500, as `name@label`. */
  anchors: readonly string[];
};

/** Facts from a bot's page. `retired` contains version labels. */
export type PublicBot = { isInactive: boolean; retired: ReadonlySet<string> };

/** By bot id. If a bot is missing, it is assumed to be active and to have no retired versions. */
export type PublicBots = ReadonlyMap<string, PublicBot>;

export function computeBoard(
  count: MatchCount,
  publicBots: PublicBots,
  { qualifyingGames }: { qualifyingGames: number },
): ComputedBoard {
  const anchors = findAnchors(count);
  const versions = rateVersions(count, createResults(count, anchors));
  const rankedPlaces = rankBots(
    listActiveBots(count, publicBots),
    listVersions(count, publicBots),
    createEntries(count, versions),
    qualifyingGames,
  );
  return {
    versions,
    rows: rankedPlaces.map(({ version }) => assertDefined(versions.get(version.id), "version")),
    anchors: anchors.map((key) => botVersionName(assertDefined(versions.get(key), "version"))),
  };
}

export const botVersionName = ({ name, label }: Pick<RatedVersion, "name" | "label">): string =>
  `${name}@${label}`;

/** Returns the version that each house bot except the champion played last, sorted. */
function findAnchors({ versions, bots }: MatchCount): string[] {
  const current = new Map<string, { key: string; games: VersionGames }>();
  for (const [key, games] of versions) {
    const bot = assertDefined(bots.get(games.botId), "bot");
    const latestPlayed = current.get(games.botId);
    if (!isScaleAnchor(bot)) continue;
    if (latestPlayed === undefined || endedLater(games.lastEnd, latestPlayed.games.lastEnd))
      current.set(games.botId, { key, games });
  }
  return [...current.values()].map(({ key }) => key).toSorted();
}

const sortedEntries = <T>(map: ReadonlyMap<string, T>): [string, T][] =>
  [...map].toSorted(([firstKey], [secondKey]) => (firstKey < secondKey ? -1 : 1));

/** Adds pairs in key order, because the last digits of a fit depend on the order. */
function createResults({ pairs }: MatchCount, anchors: readonly string[]): CompetitionResults {
  const competitionResults = createCompetitionResults();
  for (const [first, row] of sortedEntries(pairs))
    for (const [second, results] of sortedEntries(row))
      addPairResults(competitionResults, first, second, results);
  setAnchors(competitionResults, anchors);
  return competitionResults;
}

function rateVersions(
  { versions, bots }: MatchCount,
  competitionResults: CompetitionResults,
): Map<string, RatedVersion> {
  const exact = deviations(competitionResults);
  return new Map(
    [...versions].map(([key, { botId, label, wins, losses, draws }]) => {
      const { name } = assertDefined(bots.get(botId), "bot");
      const ratingFields = {
        rating: ratingOf(competitionResults, key),
        deviation: assertDefined(exact.get(key), "deviation"),
      };
      return [key, { botId, name, label, wins, losses, draws, ...ratingFields }];
    }),
  );
}

const ACTIVE_BOT = { status: "active", ownerBanned: false } as const;

function listActiveBots({ bots }: MatchCount, publicBots: PublicBots) {
  return [...bots]
    .filter(([id]) => publicBots.get(id)?.isInactive !== true)
    .map(([id, { name }]) => ({ id, name, ...ACTIVE_BOT }));
}

function listVersions({ versions }: MatchCount, publicBots: PublicBots) {
  return [...versions].map(([id, { botId, label }]) => {
    const isRetired = publicBots.get(botId)?.retired.has(label) ?? false;
    return { id, botId, label, created: "", retired: isRetired };
  });
}

function createEntries({ versions }: MatchCount, ratedByKey: ReadonlyMap<string, RatedVersion>) {
  return new Map(
    [...versions].map(([key, { lastEnd }]): [string, RatedVersionEntry] => [
      key,
      {
        ...assertDefined(ratedByKey.get(key), "version"),
        lastPlayed: lastEnd.ended,
        lastMatchId: lastEnd.id,
      },
    ]),
  );
}
