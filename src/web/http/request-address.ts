export type RequestAddress = { path: string; query: string };

/**
 * Returns path and query of a request target. If the target is an absolute URL, its host is
 * ignored.
 */
export function parseAddress(url: string): RequestAddress {
  const [, path = "", query = ""] = /^([^?#]*)(\?[^#]*)?/s.exec(url.replace(ORIGIN, "")) ?? [];
  return { path, query };
}

const ORIGIN = /^https?:\/\/[^/]*/i;
