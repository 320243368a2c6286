import { Type } from "typebox";

import { AnnouncementSchema } from "#core/api/announcement.ts";
import type { Announcement } from "#core/api/announcement.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { responseCache } from "#web/http/response-cache.ts";
import { okResponses } from "#web/http/route-params.ts";

/** Public notices. Cached, because every page view requests them. */
export function announcementRoutes(app: App, deps: ApiDeps): void {
  const cached = responseCache(deps, "notices", null);
  const schema = {
    response: okResponses(Type.Unsafe<Announcement[] | Buffer>(Type.Array(AnnouncementSchema))),
  };
  const summary = "Published announcements, newest first";
  const config = { endpoint: "announcements", summary, public: true };
  app.get("/api/announcements", { schema, config }, async (_request, reply) =>
    cached(reply, "", () => deps.store.announcements.notices(FIXED_LIMITS.announcements_shown)),
  );
}
