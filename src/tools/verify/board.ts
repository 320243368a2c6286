// The leaderboard that follows from counted games by the documented rules: Bradley-Terry with the
// documented prior and anchors, exact deviations, one row per bot.

import { sure } from "#base/units/sure.ts";
import { standings } from "#core/ladder/standings.ts";
import type { RatedEntry } from "#core/ladder/standings.ts";
import {
  addResults,
  createCompetitionResults,
  setAnchors,
} from "#core/rating/competition-results.ts";
import { deviations } from "#core/rating/deviation.ts";
import { rating } from "#core/rating/fit.ts";
import type { CompetitionResults } from "#core/rating/types.ts";
import { holdsScale } from "#core/words/house.ts";
import type { BotId } from "#core/words/ids.ts";
import type { Results } from "#core/words/results.ts";

import { isLater } from "./count.ts";
import type { Count, VersionGames } from "./count.ts";

/** Rating and deviation in points, unrounded. */
export type RatedVersion = Results & {
  botId: BotId;
  name: string;
  label: string;
  rating: number;
  deviation: number;
};

export type ComputedBoard = {
  /** By version key: every version with a rated game. */
  versions: ReadonlyMap<string, RatedVersion>;
  /** Best first; the index is the rank minus one. */
  rows: readonly RatedVersion[];
  /** The versions whose mean is 1500, as `name@label`. */
  anchors: readonly string[];
};

/** What a bot's page says: whether the bot plays no more, and which labels are retired. */
export type PublicBot = { isOut: boolean; retired: ReadonlySet<string> };

/** By bot id. A bot about which nothing is known is assumed to play, and all its versions too. */
export type PublicBots = ReadonlyMap<string, PublicBot>;

export function computeBoard(
  count: Count,
  known: PublicBots,
  { qualifyingGames }: { qualifyingGames: number },
): ComputedBoard {
  const anchors = anchorsOf(count);
  const versions = ratedVersions(count, scopeOf(count, anchors));
  const places = standings(
    botsOf(count, known),
    versionsOf(count, known),
    entriesOf(count, versions),
    qualifyingGames,
  );
  return {
    versions,
    rows: places.map(({ version }) => sure(versions.get(version.id), "version")),
    anchors: anchors.map((key) => nameOf(sure(versions.get(key), "version"))),
  };
}

export const nameOf = ({ name, label }: Pick<RatedVersion, "name" | "label">): string =>
  `${name}@${label}`;

/** The last version played by each house bot except the champion, sorted. */
function anchorsOf({ versions, bots }: Count): string[] {
  const current = new Map<string, { key: string; games: VersionGames }>();
  for (const [key, games] of versions) {
    const bot = sure(bots.get(games.botId), "bot");
    const known = current.get(games.botId);
    if (!holdsScale(bot)) continue;
    if (known === undefined || isLater(games.last, known.games.last))
      current.set(games.botId, { key, games });
  }
  return [...current.values()].map(({ key }) => key).toSorted();
}

const inOrder = <T>(map: ReadonlyMap<string, T>): [string, T][] =>
  [...map].toSorted(([one], [other]) => (one < other ? -1 : 1));

/** Pairs are added in the order of their keys: the last digits of a fit depend on it. */
function scopeOf({ pairs }: Count, anchors: readonly string[]): CompetitionResults {
  const scope = createCompetitionResults();
  for (const [first, row] of inOrder(pairs))
    for (const [second, results] of inOrder(row)) addResults(scope, first, second, results);
  setAnchors(scope, anchors);
  return scope;
}

function ratedVersions(
  { versions, bots }: Count,
  scope: CompetitionResults,
): Map<string, RatedVersion> {
  const exact = deviations(scope);
  return new Map(
    [...versions].map(([key, { botId, label, wins, losses, draws }]) => {
      const { name } = sure(bots.get(botId), "bot");
      const figures = { rating: rating(scope, key), deviation: sure(exact.get(key), "deviation") };
      return [key, { botId, name, label, wins, losses, draws, ...figures }];
    }),
  );
}

const ACTIVE = { status: "active", ownerBanned: false } as const;

function botsOf({ bots }: Count, known: PublicBots) {
  return [...bots]
    .filter(([id]) => known.get(id)?.isOut !== true)
    .map(([id, { name }]) => ({ id, name, ...ACTIVE }));
}

function versionsOf({ versions }: Count, known: PublicBots) {
  return [...versions].map(([id, { botId, label }]) => {
    const isRetired = known.get(botId)?.retired.has(label) ?? false;
    return { id, botId, label, created: "", retired: isRetired };
  });
}

function entriesOf({ versions }: Count, rated: ReadonlyMap<string, RatedVersion>) {
  return new Map(
    [...versions].map(([key, { last }]): [string, RatedEntry] => [
      key,
      { ...sure(rated.get(key), "version"), lastPlayed: last.ended, lastMatchId: last.id },
    ]),
  );
}
