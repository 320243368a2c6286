export type SearchableBot = { name: string; display: string; owner: string; house: boolean };

export type StandingsSearch = {
  text?: string | undefined;
  owner?: string | undefined;
  house?: boolean | undefined;
};

export function filterStandings<T extends SearchableBot>(
  bots: readonly T[],
  { text = "", owner, house }: StandingsSearch,
): readonly T[] {
  const query = text.toLowerCase();
  const [ownerKey, isUnfiltered] = [owner?.toLowerCase(), query === "" && house === undefined];
  if (isUnfiltered && ownerKey === undefined) return bots;
  return bots.filter(
    (bot) =>
      (house === undefined || bot.house === house) &&
      (ownerKey === undefined || bot.owner.toLowerCase() === ownerKey) &&
      [bot.display, bot.name, bot.owner].some((name) => name.toLowerCase().includes(query)),
  );
}

/**
 * Returns the offset of the page that contains this name, with `limit` rows per page. Returns 0 for
 * an unknown name.
 */
export function pageOffset(rows: readonly SearchableBot[], name: string, limit: number): number {
  const key = name.toLowerCase();
  const rowIndex = rows.findIndex((row) => row.name.toLowerCase() === key);
  return Math.max(0, rowIndex - (rowIndex % limit));
}

/** Two standard errors on either side contain about 95% of true strengths. */
const STANDARD_ERRORS = 2;

type RatingEstimate = { rating: number; deviation: number };

/** Returns the lowest and highest ends of all intervals, in whole points. */
export function intervalRange(
  estimates: readonly RatingEstimate[],
): { lowest: number; highest: number } | null {
  if (estimates.length === 0) return null;
  let [lowest, highest] = [Infinity, -Infinity];
  for (const { rating, deviation } of estimates) {
    lowest = Math.min(lowest, rating - STANDARD_ERRORS * deviation);
    highest = Math.max(highest, rating + STANDARD_ERRORS * deviation);
  }
  return { lowest: Math.round(lowest), highest: Math.round(highest) };
}
