// The pages of a running ladder, as its sitemap and its lists name them.

import { sure } from "#base/units/sure.ts";

export async function ask<T>(baseUrl: string, path: string): Promise<T> {
  const response = await fetch(baseUrl + path);
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  return (await response.json()) as T;
}

/** Paths of the sitemap, in its order, whatever the host in it. */
async function sitemap(baseUrl: string): Promise<string[]> {
  const text = await (await fetch(`${baseUrl}/sitemap.xml`)).text();
  return [...text.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url]) => {
    const { pathname, search } = new URL(sure(url, "address").replaceAll("&amp;", "&"));
    return pathname + search;
  });
}

/** Everything in the sitemap, and the best bot and the newest match, if there are any. */
export async function everyPage(baseUrl: string): Promise<string[]> {
  const [bot] = await ask<{ name: string }[]>(baseUrl, "/api/leaderboard");
  const [match] = await ask<{ id: string }[]>(baseUrl, "/api/matches?limit=1");
  return [
    ...(await sitemap(baseUrl)),
    ...(bot === undefined ? [] : [`/bot/${encodeURIComponent(bot.name)}`]),
    ...(match === undefined ? [] : [`/match/${match.id}`, `/view/${match.id}`]),
  ];
}

/** Of the guides the longest one that people read from top to bottom. */
const GUIDE = "/guide/protocol";

/** One page of each kind that is indexed: of the guides one is enough, and none for frames. */
export const oneOfEach = (paths: readonly string[]): string[] =>
  paths.filter(
    (path) => path === GUIDE || !(path.startsWith("/guide/") || path.startsWith("/view/")),
  );
