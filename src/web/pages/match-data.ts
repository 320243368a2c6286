import type { ApiIndex } from "#core/api/api-index.ts";
import type { Ladder } from "#core/api/ladder-results.ts";
import type { ServerStatus } from "#core/api/ladder.ts";
import type { Match } from "#core/api/match.ts";
import type { MatchStats } from "#core/engine/types.ts";
import { DEFAULT_LADDER } from "#core/ladder/ladder.ts";
import type {
  AdjacentMatches,
  EndedMatch,
  MatchData,
  AdjacentMatch,
  ViewData,
} from "#site/shell/data.ts";
import { parseId } from "#web/http/route-params.ts";

import { findEvents } from "./event-data.ts";
import type { PageSources, PublicApi } from "./page-data.ts";

type MatchRedirect = { movedTo: string };

type ListedMatch = Match & { stats?: MatchStats | null };

export async function matchData(
  { api, settings, documents }: PageSources,
  name: string,
): Promise<MatchData | MatchRedirect | null> {
  const matchPage = await findMatchPage(api, name, "match");
  if (matchPage === null || "movedTo" in matchPage) return matchPage;
  const ladder_name = await ladderName(api, matchPage.match);
  const { replays } = (await api.get<ApiIndex>("/api")).operational_policy;
  const commonData = {
    base_url: settings.baseUrl,
    commands: documents.commands?.address ?? null,
    source: settings.sourceUrl,
    ladder_name,
    retainedReplays: { per_bot: replays.replays_per_bot, casual: replays.casual_replays },
  };
  if (matchPage.phase === "running") return { ...matchPage, ...commonData };
  const { match } = matchPage;
  const [adjacentMatches, event, apiStats] = await Promise.all([
    findAdjacentMatches(api, match),
    eventOf(api, match),
    match.voided ? null : api.find<MatchStats>(match.stats_url),
  ]);
  // Statistics of a non-void match exist as long as its replay does.
  const has_replay = match.voided || apiStats !== null;
  const stats = has_replay ? apiStats : await listedStats(api, match, adjacentMatches);
  return { ...matchPage, adjacentMatches, event, stats, has_replay, ...commonData };
}

async function eventOf(api: PublicApi, { asked_for }: Match): Promise<EndedMatch["event"]> {
  if (asked_for === undefined) return null;
  const response = await findEvents(api, { event: asked_for.event_id });
  const event = response?.find(({ id }) => id === asked_for.event_id);
  return event === undefined ? null : { id: event.id, name: event.name };
}

async function ladderName(
  api: PublicApi,
  { ladder_id: id }: { ladder_id: string },
): Promise<string | null> {
  if (id === DEFAULT_LADDER) return null;
  const response = await api.find<Ladder[]>(`/api/ladders?ladder=${id}`);
  return response?.find((ladder) => ladder.id === id)?.name ?? id;
}

export const viewData = (
  { api }: PageSources,
  name: string,
): Promise<ViewData | MatchRedirect | null> => findMatchPage(api, name, "view");

/**
 * Requests the stored match again at the end, because a match may end between the first two
 * requests.
 */
async function findMatchPage(
  api: PublicApi,
  name: string,
  page: "match" | "view",
): Promise<ViewData | MatchRedirect | null> {
  const id = parseId(name);
  if (id === null) return null;
  if (id !== name) return { movedTo: `/${page}/${id}` };
  const stored = await api.find<Match>(`/api/matches/${id}`);
  if (stored !== null) return { phase: "ended", match: stored };
  const { matches } = await api.get<ServerStatus>("/api/status");
  const running = matches.find((match) => match.id === id);
  if (running !== undefined) return { phase: "running", match: running };
  const storedLater = await api.find<Match>(`/api/matches/${id}`);
  return storedLater && { phase: "ended", match: storedLater };
}

/** Only ranked matches appear in a bot's list. */
async function findAdjacentMatches(api: PublicApi, match: Match): Promise<AdjacentMatches[]> {
  if (match.mode !== "ranked") return [];
  return Promise.all(
    match.bots.map(async ({ name }) => {
      const [previous, next] = await Promise.all(
        ["before", "after"].map(async (direction) => {
          const [response] =
            (await listMatches(api, match, name, `${direction}=${match.id}`)) ?? [];
          return response === undefined ? null : toAdjacentMatch(response, name);
        }),
      );
      return { bot: name, previous: previous ?? null, next: next ?? null };
    }),
  );
}

function listMatches(api: PublicApi, { ladder_id }: Match, bot: string, query: string) {
  const list = new URLSearchParams({ ladder: ladder_id, bot, limit: "1" });
  return api.find<ListedMatch[]>(`/api/matches?${list}&${query}`);
}

function toAdjacentMatch({ id, bots }: Match, bot: string): AdjacentMatch {
  const opponent = bots.find(({ name }) => name !== bot);
  return { id, opponent: opponent?.display_name ?? bot };
}

/**
 * Reads the statistics from a list, where they remain after the replay is trimmed. The first match
 * before its successor is the match itself.
 */
async function listedStats(
  api: PublicApi,
  match: Match,
  [first]: readonly AdjacentMatches[],
): Promise<MatchStats | null> {
  if (first === undefined) return null;
  const before = first.next === null ? "" : `&before=${first.next.id}`;
  const [response] = (await listMatches(api, match, first.bot, `stats=1${before}`)) ?? [];
  return response?.id === match.id ? (response.stats ?? null) : null;
}
