/** Ladder and season. Defaults to the public ladder and its live season. */
export type StandingsScope = { ladder?: string | undefined; season?: string | undefined };

/**
 * Returns the scope of a ladder's current standings. The public ladder is the default and is
 * omitted.
 */
export const ladderScope = (id: string): StandingsScope => (id === "public" ? {} : { ladder: id });

export const botPath = (name: string, scope: StandingsScope = {}): string =>
  `/bot/${encodeURIComponent(name)}${scopeQuery(scope)}`;

export const userPath = (handle: string): string => `/user/${handle}`;

export const createPath = ({ ladder }: StandingsScope = {}): string =>
  `/create-bot${scopeQuery({ ladder })}`;

export const matchPath = (id: string): string => `/match/${id}`;

/** URL fragment of links from lists that already show the result. */
export const RESULT_HASH = "#result";

/** Returns the URL of a match whose result the visitor has seen. The page shows it at once. */
export const matchResultPath = (id: string): string => `${matchPath(id)}${RESULT_HASH}`;

/** URL fragment of links to a running match. */
export const LIVE_HASH = "#live";

/**
 * Returns the URL of a running match. If the match has ended by the time the visitor arrives, the
 * page hides the result.
 */
export const liveMatchPath = (id: string): string => `${matchPath(id)}${LIVE_HASH}`;

export function scopeQuery({ ladder, season }: StandingsScope): string {
  const definedEntries = Object.entries({ ladder, season }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  const query = new URLSearchParams(definedEntries).toString();
  return query === "" ? "" : `?${query}`;
}
