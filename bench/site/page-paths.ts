// Finds the pages of a running ladder in its sitemap and its lists.

import { assertDefined } from "#base/util/assert-defined.ts";

export async function fetchPageJson<T>(baseUrl: string, path: string): Promise<T> {
  const response = await fetch(baseUrl + path);
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  return (await response.json()) as T;
}

/** Paths of the sitemap in order, without the host. */
async function readSitemap(baseUrl: string): Promise<string[]> {
  const text = await (await fetch(`${baseUrl}/sitemap.xml`)).text();
  return [...text.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url]) => {
    const { pathname, search } = new URL(assertDefined(url, "address").replaceAll("&amp;", "&"));
    return pathname + search;
  });
}

/** All pages in the sitemap, plus the best bot and the newest match, if there are any. */
export async function listAllPaths(baseUrl: string): Promise<string[]> {
  const [bot] = await fetchPageJson<{ name: string }[]>(baseUrl, "/api/leaderboard");
  const [match] = await fetchPageJson<{ id: string }[]>(baseUrl, "/api/matches?limit=1");
  return [
    ...(await readSitemap(baseUrl)),
    ...(bot === undefined ? [] : [`/bot/${encodeURIComponent(bot.name)}`]),
    ...(match === undefined ? [] : [`/match/${match.id}`, `/view/${match.id}`]),
  ];
}

/** The longest guide that people read from top to bottom. */
const SAMPLE_GUIDE = "/guide/protocol";

/** One page of each indexed kind: one guide is enough, and no embedded frames. */
export const onePerKind = (paths: readonly string[]): string[] =>
  paths.filter(
    (path) => path === SAMPLE_GUIDE || !(path.startsWith("/guide/") || path.startsWith("/view/")),
  );
