export type RequestAddress = { path: string; query: string };

/** Path and query of a request line, which may hold a whole URL; its host is ignored here. */
export function addressOf(url: string): RequestAddress {
  const [, path = "", query = ""] = /^([^?#]*)(\?[^#]*)?/s.exec(url.replace(ORIGIN, "")) ?? [];
  return { path, query };
}

const ORIGIN = /^https?:\/\/[^/]*/i;
