// Decides which matches can be the biggest swing or the biggest upset in a competition.

/**
 * A ladder without seasons may last only one evening, in which few versions get enough games for a
 * rank.
 */
const SETTLED_GAMES_WITHOUT_SEASONS = 5;

/**
 * Returns whether both versions had settled ratings before the match. A new version's first games
 * always move its rating a lot.
 */
export function areRatingsSettled(
  { season }: { season: string | null },
  gamesBefore: readonly number[],
  qualifyingGames: number,
): boolean {
  const requiredGames = season === null ? SETTLED_GAMES_WITHOUT_SEASONS : qualifyingGames;
  return Math.min(...gamesBefore) >= requiredGames;
}
