// Addresses of pages about one thing.

/** The standings that a page is about: by default those of the live season of public. */
export type Scope = { ladder?: string | undefined; season?: string | undefined };

/** The standings of a ladder now. The default one is never named. */
export const ladderScope = (id: string): Scope => (id === "public" ? {} : { ladder: id });

export const botPath = (name: string, scope: Scope = {}): string =>
  `/bot/${encodeURIComponent(name)}${inScope(scope)}`;

export const userPath = (handle: string): string => `/user/${handle}`;

/** Where a bot for a ladder is made. */
export const createPath = ({ ladder }: Scope = {}): string => `/create-bot${inScope({ ladder })}`;

export const matchPath = (id: string): string => `/match/${id}`;

/** What the address of a bout ends with that a reader was told is being fought. */
export const LIVE_HASH = "#live";

/** To a bout that is being fought: should it be over by then, its page says so and tells no more. */
export const livePath = (id: string): string => `${matchPath(id)}${LIVE_HASH}`;

/** The end of an address that is about these standings. */
export function inScope({ ladder, season }: Scope): string {
  const given = Object.entries({ ladder, season }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  const query = new URLSearchParams(given).toString();
  return query === "" ? "" : `?${query}`;
}
