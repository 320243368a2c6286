import { fixedLimit, HOUR_S } from "./limit-row.ts";

export const ANNOUNCEMENT_LIMITS = {
  announcement_title_max: fixedLimit("announcements", 120, "characters in a title"),
  announcement_body_max: fixedLimit("announcements", 5000, "characters in a text"),
  announcement_preview_s: fixedLimit("announcements", HOUR_S, "seconds to publish a draft"),
  announcement_draft_days: fixedLimit(
    "announcements",
    30,
    "days until an unpublished draft is deleted",
  ),
  announcements_shown: fixedLimit("announcements", 100, "newest announcements in one list"),
  announcements_poll_s: fixedLimit(
    "announcements",
    15,
    "seconds between checks for announcements on an open page",
  ),
} as const;
