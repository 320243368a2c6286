// Explains a leaderboard from the listed matches: which matches it counts, and where it is still
// wrong.

import { assertDefined } from "#base/util/assert-defined.ts";
import type { BotId } from "#core/ids/ids.ts";

import { compareBoards } from "./board-differences.ts";
import type { Difference } from "./board-differences.ts";
import { computeBoard } from "./computed-board.ts";
import type { ComputedBoard, PublicBots } from "./computed-board.ts";
import { withMatches, hasRatings } from "./match-count.ts";
import type { MatchCount } from "./match-count.ts";
import type { ListedMatch, LeaderboardEntry } from "./response-schemas.ts";
import { chooseUncountedGames } from "./uncounted-games.ts";

export type BoardSnapshot = {
  shown: readonly LeaderboardEntry[];
  /** Time at which the leaderboard was read, in ms since 1970. */
  atMs: number;
  /** Matches that aren't settled yet, newest first. */
  matches: readonly ListedMatch[];
};

export type BoardRules = {
  qualifyingGames: number;
  isFrozen: boolean;
};

export type Explanation = {
  count: MatchCount;
  board: ComputedBoard;
  /** Matches that ended just before the leaderboard was read, and that it doesn't include. */
  uncounted: ReadonlySet<string>;
  differences: Difference[];
};

/**
 * Maximum time by which a leaderboard lags behind the list of matches, in ms, even on a large
 * ladder.
 */
const BOARD_LAG_MS = 5000;

/** A leaderboard with no more versions than this has exact deviations after every match. */
export const ALWAYS_EXACT_VERSIONS = 200;

/**
 * Delay after the last match, in ms, after which even the slowest full pass is over and a larger
 * leaderboard has exact deviations.
 */
const MAX_PASS_MS = 300_000;

/**
 * Returns the explanation with the fewest differences. The leaderboard is right if it tolerates all
 * of them.
 */
export function explainBoard(
  boardSnapshot: BoardSnapshot,
  settledCount: MatchCount,
  publicBots: PublicBots,
  rules: BoardRules,
): Explanation {
  const fullCount = withMatches(settledCount, boardSnapshot.matches);
  const shown = rules.isFrozen
    ? applyCurrentNames(boardSnapshot.shown, fullCount)
    : boardSnapshot.shown;
  const botsAtArchiving = rules.isFrozen
    ? ignoreLaterRetirements(publicBots, shown, fullCount)
    : publicBots;
  const uncountedChoices = chooseUncountedGames(
    shown,
    fullCount,
    rules.isFrozen ? [] : findFreshGames(boardSnapshot),
  );
  let bestExplanation: Explanation | null = null;
  for (const uncounted of uncountedChoices) {
    const countedMatches = boardSnapshot.matches.filter(({ id }) => !uncounted.has(id));
    const count = uncounted.size === 0 ? fullCount : withMatches(settledCount, countedMatches);
    const board = computeBoard(count, botsAtArchiving, rules);
    const isLarge = board.versions.size > ALWAYS_EXACT_VERSIONS;
    const isBetweenPasses = isLarge && !rules.isFrozen && hasRecentMatch(boardSnapshot);
    const differences = compareBoards(shown, board, isBetweenPasses);
    if (
      bestExplanation === null ||
      countWrongDifferences(differences) < countWrongDifferences(bestExplanation.differences)
    )
      bestExplanation = { count, board, uncounted, differences };
    if (countWrongDifferences(differences) === 0) break;
  }
  return assertDefined(bestExplanation ?? undefined, "explanation");
}

export function countWrongDifferences(differences: readonly Difference[]): number {
  return differences.filter(({ tolerated }) => !tolerated).length;
}

function hasRecentMatch({ matches, atMs }: BoardSnapshot): boolean {
  const [newest] = matches;
  return newest !== undefined && Date.parse(newest.ended) > atMs - MAX_PASS_MS;
}

/** Returns rated matches that ended so recently that the leaderboard may not include them. */
export function findFreshGames({ matches, atMs }: BoardSnapshot): ListedMatch[] {
  return matches.filter(
    (match) => !match.voided && hasRatings(match) && Date.parse(match.ended) > atMs - BOARD_LAG_MS,
  );
}

/**
 * Frozen standings keep former names, while matches show current names. An unknown name belongs to
 * the only version with this label and record.
 */
function applyCurrentNames(
  shown: readonly LeaderboardEntry[],
  { versions, bots }: MatchCount,
): LeaderboardEntry[] {
  const knownNames = new Set([...bots.values()].map(({ name }) => name));
  const listedNames = new Set(shown.map(({ name }) => name));
  const currentName = (botId: BotId) => assertDefined(bots.get(botId), "bot").name;
  return shown.map((row) => {
    if (knownNames.has(row.name)) return row;
    const identicalVersions = [...versions.values()].filter(
      ({ botId, label, wins, losses, draws }) =>
        !listedNames.has(currentName(botId)) &&
        label === row.version &&
        wins === row.wins &&
        losses === row.losses &&
        draws === row.draws,
    );
    const [onlyVersion] = identicalVersions;
    return onlyVersion !== undefined && identicalVersions.length === 1
      ? { ...row, name: currentName(onlyVersion.botId) }
      : row;
  });
}

/**
 * The time at which a bot or version was retired isn't public. If frozen standings include it, it
 * must have been retired later.
 */
function ignoreLaterRetirements(
  publicBots: PublicBots,
  shown: readonly LeaderboardEntry[],
  { bots }: MatchCount,
): PublicBots {
  const listedLabels = new Map(shown.map(({ name, version }) => [name, version]));
  return new Map(
    [...publicBots].map(([id, publicBot]) => {
      const label = listedLabels.get(bots.get(id)?.name ?? "");
      if (label === undefined) return [id, publicBot];
      return [id, { isInactive: false, retired: publicBot.retired.difference(new Set([label])) }];
    }),
  );
}
