// The site's pages are made of the public API's own answers, asked for inside the process.

import type { FastifyInstance } from "fastify";

import type { MatchStats } from "#core/engine/types.ts";
import type { ApiIndex } from "#core/resources/api.ts";
import type { ApiSettings } from "#web/http/deps.ts";

import type { PageDeps } from "./pages.ts";

type Data<K extends keyof PageDeps> = PageDeps[K] extends () => Promise<infer T> ? T : never;
type Matches = Awaited<ReturnType<PageDeps["matches"]>>;
type Settings = Pick<ApiSettings, "baseUrl" | "anonymous" | "registrationKeyHash">;

/** What a newcomer reads first. */
const ENTRY_DOCS = ["/docs/quick-start", "/docs/protocol", "/docs/starters"];

/** No address, so nobody's limits count these requests. */
const INSIDE = "inside";

export function pageDeps(app: Pick<FastifyInstance, "inject">, settings: Settings): PageDeps {
  async function get<T>(path: string): Promise<T> {
    const found = await find<T>(path);
    if (found === null) throw new Error(`the page's own data is missing: ${path}`);
    return found;
  }

  async function find<T>(path: string): Promise<T | null> {
    const { statusCode, body } = await app.inject({ url: path, remoteAddress: INSIDE });
    if (statusCode === 404) return null;
    if (statusCode !== 200) throw new Error(`${path} answered ${statusCode} to a page`);
    return JSON.parse(body) as T;
  }

  return {
    leaderboard: () => get<Data<"leaderboard">>("/api/leaderboard"),
    status: () => get<Data<"status">>("/api/status"),
    lobby: () => get<Data<"lobby">>("/api/lobby"),
    matches: (limit) => get<Matches>(`/api/matches?limit=${limit}`),
    match: (id) => find<Matches[number]>(`/api/matches/${encodeURIComponent(id)}`),
    stats: (id) => find<MatchStats>(`/api/matches/${encodeURIComponent(id)}/stats`),
    qualifyingGames: async () =>
      (await get<ApiIndex>("/api")).operational_policy.ladder.qualifying_games,
    enter: {
      base_url: settings.baseUrl,
      account_needed: !settings.anonymous,
      registration_key_needed: settings.registrationKeyHash !== null,
      docs: ENTRY_DOCS,
      starter: "/download/bots/starter.ts",
    },
    now: () => Date.now(),
  };
}
