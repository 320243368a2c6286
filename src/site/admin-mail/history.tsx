import type { Emails } from "#core/operator/email.ts";
import { consolePath } from "#site/admin/place.ts";
import { Table } from "#site/admin/table.tsx";
import type { TableColumn } from "#site/admin/table.tsx";
import { Section } from "#site/look/parts.tsx";

import { CATEGORY_TITLES } from "./mail-words.ts";

type Delivery = Emails["history"][number];

const COLUMNS = [
  { title: "Made", of: ({ created }: Delivery) => created, kind: "instant" },
  {
    title: "Kind",
    of: ({ category }: Delivery) => CATEGORY_TITLES[category],
    show: ({ category, announcement_id }: Delivery) =>
      announcement_id === null ? (
        CATEGORY_TITLES[category]
      ) : (
        <a href={consolePath("announcements", announcement_id)}>{CATEGORY_TITLES[category]}</a>
      ),
  },
  { title: "State", of: ({ state }: Delivery) => state },
  { title: "Why", of: ({ error }: Delivery) => error },
  { title: "Answer", of: (one: Delivery) => one.response_code, kind: "number" },
  { title: "Begun", of: ({ started }: Delivery) => started, kind: "instant" },
  { title: "Ended", of: ({ finished }: Delivery) => finished, kind: "instant" },
  { title: "Message-ID", of: (one: Delivery) => one.message_id, kind: "long" },
] as const satisfies readonly TableColumn<Delivery>[];

/** A list that is longer can be searched. */
const UNSEARCHED = 10;

/** Letter by letter, without addresses. */
export function MailHistory({ history }: Pick<Emails, "history">) {
  return (
    <Section
      id="mail-history"
      title="The latest letters"
      note="Nobody's address is in this list, nor in what it comes from."
    >
      <Table
        caption="The latest letters"
        rows={history}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        empty="No letter that people may refuse was made yet."
        isSearched={history.length > UNSEARCHED}
      />
    </Section>
  );
}
