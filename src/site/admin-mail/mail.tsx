import { SECOND_MS } from "#base/util/time.ts";
import type { Emails } from "#core/api/admin-emails.ts";
import type { AdminPanelProps } from "#site/admin/admin-panel-props.ts";
import { AdminTable } from "#site/admin/admin-table.tsx";
import { Fact, FactList } from "#site/admin/fact-list.tsx";
import { ResourceView } from "#site/admin/resource-view.tsx";
import { useResource } from "#site/admin/use-resource.ts";
import { Section } from "#site/ui/section.tsx";

import { DeliveryCountsView } from "./deliveries.tsx";
import { EmailHistory } from "./history.tsx";
import { IncidentsTable } from "./incidents.tsx";
import { MAIL_CATEGORY_TITLES } from "./mail-labels.ts";
import { EmailSamples } from "./samples.tsx";
import { SuppressedAccounts } from "./suppressed.tsx";
import { TransactionalMail } from "./transactional.tsx";

const POLL_INTERVAL_MS = 5 * SECOND_MS;

export function MailPanel(props: AdminPanelProps) {
  const resource = useResource<Emails>(props.auth, "/api/admin/emails", POLL_INTERVAL_MS);
  return (
    <ResourceView resource={resource}>
      {({ modes, transactional, queue, suppressed, history, incidents }) => (
        <>
          <FactList>
            <Fact title="Transport">{modes.transport === "smtp" ? "SMTP" : "a file"}</Fact>
            <Fact title="From">{modes.from ?? "no sender: emails are written to a file"}</Fact>
            <Fact title="Open incidents">
              {incidents.filter(({ resolved }) => resolved === null).length}
            </Fact>
          </FactList>
          <TransactionalMail {...transactional} />
          <Section id="mail-queue" title="Optional email by state">
            <DeliveryCountsView counts={queue} scheduled={queue.scheduled} />
          </Section>
          <Section id="mail-incidents" title="Incidents">
            <IncidentsTable {...props} incidents={incidents} reload={resource.reload} />
          </Section>
          <SuppressedAccounts {...props} suppressed={suppressed} reload={resource.reload} />
          <MailModes {...modes} />
          <EmailHistory history={history} />
          <EmailSamples {...props} />
        </>
      )}
    </ResourceView>
  );
}

function MailModes({ categories }: Emails["modes"]) {
  const rows = Object.entries(categories) as [keyof typeof categories, string][];
  return (
    <Section
      id="mail-modes"
      title="Email categories"
      note="Held: stopped by an incident, or the server can't send."
    >
      <AdminTable
        caption="Email categories"
        rows={rows}
        columns={[
          { title: "Kind", accessor: ([category]) => MAIL_CATEGORY_TITLES[category] },
          { title: "Now", accessor: ([, mode]) => mode },
        ]}
        keyOf={([category]) => category}
        empty="None."
      />
    </Section>
  );
}
