// Announcements as operators see them.

import type { OperatorAnnouncement } from "#core/operator/announcement.ts";
import type { AdminAnnouncement } from "#core/resources/announcement.ts";
import type { DeliveryCounts } from "#core/words/announcement.ts";
import { FIXED } from "#core/words/limits.ts";
import type { ApiDeps } from "#web/http/deps.ts";

const NONE: DeliveryCounts = {
  pending: 0,
  sending: 0,
  accepted: 0,
  failed: 0,
  unknown: 0,
  skipped: 0,
};

export function announcementView(announcement: OperatorAnnouncement): AdminAnnouncement {
  const { id, title, body, state, created, published, archived, email } = announcement;
  return {
    id,
    title,
    body,
    state,
    created,
    published,
    archived,
    channels: [
      ...(announcement.inGame ? (["in_game"] as const) : []),
      ...(email === null ? [] : (["email"] as const)),
    ],
    audience: announcement.audience,
    email_title: email?.subject ?? null,
    email_text: email?.text ?? null,
    email_html: email?.html ?? null,
    deliveries: NONE,
  };
}

/** Newest first. */
export async function announcementViews({
  store,
}: Pick<ApiDeps, "store">): Promise<AdminAnnouncement[]> {
  const all = await store.announcements.list(FIXED.announcements_shown);
  return all.map(announcementView);
}
