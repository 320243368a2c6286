// What the pages of one bout show.

import type { MatchStats } from "#core/engine/types.ts";
import { DEFAULT_LADDER } from "#core/ladder/ladder.ts";
import type { ApiIndex } from "#core/resources/api.ts";
import type { Ladder } from "#core/resources/ladder-results.ts";
import type { Status } from "#core/resources/ladder.ts";
import type { Match } from "#core/resources/match.ts";
import type { Around, EndedBout, MatchData, Neighbour, ViewData } from "#site/public/data.ts";
import { idOf } from "#web/http/query.ts";

import { eventsOf } from "./event-data.ts";
import type { PageSources, PublicApi } from "./page-data.ts";

/** The same page in lower case. */
type Elsewhere = { movedTo: string };

/** A match in a list that was asked for statistics. */
type Listed = Match & { stats?: MatchStats | null };

export async function matchData(
  { api, settings, documents }: PageSources,
  name: string,
): Promise<MatchData | Elsewhere | null> {
  const bout = await boutNamed(api, name, "match");
  if (bout === null || "movedTo" in bout) return bout;
  const ladder_name = await ladderName(api, bout.match);
  const { replays } = (await api.get<ApiIndex>("/api")).operational_policy;
  const place = {
    base_url: settings.baseUrl,
    commands: documents.commands?.address ?? null,
    source: settings.sourceUrl,
    ladder_name,
    kept: { per_bot: replays.replays_per_bot, casual: replays.casual_replays },
  };
  if (bout.phase === "running") return { ...bout, ...place };
  const { match } = bout;
  const [around, event, told] = await Promise.all([
    aroundOf(api, match),
    eventOf(api, match),
    match.voided ? null : api.find<MatchStats>(match.stats_url),
  ]);
  // The statistics of a bout that was not void have an address as long as its replay does.
  const has_replay = match.voided || told !== null;
  const stats = has_replay ? told : await listedStats(api, match, around);
  return { ...bout, around, event, stats, has_replay, ...place };
}

/** The event in which a bout was asked for. */
async function eventOf(api: PublicApi, { asked_for }: Match): Promise<EndedBout["event"]> {
  if (asked_for === undefined) return null;
  const found = await eventsOf(api, { event: asked_for.event_id });
  const event = found?.find(({ id }) => id === asked_for.event_id);
  return event === undefined ? null : { id: event.id, name: event.name };
}

async function ladderName(
  api: PublicApi,
  { ladder_id: id }: { ladder_id: string },
): Promise<string | null> {
  if (id === DEFAULT_LADDER) return null;
  const found = await api.find<Ladder[]>(`/api/ladders?ladder=${id}`);
  return found?.find((ladder) => ladder.id === id)?.name ?? id;
}

export const viewData = (
  { api }: PageSources,
  name: string,
): Promise<ViewData | Elsewhere | null> => boutNamed(api, name, "view");

/** A bout may end between two requests, so the stored ones are requested again at the end. */
async function boutNamed(
  api: PublicApi,
  name: string,
  page: "match" | "view",
): Promise<ViewData | Elsewhere | null> {
  const id = idOf(name);
  if (id === null) return null;
  if (id !== name) return { movedTo: `/${page}/${id}` };
  const stored = await api.find<Match>(`/api/matches/${id}`);
  if (stored !== null) return { phase: "ended", match: stored };
  const { matches } = await api.get<Status>("/api/status");
  const running = matches.find((match) => match.id === id);
  if (running !== undefined) return { phase: "running", match: running };
  const saved = await api.find<Match>(`/api/matches/${id}`);
  return saved && { phase: "ended", match: saved };
}

/** Only ranked bouts stand in the lists of bots. */
async function aroundOf(api: PublicApi, match: Match): Promise<Around[]> {
  if (match.mode !== "ranked") return [];
  return Promise.all(
    match.bots.map(async ({ name }) => {
      const [previous, next] = await Promise.all(
        ["before", "after"].map(async (way) => {
          const [found] = (await listed(api, match, name, `${way}=${match.id}`)) ?? [];
          return found === undefined ? null : neighbourOf(found, name);
        }),
      );
      return { bot: name, previous: previous ?? null, next: next ?? null };
    }),
  );
}

function listed(api: PublicApi, { ladder_id }: Match, bot: string, query: string) {
  const list = new URLSearchParams({ ladder: ladder_id, bot, limit: "1" });
  return api.find<Listed[]>(`/api/matches?${list}&${query}`);
}

function neighbourOf({ id, bots }: Match, bot: string): Neighbour {
  const opponent = bots.find(({ name }) => name !== bot);
  return { id, opponent: opponent?.display_name ?? bot };
}

/** Lists keep the statistics after the replay is gone: the match is the first before its next. */
async function listedStats(
  api: PublicApi,
  match: Match,
  [first]: readonly Around[],
): Promise<MatchStats | null> {
  if (first === undefined) return null;
  const before = first.next === null ? "" : `&before=${first.next.id}`;
  const [found] = (await listed(api, match, first.bot, `stats=1${before}`)) ?? [];
  return found?.id === match.id ? (found.stats ?? null) : null;
}
