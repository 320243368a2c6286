// Which matches may count as the biggest swing or the biggest upset of a competition.

/** A ladder without seasons may last a single evening, in which few versions are ever ranked. */
const SETTLED_GAMES_WITHOUT_SEASONS = 5;

/** Whether both ratings had settled: the first games of a version always move it far. */
export function wereSettled(
  { season }: { season: string | null },
  gamesBefore: readonly number[],
  qualifyingGames: number,
): boolean {
  const needed = season === null ? SETTLED_GAMES_WITHOUT_SEASONS : qualifyingGames;
  return Math.min(...gamesBefore) >= needed;
}
