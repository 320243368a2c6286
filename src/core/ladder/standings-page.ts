// Which part of the standings somebody asks for.

/** What a search looks at: names as people see them, and owners. */
export type Listed = { name: string; display: string; owner: string; house: boolean };

/** Absent fields ask for everything. */
export type Wanted = {
  /** A part of a name or of an owner's name, in any letter case. */
  text?: string | undefined;
  owner?: string | undefined;
  house?: boolean | undefined;
};

/** Of the listed ones, those that are wanted, in the same order. */
export function wanted<T extends Listed>(
  all: readonly T[],
  { text = "", owner, house }: Wanted,
): readonly T[] {
  const sought = text.toLowerCase();
  const [ownerKey, isAll] = [owner?.toLowerCase(), sought === "" && house === undefined];
  if (isAll && ownerKey === undefined) return all;
  return all.filter(
    (one) =>
      (house === undefined || one.house === house) &&
      (ownerKey === undefined || one.owner.toLowerCase() === ownerKey) &&
      [one.display, one.name, one.owner].some((name) => name.toLowerCase().includes(sought)),
  );
}

/** How many come before the page of `limit` rows that one with this name is on; 0 if none is. */
export function offsetOf(rows: readonly Listed[], name: string, limit: number): number {
  const key = name.toLowerCase();
  const place = rows.findIndex((row) => row.name.toLowerCase() === key);
  return Math.max(0, place - (place % limit));
}

/** Two standard errors on either side: about 95 in 100 true strengths lie between them. */
const ERRORS = 2;

type Estimate = { rating: number; deviation: number };

/** From the lowest end of all intervals to the highest one, in whole points. */
export function rangeOf(
  estimates: readonly Estimate[],
): { lowest: number; highest: number } | null {
  if (estimates.length === 0) return null;
  let [lowest, highest] = [Infinity, -Infinity];
  for (const { rating, deviation } of estimates) {
    lowest = Math.min(lowest, rating - ERRORS * deviation);
    highest = Math.max(highest, rating + ERRORS * deviation);
  }
  return { lowest: Math.round(lowest), highest: Math.round(highest) };
}
