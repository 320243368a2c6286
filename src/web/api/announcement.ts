import { Type } from "typebox";

import { AnnouncementSchema } from "#core/resources/announcement.ts";
import type { Announcement } from "#core/resources/announcement.ts";
import { FIXED } from "#core/words/limits.ts";
import { keepAnswers } from "#web/http/cached-answer.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { answers } from "#web/http/query.ts";

/** Every page that is looked at asks for them again and again. */
export function announcementRoutes(app: App, deps: ApiDeps): void {
  const kept = keepAnswers(deps, "notices", null);
  const schema = {
    response: answers(Type.Unsafe<Announcement[] | Buffer>(Type.Array(AnnouncementSchema))),
  };
  const about = "Notices of the operators, newest first";
  const config = { endpoint: "announcements", about, public: true };
  app.get("/api/announcements", { schema, config }, async (_request, reply) =>
    kept(reply, "", () => deps.store.announcements.notices(FIXED.announcements_shown)),
  );
}
