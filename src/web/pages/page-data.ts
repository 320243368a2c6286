// What pages show of the ladder: the public API's own answers, requested inside the process.

import type { FastifyInstance } from "fastify";

import type { Status } from "#core/resources/ladder.ts";
import type { MatchData } from "#site/public/data.ts";
import type { Documents } from "#web/docs/documents.ts";
import type { ApiSettings } from "#web/http/deps.ts";
import { idOf } from "#web/http/query.ts";

/** Everything that a page can be made of. */
export type PageSources = {
  api: PublicApi;
  documents: Pick<Documents, "docs" | "revision" | "guides" | "changelog">;
  settings: Pick<ApiSettings, "baseUrl" | "anonymous" | "registrationKeyHash">;
  /** Milliseconds since 1970. */
  now: () => number;
};

type PublicApi = {
  /** For what always exists. */
  get<T>(path: string): Promise<T>;
  /** Null for a 404. */
  find<T>(path: string): Promise<T | null>;
};

/** Not an address, so no limits count these requests. */
const INSIDE = "inside";

export function askInside(app: Pick<FastifyInstance, "inject">): PublicApi {
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

  return { get, find };
}

/** A bout may end between the two requests, so the stored ones are requested again at the end. */
export async function matchData({ api }: PageSources, name: string): Promise<MatchData | null> {
  const id = idOf(name);
  if (id === null) return null;
  const ended = await endedMatch(api, id);
  if (ended !== null) return ended;
  const status = await api.get<Status>("/api/status");
  const running = status.matches.find((match) => match.id === id);
  if (running !== undefined) return { phase: "running", match: running };
  return endedMatch(api, id);
}

type EndedMatch = Extract<MatchData, { phase: "ended" }>;

async function endedMatch(api: PublicApi, id: string): Promise<EndedMatch | null> {
  const path = `/api/matches/${id}`;
  const match = await api.find<EndedMatch["match"]>(path);
  if (match === null) return null;
  const stats = match.voided ? null : await api.find<EndedMatch["stats"]>(`${path}/stats`);
  return { phase: "ended", match, stats };
}
