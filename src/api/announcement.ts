import { Type } from "typebox";

import type { App } from "#http/deps.ts";
import { answers } from "#http/query.ts";
import { AnnouncementSchema } from "#resources/announcement.ts";

/** Nobody can publish a notice yet, so there is none. */
export function announcementRoutes(app: App): void {
  const schema = { response: answers(Type.Array(AnnouncementSchema)) };
  const about = "Notices of the operators, newest first";
  const config = { endpoint: "announcements", about, public: true };
  app.get("/api/announcements", { schema, config }, async () => []);
}
