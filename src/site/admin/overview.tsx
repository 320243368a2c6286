import { SECOND_MS } from "#base/units/time.ts";
import type { Analytics } from "#core/operator/analytics.ts";
import { bytesText } from "#core/operator/attention.ts";
import type { HealthView } from "#core/operator/health.ts";
import type { Overview as OverviewAnswer } from "#core/resources/admin.ts";
import { DayPlots } from "#site/admin-figures/day-plots.tsx";
import { verdictOn } from "#site/admin-figures/verdict.ts";
import { Section } from "#site/look/parts.tsx";

import { AUDIT_COLUMNS } from "./audit-columns.tsx";
import { STATED_COLUMNS } from "./bots.tsx";
import { Fact, Facts } from "./facts.tsx";
import { NeedsAttention } from "./needs-attention.tsx";
import type { PartProps } from "./part.ts";
import { consolePath } from "./place.ts";
import { useRead } from "./read.ts";
import type { Read } from "./read.ts";
import { Readable } from "./readable.tsx";
import { Table } from "./table.tsx";

const OFTEN_MS = 10 * SECOND_MS;
const RARELY_MS = 60 * SECOND_MS;
const AUDIT_ROWS = 5;
/** Without the details: the table fits a phone. */
const [WHEN, WHAT, WHO, ABOUT] = AUDIT_COLUMNS;

const isSettled = ({ value, trouble }: Read<unknown>): boolean =>
  value !== null || trouble !== null;

/** A dashboard: what needs attention, current figures, and the last month. */
export function Overview({ desk }: PartProps) {
  const overview = useRead<OverviewAnswer>(desk, "/api/admin/overview", OFTEN_MS);
  const health = useRead<HealthView>(desk, "/api/admin/health", OFTEN_MS);
  const analytics = useRead<Analytics>(desk, "/api/admin/analytics", RARELY_MS);
  // Shown at once when all have answered, so that nothing moves as each one arrives.
  if (![overview, health, analytics].every(isSettled)) return <p class="sub">Loading…</p>;
  return (
    <div class="console-dashboard">
      <Readable read={health}>{() => null}</Readable>
      <Readable read={overview}>
        {(value) => (
          <>
            <NeedsAttention attention={value.attention} health={health.value} />
            <Figures overview={value} health={health.value} />
          </>
        )}
      </Readable>
      <Section
        id="overview-days"
        title="Matches and sign-ups"
        note={<a href={consolePath("analytics")}>All charts</a>}
      >
        <Readable read={analytics}>{(value) => <DayPlots analytics={value} isShort />}</Readable>
      </Section>
      {overview.value !== null && <Lists {...overview.value} />}
    </div>
  );
}

type FiguresProps = { overview: OverviewAnswer; health: HealthView | null };

const SERVER_STATES = { well: "Healthy", ill: "Overloaded", quiet: "No data yet" } as const;

function Figures({ overview: { status, attention }, health }: FiguresProps) {
  const { running, max } = status.capacity;
  const { disk_free_bytes: free, approvals } = attention;
  return (
    <Facts>
      <Fact title="Server">{status.draining ? "Shutting down" : serverState(health)}</Fact>
      <Fact title="Matches running">
        {running} of {max}
      </Fact>
      <Fact title="Bots online">{status.online.length}</Fact>
      <Fact title="Bots waiting">
        {health === null ? "Unknown" : sumOf(health.pairing, ({ waiting }) => waiting)}
      </Fact>
      <Fact title="Free disk space">{free === null ? "Unknown" : bytesText(free)}</Fact>
      <Fact title="Approvals waiting">{sumOf(approvals, ({ pending }) => pending)}</Fact>
      <Fact title="Email incidents">{attention.mail_incidents}</Fact>
      <Fact title="Unsent emails, 24 h">
        {attention.emails_not_sent + attention.transactional_not_sent}
      </Fact>
    </Facts>
  );
}

const serverState = (health: HealthView | null): string =>
  health === null ? "Unknown" : SERVER_STATES[verdictOn(health).state];

const sumOf = <T,>(list: readonly T[], figure: (one: T) => number): number =>
  list.reduce((sum, one) => sum + figure(one), 0);

function Lists({ admins, bots, audit }: OverviewAnswer) {
  return (
    <>
      {bots.length > 0 && (
        <Section id="moderated" title="Suspended and banned bots">
          <Table
            caption="Suspended and banned bots"
            rows={bots}
            columns={STATED_COLUMNS}
            keyOf={({ id }) => id}
            empty="No bot is suspended or banned."
          />
        </Section>
      )}
      <Section
        id="latest"
        title="Latest changes"
        note={<a href={consolePath("audit")}>Full audit log</a>}
      >
        <Table
          caption="Latest audit entries"
          rows={audit.slice(0, AUDIT_ROWS)}
          columns={[WHEN, WHAT, WHO, ABOUT]}
          keyOf={({ id }) => id}
          empty="Changes by admins and players appear here."
        />
      </Section>
      <Section id="admins" title="Admins">
        <Table
          caption="Admins"
          rows={admins}
          columns={[
            { title: "Handle", of: ({ handle }) => handle ?? "no handle yet" },
            { title: "Set in configuration", of: ({ configured }) => configured },
          ]}
          keyOf={({ handle, configured }) => `${handle} ${configured}`}
          empty="This server has no admins."
        />
      </Section>
    </>
  );
}
