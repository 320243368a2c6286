import type { Emails } from "#core/api/admin-emails.ts";
import { AdminTable } from "#site/admin/admin-table.tsx";
import type { TableColumn } from "#site/admin/admin-table.tsx";
import { adminPath } from "#site/admin/console-location.ts";
import { Section } from "#site/ui/section.tsx";

import { MAIL_CATEGORY_TITLES } from "./mail-labels.ts";

type EmailDelivery = Emails["history"][number];

const COLUMNS = [
  { title: "Created", accessor: ({ created }: EmailDelivery) => created, kind: "instant" },
  {
    title: "Kind",
    accessor: ({ category }: EmailDelivery) => MAIL_CATEGORY_TITLES[category],
    render: ({ category, announcement_id }: EmailDelivery) =>
      announcement_id === null ? (
        MAIL_CATEGORY_TITLES[category]
      ) : (
        <a href={adminPath("announcements", announcement_id)}>{MAIL_CATEGORY_TITLES[category]}</a>
      ),
  },
  { title: "State", accessor: ({ state }: EmailDelivery) => state },
  { title: "Reason", accessor: ({ error }: EmailDelivery) => error },
  {
    title: "Response",
    accessor: (delivery: EmailDelivery) => delivery.response_code,
    kind: "number",
  },
  { title: "Started", accessor: ({ started }: EmailDelivery) => started, kind: "instant" },
  { title: "Ended", accessor: ({ finished }: EmailDelivery) => finished, kind: "instant" },
  { title: "Message-ID", accessor: (delivery: EmailDelivery) => delivery.message_id, kind: "long" },
] as const satisfies readonly TableColumn<EmailDelivery>[];

/** Longer lists have a search field. */
const MAX_UNSEARCHED_ROWS = 10;

/** Lists sent emails without recipient addresses. */
export function EmailHistory({ history }: Pick<Emails, "history">) {
  return (
    <Section
      id="mail-history"
      title="Latest emails"
      note="This list doesn't contain or store email addresses."
    >
      <AdminTable
        caption="Latest emails"
        rows={history}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        empty="No optional emails yet."
        isSearchable={history.length > MAX_UNSEARCHED_ROWS}
      />
    </Section>
  );
}
