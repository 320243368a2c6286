// What a request for a page says, and the answer that it is elsewhere.

/** Path parameters by name. */
export type PathParts = Readonly<Record<string, string>>;

/** What a request says: path parameters, and those of its query that the page reads. */
export type PageRequest = { parts: PathParts; query: Readonly<Record<string, string | undefined>> };

/** The page is at another address: one address for one thing. */
export type Moved = { movedTo: string };

type Query = PageRequest["query"];

/** A path with the parameters that have a value. */
export function addressOf(path: string, query: Query): string {
  const given = Object.entries(query).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== "",
  );
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given).toString()}`;
}

/**
 * A parameter with a closed list of values may be given another one. The page is then at the
 * address without it; null if there is no such parameter.
 */
export function withoutUnknown(
  path: string,
  query: Query,
  values: Readonly<Record<string, readonly string[]>>,
): Moved | null {
  const isUnknown = (name: string) => {
    const given = query[name];
    return given !== undefined && values[name]?.includes(given) === false;
  };
  const unknown = Object.keys(values).filter(isUnknown);
  if (unknown.length === 0) return null;
  const rest = Object.entries(query).filter(([name]) => !unknown.includes(name));
  return { movedTo: addressOf(path, Object.fromEntries(rest)) };
}

export const isMoved = (found: object): found is Moved => Object.hasOwn(found, "movedTo");
