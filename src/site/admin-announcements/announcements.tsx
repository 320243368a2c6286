import { SECOND_MS } from "#base/units/time.ts";
import type { AdminAnnouncement } from "#core/resources/announcement.ts";
import { totalOf } from "#site/admin-mail/mail-words.ts";
import { Acts } from "#site/admin/act.tsx";
import type { PartProps } from "#site/admin/part.ts";
import { consolePath } from "#site/admin/place.ts";
import { useRead } from "#site/admin/read.ts";
import { Readable } from "#site/admin/readable.tsx";
import { Table } from "#site/admin/table.tsx";
import type { TableColumn } from "#site/admin/table.tsx";

import { AnnouncementDetail } from "./announcement.tsx";
import { Draft } from "./draft.tsx";
import { ANNOUNCEMENTS_ROUTE, channelWords } from "./words.ts";

const EVERY_MS = 10 * SECOND_MS;

const COLUMNS = [
  {
    title: "Title",
    of: ({ title }: AdminAnnouncement) => title,
    show: ({ id, title }: AdminAnnouncement) => (
      <a class="announcement-title" href={consolePath("announcements", id)}>
        <bdi>{title}</bdi>
      </a>
    ),
  },
  { title: "State", of: ({ state }: AdminAnnouncement) => state },
  { title: "Made", of: ({ created }: AdminAnnouncement) => created, kind: "instant" },
  { title: "Published", of: (one: AdminAnnouncement) => one.published, kind: "instant" },
  {
    title: "Goes out",
    of: channelWords,
    show: (one: AdminAnnouncement) => <span class="unbroken">{channelWords(one)}</span>,
  },
  {
    title: "Sent",
    of: ({ deliveries }: AdminAnnouncement) => deliveries.accepted,
    kind: "number",
    show: sentOfAll,
  },
  { title: "Skipped", of: (one: AdminAnnouncement) => one.deliveries.skipped, kind: "number" },
  { title: "Failed", of: (one: AdminAnnouncement) => one.deliveries.failed, kind: "number" },
] as const satisfies readonly TableColumn<AdminAnnouncement>[];

function sentOfAll({ deliveries }: AdminAnnouncement): string {
  const all = totalOf(deliveries);
  return all === 0 ? "–" : `${deliveries.accepted} of ${all}`;
}

/** What operators tell everybody; one of it is looked at by itself. */
export function Announcements(props: PartProps) {
  return props.of === null ? <List {...props} /> : <AnnouncementDetail {...props} id={props.of} />;
}

function List({ desk, look }: PartProps) {
  const read = useRead<AdminAnnouncement[]>(desk, ANNOUNCEMENTS_ROUTE, EVERY_MS);
  return (
    <>
      <p class="sub">
        A draft shows what goes out and to how many people. It tells nobody anything.
      </p>
      <Acts>
        <Draft {...{ desk, look }} ask="Write an announcement" />
      </Acts>
      <Readable read={read}>
        {(announcements) => (
          <Table
            caption="Announcements"
            rows={announcements}
            columns={COLUMNS}
            keyOf={({ id }) => id}
            empty="There is no announcement."
          />
        )}
      </Readable>
    </>
  );
}
