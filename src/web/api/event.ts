import { Type } from "typebox";

import { EventDefinitionSchema } from "#core/resources/event.ts";
import type { App } from "#web/http/deps.ts";
import { missing } from "#web/http/errors.ts";
import { answers } from "#web/http/query.ts";

const QuerySchema = Type.Object({
  event: Type.Optional(Type.String({ description: "an event to list even if it is hidden" })),
});

/** This server has no events yet. */
export function eventRoutes(app: App): void {
  const schema = { querystring: QuerySchema, response: answers(Type.Array(EventDefinitionSchema)) };
  const about = "Events with their conditions";
  const config = { endpoint: "events", about, refuses: [404] as const, public: true };
  app.get("/api/events", { schema, config }, async ({ query }, reply) =>
    query.event === undefined ? [] : missing(reply, "event"),
  );
}
