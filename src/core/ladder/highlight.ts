// Which matches may count as the biggest swing or the biggest upset of a competition.

/** A ladder without seasons may last a single evening, in which few versions are ever ranked. */
const SETTLED_GAMES_WITHOUT_SEASONS = 5;

/**
 * Returns whether both ratings had settled: a version's first games always move its rating a lot.
 */
export function areRatingsSettled(
  { season }: { season: string | null },
  gamesBefore: readonly number[],
  qualifyingGames: number,
): boolean {
  const requiredGames = season === null ? SETTLED_GAMES_WITHOUT_SEASONS : qualifyingGames;
  return Math.min(...gamesBefore) >= requiredGames;
}
