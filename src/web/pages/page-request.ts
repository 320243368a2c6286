export type PathParts = Readonly<Record<string, string>>;

/** Path parameters, and the query parameters that the page reads. */
export type PageRequest = { parts: PathParts; query: Readonly<Record<string, string | undefined>> };

export type Redirect = { movedTo: string };

type Query = PageRequest["query"];

export function withQuery(path: string, query: Query): string {
  const presentParams = Object.entries(query).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== "",
  );
  return presentParams.length === 0
    ? path
    : `${path}?${new URLSearchParams(presentParams).toString()}`;
}

/**
 * Redirects without an enumerated parameter if its value is invalid. Returns null if all values are
 * valid.
 */
export function redirectWithoutUnknown(
  path: string,
  query: Query,
  values: Readonly<Record<string, readonly string[]>>,
): Redirect | null {
  const isUnknown = (name: string) => {
    const value = query[name];
    return value !== undefined && values[name]?.includes(value) === false;
  };
  const unknown = Object.keys(values).filter(isUnknown);
  if (unknown.length === 0) return null;
  const rest = Object.entries(query).filter(([name]) => !unknown.includes(name));
  return { movedTo: withQuery(path, Object.fromEntries(rest)) };
}

export const isRedirect = (data: object): data is Redirect => Object.hasOwn(data, "movedTo");
