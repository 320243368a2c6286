import { Type } from "typebox";

import { AnnouncementSchema } from "#core/resources/announcement.ts";
import type { App } from "#web/http/deps.ts";
import { answers } from "#web/http/query.ts";

/** Nobody can publish a notice yet, so the list is empty. */
export function announcementRoutes(app: App): void {
  const schema = { response: answers(Type.Array(AnnouncementSchema)) };
  const about = "Notices of the operators, newest first";
  const config = { endpoint: "announcements", about, public: true };
  app.get("/api/announcements", { schema, config }, async () => []);
}
