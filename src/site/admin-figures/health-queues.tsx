import type { HealthView } from "#core/operator/health.ts";
import { Table } from "#site/admin/table.tsx";
import type { TableColumn } from "#site/admin/table.tsx";
import { Section } from "#site/look/parts.tsx";

import { spanWords, wholeWords } from "./figure-words.ts";

type Queue = HealthView["pairing"][number];

const NOTHING = "–";

const span = (seconds: number | null): string => (seconds === null ? NOTHING : spanWords(seconds));

const COLUMNS = [
  { title: "Ladder", of: ({ ladder_id }: Queue) => ladder_id },
  {
    title: "Waiting",
    of: ({ waiting }: Queue) => waiting,
    kind: "number",
    show: ({ waiting }: Queue) => wholeWords(waiting),
  },
  {
    title: "Longest wait",
    of: ({ longest_wait_s }: Queue) => longest_wait_s,
    kind: "number",
    show: ({ longest_wait_s }: Queue) => span(longest_wait_s),
  },
  {
    title: "Last match started",
    of: ({ since_start_s }: Queue) => since_start_s,
    kind: "number",
    show: ({ since_start_s }: Queue) =>
      since_start_s === null ? NOTHING : `${spanWords(since_start_s)} ago`,
  },
  {
    title: "Why no match starts",
    of: ({ reason }: Queue) => reason,
    kind: "long",
    show: ({ reason }: Queue) => reason ?? NOTHING,
  },
] as const satisfies readonly TableColumn<Queue>[];

/** The queue of each open ladder. */
export function Queues({ pairing }: Pick<HealthView, "pairing">) {
  return (
    <Section id="health-queues" title="Queues">
      <Table
        caption="Bots waiting on each open ladder, without house bots"
        rows={pairing}
        columns={COLUMNS}
        keyOf={({ ladder_id }) => ladder_id}
        empty="No ladder is open."
      />
    </Section>
  );
}
