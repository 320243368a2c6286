// Announcements as operators see them.

import { noDeliveries } from "#core/mail/delivery.ts";
import type { DeliveryCounts } from "#core/mail/delivery.ts";
import type { OperatorAnnouncement } from "#core/operator/announcement.ts";
import type { AdminAnnouncement } from "#core/resources/announcement.ts";
import { FIXED } from "#core/words/limits.ts";
import type { ApiDeps } from "#web/http/deps.ts";

type Deps = Pick<ApiDeps, "store">;

function viewOf(announcement: OperatorAnnouncement, deliveries: DeliveryCounts): AdminAnnouncement {
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
    deliveries,
  };
}

/** One, with what became of its mail. */
export async function shown(
  { store }: Deps,
  announcement: OperatorAnnouncement,
): Promise<AdminAnnouncement> {
  const counts = await store.deliveries.countsOf([announcement.id]);
  return viewOf(announcement, counts.get(announcement.id) ?? noDeliveries());
}

/** Newest first. */
export async function announcementViews({ store }: Deps): Promise<AdminAnnouncement[]> {
  const all = await store.announcements.list(FIXED.announcements_shown);
  const counts = await store.deliveries.countsOf(all.map(({ id }) => id));
  return all.map((one) => viewOf(one, counts.get(one.id) ?? noDeliveries()));
}
