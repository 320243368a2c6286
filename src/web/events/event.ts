// Events as everybody may see them, and their pictures.

import { Type } from "typebox";

import { EventDefinitionSchema } from "#core/resources/event.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { missing } from "#web/http/errors.ts";
import { answers } from "#web/http/query.ts";

import { eventView, ladderOfEvent } from "./event-view.ts";

const QuerySchema = Type.Object({
  event: Type.Optional(
    Type.String({ description: "an event to list even if it or its ladder is hidden" }),
  ),
});

export function eventRoutes(app: App, deps: ApiDeps): void {
  const schema = { querystring: QuerySchema, response: answers(Type.Array(EventDefinitionSchema)) };
  const about = "Events with their conditions";
  const config = { endpoint: "events", about, refuses: [404] as const, public: true };
  app.get("/api/events", { schema, config }, async ({ query }, reply) => {
    const named = query.event;
    if (named !== undefined && deps.events.byId(named) === null) return missing(reply, "event");
    return deps.events
      .all()
      .filter((event) => {
        const isPublic = event.enabled && ladderOfEvent(deps, event).visible;
        return isPublic || event.id === named;
      })
      .map((event) => eventView(deps, event));
  });
  imageRoute(app, deps);
}

const IMMUTABLE = "public, max-age=31536000, immutable";

/** Named by what is in it, so it never changes. */
function imageRoute(app: App, { images }: ApiDeps): void {
  const config = { public: true };
  app.get("/images/:file", { config }, async ({ params }, reply) => {
    const { file } = params as { file: string };
    const [, hash] = /^([0-9a-f]{64})\.webp$/.exec(file) ?? [];
    const bytes = hash === undefined ? null : await images.read(hash);
    if (bytes === null) return missing(reply, "image");
    reply.header("cache-control", IMMUTABLE);
    return reply.type("image/webp").send(Buffer.from(bytes));
  });
}
