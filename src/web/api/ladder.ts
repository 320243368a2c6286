import { Type } from "typebox";

import { MAP_NAMES } from "#core/engine/maps.ts";
import { PUBLIC_LADDER } from "#core/ladder/ladder.ts";
import { LadderSchema } from "#core/resources/ladder-results.ts";
import type { Ladder } from "#core/resources/ladder-results.ts";
import type { App } from "#web/http/deps.ts";
import { missing } from "#web/http/errors.ts";
import { answers, ladderOf } from "#web/http/query.ts";

const QuerySchema = Type.Object({
  ladder: Type.Optional(Type.String({ description: "a ladder to list even if it is hidden" })),
});

/** The only ladder so far: always open, for everybody. */
export const PUBLIC: Ladder = {
  id: PUBLIC_LADDER,
  name: "Public",
  description: "Everybody against everybody, in seasons of a month.",
  access: "open",
  leaderboard_url: `/api/leaderboard?ladder=${PUBLIC_LADDER}`,
  results_url: `/api/ladders/${PUBLIC_LADDER}/results`,
  enabled: true,
  visible: true,
  phase: "open",
  maps: [...MAP_NAMES],
  events: [],
};

export function ladderRoutes(app: App): void {
  const schema = { querystring: QuerySchema, response: answers(Type.Array(LadderSchema)) };
  const about = "All visible ladders";
  const config = { endpoint: "ladders", about, refuses: [404] as const, public: true };
  app.get("/api/ladders", { schema, config }, async ({ query }, reply) =>
    ladderOf(query.ladder) === null ? missing(reply, "ladder") : [PUBLIC],
  );
}
