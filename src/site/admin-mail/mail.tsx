import { SECOND_MS } from "#base/units/time.ts";
import type { Emails } from "#core/operator/email.ts";
import { Fact, Facts } from "#site/admin/facts.tsx";
import type { PartProps } from "#site/admin/part.ts";
import { useRead } from "#site/admin/read.ts";
import { Readable } from "#site/admin/readable.tsx";
import { Table } from "#site/admin/table.tsx";
import { Section } from "#site/look/parts.tsx";

import { Deliveries } from "./deliveries.tsx";
import { MailHistory } from "./history.tsx";
import { Incidents } from "./incidents.tsx";
import { CATEGORY_TITLES } from "./mail-words.ts";
import { Samples } from "./samples.tsx";
import { SuppressedAccounts } from "./suppressed.tsx";
import { TransactionalMail } from "./transactional.tsx";

const EVERY_MS = 5 * SECOND_MS;

/** Email: what was sent, what was not, and why. */
export function Mail(props: PartProps) {
  const read = useRead<Emails>(props.desk, "/api/admin/emails", EVERY_MS);
  return (
    <Readable read={read}>
      {({ modes, transactional, queue, suppressed, history, incidents }) => (
        <>
          <Facts>
            <Fact title="Goes out by">{modes.transport === "smtp" ? "SMTP" : "a file"}</Fact>
            <Fact title="From">{modes.from ?? "no sender: letters go to a file"}</Fact>
            <Fact title="Open incidents">
              {incidents.filter(({ resolved }) => resolved === null).length}
            </Fact>
          </Facts>
          <TransactionalMail {...transactional} />
          <Section id="mail-queue" title="Optional email by state">
            <Deliveries counts={queue} scheduled={queue.scheduled} />
          </Section>
          <Section id="mail-incidents" title="Incidents">
            <Incidents {...props} incidents={incidents} again={read.again} />
          </Section>
          <SuppressedAccounts {...props} suppressed={suppressed} again={read.again} />
          <Modes {...modes} />
          <MailHistory history={history} />
          <Samples {...props} />
        </>
      )}
    </Readable>
  );
}

function Modes({ categories }: Emails["modes"]) {
  const rows = Object.entries(categories) as [keyof typeof categories, string][];
  return (
    <Section
      id="mail-modes"
      title="Kinds of mail"
      note="Held is what an incident stops, or a server that cannot send."
    >
      <Table
        caption="Kinds of mail"
        rows={rows}
        columns={[
          { title: "Kind", of: ([category]) => CATEGORY_TITLES[category] },
          { title: "Now", of: ([, mode]) => mode },
        ]}
        keyOf={([category]) => category}
        empty="There is none."
      />
    </Section>
  );
}
