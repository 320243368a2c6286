// URLs of pages.

/** Standings of a page; defaults to the live season of the public ladder. */
export type StandingsScope = { ladder?: string | undefined; season?: string | undefined };

/** Current standings of a ladder. The default ladder is omitted. */
export const ladderScope = (id: string): StandingsScope => (id === "public" ? {} : { ladder: id });

export const botPath = (name: string, scope: StandingsScope = {}): string =>
  `/bot/${encodeURIComponent(name)}${scopeQuery(scope)}`;

export const userPath = (handle: string): string => `/user/${handle}`;

/** Page that creates a bot for a ladder. */
export const createPath = ({ ladder }: StandingsScope = {}): string =>
  `/create-bot${scopeQuery({ ladder })}`;

export const matchPath = (id: string): string => `/match/${id}`;

/** Query of links to a running match. */
export const LIVE_HASH = "#live";

/** URL of a running match. If it's over by then, the page doesn't spoil the result. */
export const liveMatchPath = (id: string): string => `${matchPath(id)}${LIVE_HASH}`;

/** Query string for these standings. */
export function scopeQuery({ ladder, season }: StandingsScope): string {
  const definedEntries = Object.entries({ ladder, season }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  const query = new URLSearchParams(definedEntries).toString();
  return query === "" ? "" : `?${query}`;
}
