import { SECOND_MS } from "#base/util/time.ts";
import type { AdminAnnouncement } from "#core/api/announcement.ts";
import { totalDeliveries } from "#site/admin-mail/mail-labels.ts";
import { ActionBar } from "#site/admin/action-form.tsx";
import type { AdminPanelProps } from "#site/admin/admin-panel-props.ts";
import { AdminTable } from "#site/admin/admin-table.tsx";
import type { TableColumn } from "#site/admin/admin-table.tsx";
import { adminPath } from "#site/admin/console-location.ts";
import { ResourceView } from "#site/admin/resource-view.tsx";
import { useResource } from "#site/admin/use-resource.ts";

import { ANNOUNCEMENTS_ROUTE, describeChannels } from "./announcement-texts.ts";
import { AnnouncementDetail } from "./announcement.tsx";
import { DraftAction } from "./draft.tsx";

const POLL_INTERVAL_MS = 10 * SECOND_MS;

const COLUMNS = [
  {
    title: "Title",
    accessor: ({ title }: AdminAnnouncement) => title,
    render: ({ id, title }: AdminAnnouncement) => (
      <a class="announcement-title" href={adminPath("announcements", id)}>
        <bdi>{title}</bdi>
      </a>
    ),
  },
  { title: "State", accessor: ({ state }: AdminAnnouncement) => state },
  { title: "Created", accessor: ({ created }: AdminAnnouncement) => created, kind: "instant" },
  {
    title: "Published",
    accessor: (announcement: AdminAnnouncement) => announcement.published,
    kind: "instant",
  },
  {
    title: "Delivery",
    accessor: describeChannels,
    render: (announcement: AdminAnnouncement) => (
      <span class="unbroken">{describeChannels(announcement)}</span>
    ),
  },
  {
    title: "Sent",
    accessor: ({ deliveries }: AdminAnnouncement) => deliveries.accepted,
    kind: "number",
    render: describeSent,
  },
  {
    title: "Skipped",
    accessor: (announcement: AdminAnnouncement) => announcement.deliveries.skipped,
    kind: "number",
  },
  {
    title: "Failed",
    accessor: (announcement: AdminAnnouncement) => announcement.deliveries.failed,
    kind: "number",
  },
] as const satisfies readonly TableColumn<AdminAnnouncement>[];

function describeSent({ deliveries }: AdminAnnouncement): string {
  const total = totalDeliveries(deliveries);
  return total === 0 ? "–" : `${deliveries.accepted} of ${total}`;
}

export function AnnouncementsPanel(props: AdminPanelProps) {
  return props.selectedId === null ? (
    <AnnouncementList {...props} />
  ) : (
    <AnnouncementDetail {...props} id={props.selectedId} />
  );
}

function AnnouncementList({ auth, onSelect }: AdminPanelProps) {
  const resource = useResource<AdminAnnouncement[]>(auth, ANNOUNCEMENTS_ROUTE, POLL_INTERVAL_MS);
  return (
    <>
      <p class="sub">
        A draft shows the content and the audience. Nothing is sent until you publish it.
      </p>
      <ActionBar>
        <DraftAction {...{ auth, onSelect }} label="New announcement" />
      </ActionBar>
      <ResourceView resource={resource}>
        {(announcements) => (
          <AdminTable
            caption="Announcements"
            rows={announcements}
            columns={COLUMNS}
            keyOf={({ id }) => id}
            empty="No announcements yet."
          />
        )}
      </ResourceView>
    </>
  );
}
