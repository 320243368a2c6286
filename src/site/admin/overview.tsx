import { SECOND_MS } from "#base/util/time.ts";
import type { AdminOverview as OverviewAnswer } from "#core/api/admin.ts";
import type { AnalyticsReport } from "#core/api/analytics.ts";
import { formatByteSize } from "#core/api/attention.ts";
import type { HealthView } from "#core/api/server-health.ts";
import { DailyPlots } from "#site/admin-metrics/day-plots.tsx";
import { assessHealth } from "#site/admin-metrics/health-verdict.ts";
import { Section } from "#site/ui/section.tsx";

import type { AdminPanelProps } from "./admin-panel-props.ts";
import { AdminTable } from "./admin-table.tsx";
import { AUDIT_COLUMNS } from "./audit-columns.tsx";
import { MODERATED_BOT_COLUMNS } from "./bots.tsx";
import { adminPath } from "./console-location.ts";
import { Fact, FactList } from "./fact-list.tsx";
import { NeedsAttention } from "./needs-attention.tsx";
import { ResourceView } from "./resource-view.tsx";
import { useResource } from "./use-resource.ts";
import type { Resource } from "./use-resource.ts";

const FAST_POLL_MS = 10 * SECOND_MS;
const SLOW_POLL_MS = 60 * SECOND_MS;
const AUDIT_ROWS = 5;
/** The details column is omitted to fit on a phone. */
const [TIME_COLUMN, KIND_COLUMN, ACTOR_COLUMN, SUBJECT_COLUMN] = AUDIT_COLUMNS;

const hasResult = ({ value, error }: Resource<unknown>): boolean =>
  value !== null || error !== null;

export function OverviewPanel({ auth }: AdminPanelProps) {
  const overview = useResource<OverviewAnswer>(auth, "/api/admin/overview", FAST_POLL_MS);
  const health = useResource<HealthView>(auth, "/api/admin/health", FAST_POLL_MS);
  const analytics = useResource<AnalyticsReport>(auth, "/api/admin/analytics", SLOW_POLL_MS);
  // Waits until everything has loaded, to avoid layout shifts.
  if (![overview, health, analytics].every(hasResult)) return <p class="sub">Loading…</p>;
  return (
    <div class="console-dashboard">
      <ResourceView resource={health}>{() => null}</ResourceView>
      <ResourceView resource={overview}>
        {(value) => (
          <>
            <NeedsAttention attention={value.attention} health={health.value} />
            <OverviewMetrics overview={value} health={health.value} />
          </>
        )}
      </ResourceView>
      <Section
        id="overview-days"
        title="Matches and sign-ups"
        note={<a href={adminPath("analytics")}>All charts</a>}
      >
        <ResourceView resource={analytics}>
          {(value) => <DailyPlots analytics={value} isOverview />}
        </ResourceView>
      </Section>
      {overview.value !== null && <OverviewTables {...overview.value} />}
    </div>
  );
}

type OverviewMetricsProps = { overview: OverviewAnswer; health: HealthView | null };

const SERVER_STATE_LABELS = { well: "Healthy", ill: "Overloaded", quiet: "No data yet" } as const;

function OverviewMetrics({ overview: { status, attention }, health }: OverviewMetricsProps) {
  const { running, max } = status.capacity;
  const { disk_free_bytes: freeBytes, approvals } = attention;
  return (
    <FactList>
      <Fact title="Server">{status.draining ? "Shutting down" : serverStateLabel(health)}</Fact>
      <Fact title="Matches running">
        {running} of {max}
      </Fact>
      <Fact title="Bots online">{status.online.length}</Fact>
      <Fact title="Bots waiting">
        {health === null ? "Unknown" : sumBy(health.pairing, ({ waiting: busyLabel }) => busyLabel)}
      </Fact>
      <Fact title="Free disk space">
        {freeBytes === null ? "Unknown" : formatByteSize(freeBytes)}
      </Fact>
      <Fact title="Approvals waiting">{sumBy(approvals, ({ pending }) => pending)}</Fact>
      <Fact title="Email incidents">{attention.mail_incidents}</Fact>
      <Fact title="Unsent emails, 24 h">
        {attention.emails_not_sent + attention.transactional_not_sent}
      </Fact>
    </FactList>
  );
}

const serverStateLabel = (health: HealthView | null): string =>
  health === null ? "Unknown" : SERVER_STATE_LABELS[assessHealth(health).state];

const sumBy = <T,>(items: readonly T[], valueOf: (item: T) => number): number =>
  items.reduce((sum, item) => sum + valueOf(item), 0);

function OverviewTables({ admins, bots, audit }: OverviewAnswer) {
  return (
    <>
      {bots.length > 0 && (
        <Section id="moderated" title="Suspended and banned bots">
          <AdminTable
            caption="Suspended and banned bots"
            rows={bots}
            columns={MODERATED_BOT_COLUMNS}
            keyOf={({ id }) => id}
            empty="No suspended or banned bots."
          />
        </Section>
      )}
      <Section
        id="latest"
        title="Latest changes"
        note={<a href={adminPath("audit")}>Full audit log</a>}
      >
        <AdminTable
          caption="Latest audit entries"
          rows={audit.slice(0, AUDIT_ROWS)}
          columns={[TIME_COLUMN, KIND_COLUMN, ACTOR_COLUMN, SUBJECT_COLUMN]}
          keyOf={({ id }) => id}
          empty="Changes by admins and players appear here."
        />
      </Section>
      <Section id="admins" title="Admins">
        <AdminTable
          caption="Admins"
          rows={admins}
          columns={[
            { title: "Handle", accessor: ({ handle }) => handle ?? "no handle yet" },
            { title: "Set in configuration", accessor: ({ configured }) => configured },
          ]}
          keyOf={({ handle, configured }) => `${handle} ${configured}`}
          empty="This server has no admins."
        />
      </Section>
    </>
  );
}
