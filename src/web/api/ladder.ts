import { Type } from "typebox";

import type { EventDefinition } from "#core/events/event.ts";
import type { LiveEvents } from "#core/events/events.ts";
import { phaseAt } from "#core/ladder/ladder.ts";
import type { LadderDefinition } from "#core/ladder/ladder.ts";
import { LadderSchema } from "#core/resources/ladder-results.ts";
import type { Ladder } from "#core/resources/ladder-results.ts";
import type { LadderId } from "#core/words/ids.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { missing } from "#web/http/errors.ts";
import { answers, ladderOf } from "#web/http/query.ts";

const QuerySchema = Type.Object({
  ladder: Type.Optional(Type.String({ description: "a ladder to list even if it is hidden" })),
});

export function ladderRoutes(app: App, deps: ApiDeps): void {
  const { ladders, events, clock } = deps;
  const schema = { querystring: QuerySchema, response: answers(Type.Array(LadderSchema)) };
  const about = "All visible ladders";
  const config = { endpoint: "ladders", about, refuses: [404] as const, public: true };
  app.get("/api/ladders", { schema, config }, async ({ query }, reply) => {
    const named = ladderOf(deps, query.ladder);
    if (named === null) return missing(reply, "ladder");
    const now = clock().toISOString();
    const listed = ladders.all().filter(({ id, visible }) => visible || id === named);
    return listed.map((ladder) => toLadder(ladder, now, events));
  });
}

/** A ladder's public description at a UTC instant. */
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

/** Those that everybody may know: one that is not enabled is for those who know its id. */
export const publicEvents = (
  events: Pick<LiveEvents, "onLadder">,
  ladderId: LadderId,
): EventDefinition[] => events.onLadder(ladderId).filter(({ enabled }) => enabled);
