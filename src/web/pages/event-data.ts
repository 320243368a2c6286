// What the pages about ladders and events show.

import { DEFAULT_LADDER } from "#core/ladder/ladder.ts";
import type { ApiIndex } from "#core/resources/api.ts";
import type { EventView } from "#core/resources/event.ts";
import type { Ladder, LadderResults } from "#core/resources/ladder-results.ts";
import type { StandingsPage } from "#core/resources/standings.ts";
import type {
  AchievementsData,
  LaddersData,
  Occasion,
  PlayedLadder,
  TalliedEvent,
} from "#site/events/data.ts";

import { providerOf } from "./account-data.ts";
import type { PageSources } from "./page-data.ts";
import { addressOf } from "./page-request.ts";
import type { Moved, PageRequest } from "./page-request.ts";
import { registrationOf } from "./registration.ts";

type Api = PageSources["api"];
type Query = Pick<PageRequest, "query">;

export async function laddersData(
  sources: PageSources,
  { query: { ladder: sought } }: Query,
): Promise<LaddersData | Moved | null> {
  const { api, settings, now } = sources;
  const [ladders, events, index] = await Promise.all([
    api.find<Ladder[]>(addressOf("/api/ladders", { ladder: sought })),
    eventsOf(api),
    api.get<ApiIndex>("/api"),
  ]);
  if (ladders === null) return inLowerCase("/ladders", "ladder", sought);
  return {
    ladders: await Promise.all(ladders.map((ladder) => playedLadder(api, ladder))),
    events: events ?? [],
    sought: sought ?? null,
    registration: registrationOf(index, settings),
    provider: providerOf(index, sources),
    contact: settings.contact,
    now: now(),
  };
}

async function playedLadder(api: Api, ladder: Ladder): Promise<PlayedLadder> {
  const one = addressOf("/api/standings", { ladder: ladder.id, limit: "1" });
  const standings = await api.find<StandingsPage>(one);
  return {
    ...ladder,
    ranked: standings?.total ?? 0,
    online: standings?.now?.players_online ?? 0,
    running: standings?.now?.running_total ?? 0,
  };
}

export async function achievementsData(
  sources: PageSources,
  { query: { event: sought } }: Query,
): Promise<AchievementsData | Moved | null> {
  const { api, settings, now } = sources;
  const events = await eventsOf(api, { event: sought });
  if (events === null || (sought !== undefined && !events.some(({ id }) => id === sought)))
    return inLowerCase("/achievements", "event", sought);
  const index = await api.get<ApiIndex>("/api");
  return {
    events: await tallied(api, events),
    sought: sought ?? null,
    provider: providerOf(index, sources),
    contact: settings.contact,
    now: now(),
  };
}

/** Those that are listed, and the one that is asked for; null if there is no such event. */
export const eventsOf = (api: Api, asked: { event?: string | undefined } = {}) =>
  api.find<EventView[]>(addressOf("/api/events", asked));

/** As many as the front page has room for. */
const MOST_OCCASIONS = 3;

/** What is on or comes next, and is not the public ladder itself: first what is nearest to its end. */
export function occasionsOf(ladders: readonly Ladder[], events: readonly EventView[]): Occasion[] {
  // Those of other ladders are found there.
  const onPublic = events.filter(({ ladder_id }) => ladder_id === DEFAULT_LADDER);
  const others = ladders.filter(({ id }) => id !== DEFAULT_LADDER);
  const all = [
    ...others.map((one) => ({ ...one, kind: "ladder" as const })),
    ...onPublic.map((one) => ({ ...one, kind: "event" as const })),
  ];
  const occasions = all.flatMap(({ kind, id, name, enabled, phase, opens_at, closes_at }) =>
    enabled && phase !== "closed" ? [{ kind, id, name, phase, opens_at, closes_at }] : [],
  );
  return occasions
    .toSorted((one, other) => compare(rank(one), rank(other)))
    .slice(0, MOST_OCCASIONS);
}

/** What is open comes first, and what has no end last. */
const rank = ({ phase, opens_at, closes_at }: Occasion): string =>
  phase === "open" ? `0 ${closes_at ?? "~"}` : `1 ${opens_at ?? "~"}`;

const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other));

async function tallied(api: Api, events: readonly EventView[]): Promise<TalliedEvent[]> {
  const ids = [...new Set(events.map(({ ladder_id }) => ladder_id))];
  const found = await Promise.all(
    ids.map((id) => api.find<LadderResults>(`/api/ladders/${id}/results?brief=1`)),
  );
  const results = new Map(found.flatMap((one) => (one === null ? [] : [[one.ladder.id, one]])));
  return events.map((event) => {
    const own = results.get(event.ladder_id);
    const counts = own?.events.find(({ id }) => id === event.id)?.achievements ?? [];
    return {
      ...event,
      ladder_name: own?.ladder.name ?? event.ladder_id,
      earned: Object.fromEntries(counts.map(({ id, earned }) => [id, earned])),
    };
  });
}

/** Ids are lower case; a request may not be. */
function inLowerCase(path: string, name: string, id: string = DEFAULT_LADDER): Moved | null {
  const lower = id.toLowerCase();
  return lower === id ? null : { movedTo: addressOf(path, { [name]: lower }) };
}
