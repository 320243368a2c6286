import type { ApiIndex } from "#core/api/api-index.ts";
import type { EventView } from "#core/api/event.ts";
import type { Ladder, LadderResults } from "#core/api/ladder-results.ts";
import type { StandingsPage } from "#core/api/standings-page.ts";
import { DEFAULT_LADDER } from "#core/ladder/ladder.ts";
import type {
  AchievementsData,
  LaddersData,
  CurrentEvent,
  LadderWithActivity,
  EventWithCounts,
} from "#site/events/data.ts";

import { providerPlace } from "./account-data.ts";
import type { PageSources } from "./page-data.ts";
import { withQuery } from "./page-request.ts";
import type { Redirect, PageRequest } from "./page-request.ts";
import { registrationState } from "./registration-state.ts";

type Api = PageSources["api"];
type Query = Pick<PageRequest, "query">;

export async function laddersData(
  sources: PageSources,
  { query: { ladder: requestedId } }: Query,
): Promise<LaddersData | Redirect | null> {
  const { api, settings, now } = sources;
  const [ladders, events, index] = await Promise.all([
    api.find<Ladder[]>(withQuery("/api/ladders", { ladder: requestedId })),
    findEvents(api),
    api.get<ApiIndex>("/api"),
  ]);
  if (ladders === null) return redirectToLowerCase("/ladders", "ladder", requestedId);
  return {
    ladders: await Promise.all(ladders.map((ladder) => playedLadder(api, ladder))),
    events: events ?? [],
    requestedId: requestedId ?? null,
    registration: registrationState(index, settings),
    provider: providerPlace(index, sources),
    contact: settings.contact,
    now: now(),
  };
}

async function playedLadder(api: Api, ladder: Ladder): Promise<LadderWithActivity> {
  const path = withQuery("/api/standings", { ladder: ladder.id, limit: "1" });
  const standings = await api.find<StandingsPage>(path);
  return {
    ...ladder,
    ranked: standings?.total ?? 0,
    online: standings?.now?.players_online ?? 0,
    running: standings?.now?.running_total ?? 0,
  };
}

export async function achievementsData(
  sources: PageSources,
  { query: { event: requestedId } }: Query,
): Promise<AchievementsData | Redirect | null> {
  const { api, settings, now } = sources;
  const events = await findEvents(api, { event: requestedId });
  if (
    events === null ||
    (requestedId !== undefined && !events.some(({ id }) => id === requestedId))
  )
    return redirectToLowerCase("/achievements", "event", requestedId);
  const index = await api.get<ApiIndex>("/api");
  return {
    events: await withTallies(api, events),
    requestedId: requestedId ?? null,
    provider: providerPlace(index, sources),
    contact: settings.contact,
    now: now(),
  };
}

/** Returns the listed events and the requested event. Null if the requested event is unknown. */
export const findEvents = (api: Api, query: { event?: string | undefined } = {}) =>
  api.find<EventView[]>(withQuery("/api/events", query));

const MAX_OCCASIONS = 3;

/**
 * Returns current and upcoming ladders and events by end or opening time, excluding public itself.
 */
export function upcomingOccasions(
  ladders: readonly Ladder[],
  events: readonly EventView[],
): CurrentEvent[] {
  // Events on other ladders are reached through their ladder.
  const publicLadderEvents = events.filter(({ ladder_id }) => ladder_id === DEFAULT_LADDER);
  const others = ladders.filter(({ id }) => id !== DEFAULT_LADDER);
  const candidates = [
    ...others.map((one) => ({ ...one, kind: "ladder" as const })),
    ...publicLadderEvents.map((one) => ({ ...one, kind: "event" as const })),
  ];
  const occasions = candidates.flatMap(({ kind, id, name, enabled, phase, opens_at, closes_at }) =>
    enabled && phase !== "closed" ? [{ kind, id, name, phase, opens_at, closes_at }] : [],
  );
  return occasions
    .toSorted((one, otherItem) => compare(rank(one), rank(otherItem)))
    .slice(0, MAX_OCCASIONS);
}

/** Sorts open items first, and items without an end last. */
const rank = ({ phase, opens_at, closes_at }: CurrentEvent): string =>
  phase === "open" ? `0 ${closes_at ?? "~"}` : `1 ${opens_at ?? "~"}`;

const compare = (one: string, otherItem: string): number =>
  one < otherItem ? -1 : Number(one > otherItem);

async function withTallies(api: Api, events: readonly EventView[]): Promise<EventWithCounts[]> {
  const ids = [...new Set(events.map(({ ladder_id }) => ladder_id))];
  const responses = await Promise.all(
    ids.map((id) => api.find<LadderResults>(`/api/ladders/${id}/results?brief=1`)),
  );
  const results = new Map(responses.flatMap((one) => (one === null ? [] : [[one.ladder.id, one]])));
  return events.map((event) => {
    const ladderResults = results.get(event.ladder_id);
    const counts = ladderResults?.events.find(({ id }) => id === event.id)?.achievements ?? [];
    return {
      ...event,
      ladder_name: ladderResults?.ladder.name ?? event.ladder_id,
      earnedCounts: Object.fromEntries(counts.map(({ id, earned }) => [id, earned])),
    };
  });
}

/** Ids are lower case, but URLs may not be. */
function redirectToLowerCase(
  path: string,
  name: string,
  id: string = DEFAULT_LADDER,
): Redirect | null {
  const lowerId = id.toLowerCase();
  return lowerId === id ? null : { movedTo: withQuery(path, { [name]: lowerId }) };
}
