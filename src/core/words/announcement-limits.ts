// Limits of announcements. Part of the one table, in limits.ts.

import { fixed, HOUR_S } from "./limit-row.ts";

export const ANNOUNCEMENT_LIMITS = {
  announcement_title_max: fixed("announcements", 120, "characters of a title"),
  announcement_body_max: fixed("announcements", 5000, "characters of a text"),
  announcement_preview_s: fixed("announcements", HOUR_S, "seconds in which a draft is published"),
  announcement_draft_days: fixed(
    "announcements",
    30,
    "days that a draft is kept that was not published",
  ),
  announcements_shown: fixed("announcements", 100, "newest announcements in one list"),
  announcements_poll_s: fixed(
    "announcements",
    15,
    "seconds after which a page that is looked at asks for new ones",
  ),
} as const;
