export type RequestAddress = { path: string; query: string };

/**
 * Returns path and query of a request target, which may be an absolute URL whose host is ignored.
 */
export function parseAddress(url: string): RequestAddress {
  const [, path = "", query = ""] = /^([^?#]*)(\?[^#]*)?/s.exec(url.replace(ORIGIN, "")) ?? [];
  return { path, query };
}

const ORIGIN = /^https?:\/\/[^/]*/i;
