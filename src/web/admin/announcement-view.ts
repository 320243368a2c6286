import type { OperatorAnnouncement } from "#core/api/announcement-lifecycle.ts";
import type { AdminAnnouncement } from "#core/api/announcement.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";
import { zeroDeliveryCounts } from "#core/mail/delivery.ts";
import type { DeliveryCounts } from "#core/mail/delivery.ts";
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

export async function announcementView(
  { store }: Deps,
  announcement: OperatorAnnouncement,
): Promise<AdminAnnouncement> {
  const counts = await store.deliveries.countsByAnnouncement([announcement.id]);
  return viewOf(announcement, counts.get(announcement.id) ?? zeroDeliveryCounts());
}

export async function announcementViews({ store }: Deps): Promise<AdminAnnouncement[]> {
  const announcements = await store.announcements.list(FIXED_LIMITS.announcements_shown);
  const counts = await store.deliveries.countsByAnnouncement(announcements.map(({ id }) => id));
  return announcements.map((announcement) =>
    viewOf(announcement, counts.get(announcement.id) ?? zeroDeliveryCounts()),
  );
}
