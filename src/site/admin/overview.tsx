import type { Overview as OverviewAnswer } from "#core/resources/admin.ts";
import { Section } from "#site/look/parts.tsx";

import { AUDIT_COLUMNS } from "./audit-columns.tsx";
import { STATED_COLUMNS } from "./bots.tsx";
import { Fact, Facts } from "./facts.tsx";
import type { PartProps } from "./part.ts";
import { useRead } from "./read.ts";
import { Readable } from "./readable.tsx";
import { Table } from "./table.tsx";

const EVERY_MS = 10_000;

/** What an operator sees first. */
export function Overview({ desk }: PartProps) {
  const read = useRead<OverviewAnswer>(desk, "/api/admin/overview", EVERY_MS);
  return <Readable read={read}>{(value) => <Seen {...value} />}</Readable>;
}

function Seen({ caller, admins, status, bots, audit }: OverviewAnswer) {
  const { running, max } = status.capacity;
  return (
    <>
      <Facts>
        <Fact title="You">{caller.handle ?? "without a handle"}</Fact>
        <Fact title="Bouts now">
          {running} of {max}
        </Fact>
        <Fact title="Bots online">{status.online.length}</Fact>
        <Fact title="Stopping">{status.draining ? "yes, no bout begins" : "no"}</Fact>
      </Facts>
      <Section id="admins" title="Operators">
        <Table
          caption="Operators"
          rows={admins}
          columns={[
            { title: "Handle", of: ({ handle }) => handle ?? "without a handle" },
            { title: "By configuration", of: ({ configured }) => configured },
          ]}
          keyOf={({ handle, configured }) => `${handle} ${configured}`}
          empty="Nobody runs this ladder."
        />
      </Section>
      <Section id="moderated" title="Suspended and banned bots">
        <Table
          caption="Suspended and banned bots"
          rows={bots}
          columns={STATED_COLUMNS}
          keyOf={({ id }) => id}
          empty="No bot is suspended or banned."
        />
      </Section>
      <Section id="latest" title="What happened last">
        <Table
          caption="The latest entries of the audit"
          rows={audit}
          columns={AUDIT_COLUMNS}
          keyOf={({ id }) => id}
          empty="Nothing is in the audit yet."
        />
      </Section>
    </>
  );
}
