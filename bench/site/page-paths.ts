import { assertDefined } from "#base/util/assert-defined.ts";

export async function fetchPageJson<T>(baseUrl: string, path: string): Promise<T> {
  const response = await fetch(baseUrl + path);
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  return (await response.json()) as T;
}

async function readSitemap(baseUrl: string): Promise<string[]> {
  const text = await (await fetch(`${baseUrl}/sitemap.xml`)).text();
  return [...text.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url]) => {
    const { pathname, search } = new URL(assertDefined(url, "address").replaceAll("&amp;", "&"));
    return pathname + search;
  });
}

/** Returns all paths in the sitemap, plus the paths of the top bot and the newest match, if any. */
export async function listAllPaths(baseUrl: string): Promise<string[]> {
  const [bot] = await fetchPageJson<{ name: string }[]>(baseUrl, "/api/leaderboard");
  const [match] = await fetchPageJson<{ id: string }[]>(baseUrl, "/api/matches?limit=1");
  return [
    ...(await readSitemap(baseUrl)),
    ...(bot === undefined ? [] : [`/bot/${encodeURIComponent(bot.name)}`]),
    ...(match === undefined ? [] : [`/match/${match.id}`, `/view/${match.id}`]),
  ];
}

/** The longest guide that readers read from start to finish. */
const SAMPLE_GUIDE = "/guide/protocol";

/**
 * Filters the paths to one page of each indexed kind, with a single guide and no embedded frames.
 */
export const onePerKind = (paths: readonly string[]): string[] =>
  paths.filter(
    (path) => path === SAMPLE_GUIDE || !(path.startsWith("/guide/") || path.startsWith("/view/")),
  );
