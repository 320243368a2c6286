import { Type } from "typebox";

import { EventDefinitionSchema } from "#core/api/event.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { refuseNotFound } from "#web/http/errors.ts";
import { okResponses } from "#web/http/route-params.ts";

import { eventView, eventLadder } from "./event-view.ts";

const QuerySchema = Type.Object({
  event: Type.Optional(
    Type.String({ description: "an event to list even if it or its ladder is hidden" }),
  ),
});

export function eventRoutes(app: App, deps: ApiDeps): void {
  const schema = {
    querystring: QuerySchema,
    response: okResponses(Type.Array(EventDefinitionSchema)),
  };
  const summary = "Events with their conditions";
  const config = { endpoint: "events", summary, errorCodes: [404] as const, public: true };
  app.get("/api/events", { schema, config }, async ({ query }, reply) => {
    const requestedId = query.event;
    if (requestedId !== undefined && deps.events.byId(requestedId) === null)
      return refuseNotFound(reply, "event");
    return deps.events
      .list()
      .filter((event) => {
        const isPublic = event.enabled && eventLadder(deps, event).visible;
        return isPublic || event.id === requestedId;
      })
      .map((event) => eventView(deps, event));
  });
  imageRoute(app, deps);
}

const IMMUTABLE = "public, max-age=31536000, immutable";

/** The name is a hash of the content, so the response is immutable. */
function imageRoute(app: App, { images }: ApiDeps): void {
  const config = { public: true };
  app.get("/images/:file", { config }, async ({ params }, reply) => {
    const { file } = params as { file: string };
    const [, hash] = /^([0-9a-f]{64})\.webp$/.exec(file) ?? [];
    const bytes = hash === undefined ? null : await images.read(hash);
    if (bytes === null) return refuseNotFound(reply, "image");
    reply.header("cache-control", IMMUTABLE);
    return reply.type("image/webp").send(Buffer.from(bytes));
  });
}
