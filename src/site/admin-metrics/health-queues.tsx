import type { HealthView } from "#core/api/server-health.ts";
import { AdminTable } from "#site/admin/admin-table.tsx";
import type { TableColumn } from "#site/admin/admin-table.tsx";
import { Section } from "#site/ui/section.tsx";

import { formatDuration, formatWhole } from "./metric-format.ts";

type LadderQueue = HealthView["pairing"][number];

const NO_VALUE = "–";

const formatWait = (seconds: number | null): string =>
  seconds === null ? NO_VALUE : formatDuration(seconds);

const COLUMNS = [
  { title: "Ladder", accessor: ({ ladder_id }: LadderQueue) => ladder_id },
  {
    title: "Waiting",
    accessor: ({ waiting: busyLabel }: LadderQueue) => busyLabel,
    kind: "number",
    render: ({ waiting: busyLabel }: LadderQueue) => formatWhole(busyLabel),
  },
  {
    title: "Longest wait",
    accessor: ({ longest_wait_s }: LadderQueue) => longest_wait_s,
    kind: "number",
    render: ({ longest_wait_s }: LadderQueue) => formatWait(longest_wait_s),
  },
  {
    title: "Last match started",
    accessor: ({ since_start_s }: LadderQueue) => since_start_s,
    kind: "number",
    render: ({ since_start_s }: LadderQueue) =>
      since_start_s === null ? NO_VALUE : `${formatDuration(since_start_s)} ago`,
  },
  {
    title: "Reason",
    accessor: ({ reason }: LadderQueue) => reason,
    kind: "long",
    render: ({ reason }: LadderQueue) => reason ?? NO_VALUE,
  },
] as const satisfies readonly TableColumn<LadderQueue>[];

export function QueuesTable({ pairing }: Pick<HealthView, "pairing">) {
  return (
    <Section id="health-queues" title="Queues">
      <AdminTable
        caption="Bots waiting on each open ladder, without house bots"
        rows={pairing}
        columns={COLUMNS}
        keyOf={({ ladder_id }) => ladder_id}
        empty="No open ladders."
      />
    </Section>
  );
}
