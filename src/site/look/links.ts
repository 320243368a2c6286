// Addresses of pages about one thing.

/** The standings that a page is about: by default those of the live season of public. */
export type Scope = { ladder?: string | undefined; season?: string | undefined };

export const botPath = (name: string, scope: Scope = {}): string =>
  `/bot/${encodeURIComponent(name)}${inScope(scope)}`;

export const matchPath = (id: string): string => `/match/${id}`;

function inScope({ ladder, season }: Scope): string {
  const given = Object.entries({ ladder, season }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  const query = new URLSearchParams(given).toString();
  return query === "" ? "" : `?${query}`;
}
