import { Type } from "typebox";

import { LadderSchema } from "#core/api/ladder-results.ts";
import type { Ladder } from "#core/api/ladder-results.ts";
import type { EventDefinition } from "#core/events/event.ts";
import type { LiveEvents } from "#core/events/live-events.ts";
import type { LadderId } from "#core/ids/ids.ts";
import { phaseAt } from "#core/ladder/ladder.ts";
import type { LadderDefinition } from "#core/ladder/ladder.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { refuseNotFound } from "#web/http/errors.ts";
import { okResponses, resolveLadderId } from "#web/http/route-params.ts";

const QuerySchema = Type.Object({
  ladder: Type.Optional(Type.String({ description: "a ladder to list even if it is hidden" })),
});

export function ladderRoutes(app: App, deps: ApiDeps): void {
  const { ladders, events, clock } = deps;
  const schema = { querystring: QuerySchema, response: okResponses(Type.Array(LadderSchema)) };
  const summary = "All visible ladders";
  const config = { endpoint: "ladders", summary, errorCodes: [404] as const, public: true };
  app.get("/api/ladders", { schema, config }, async ({ query }, reply) => {
    const requestedId = resolveLadderId(deps, query.ladder);
    if (requestedId === null) return refuseNotFound(reply, "ladder");
    const now = clock().toISOString();
    const visibleLadders = ladders
      .list()
      .filter(({ id, visible }) => visible || id === requestedId);
    return visibleLadders.map((ladder) => toLadder(ladder, now, events));
  });
}

export function toLadder(
  ladder: LadderDefinition,
  instant: string,
  events: Pick<LiveEvents, "onLadder">,
): Ladder {
  const { id, name, description, access, enabled, visible, opensAt, closesAt, maps } = ladder;
  return {
    id,
    name,
    description,
    access,
    leaderboard_url: `/api/leaderboard?ladder=${id}`,
    results_url: `/api/ladders/${id}/results`,
    enabled,
    visible,
    phase: phaseAt(ladder, instant),
    opens_at: opensAt,
    closes_at: closesAt,
    maps: [...maps],
    events: publicEvents(events, id).map((event) => ({ id: event.id, name: event.name })),
  };
}

export const publicEvents = (
  events: Pick<LiveEvents, "onLadder">,
  ladderId: LadderId,
): EventDefinition[] => events.onLadder(ladderId).filter(({ enabled }) => enabled);
