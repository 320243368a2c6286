import type { AdminEvent } from "#core/api/event.ts";
import type { AdminPanelProps } from "#site/admin/admin-panel-props.ts";
import { AdminTable } from "#site/admin/admin-table.tsx";
import { AdminTime } from "#site/admin/admin-time.tsx";
import { adminPath } from "#site/admin/console-location.ts";
import { DetailHead, Fact, FactList } from "#site/admin/fact-list.tsx";
import { describeAchievementCondition } from "#site/events/event-texts.ts";
import { Section } from "#site/ui/section.tsx";

import { EventActions } from "./event-actions.tsx";
import { EventImageSection } from "./event-image.tsx";
import type { EventPanelProps } from "./event-panel-props.ts";
import { EventStandingsTable } from "./event-standings.tsx";
import { ParticipantLookup } from "./participant.tsx";
import { ReconcileAwards } from "./reconcile-awards.tsx";

export function AdminEventPage({
  event,
  ...props
}: Omit<EventPanelProps, "path"> & Pick<AdminPanelProps, "onSelect">) {
  const path = `/api/admin/events/${encodeURIComponent(event.id)}`;
  const sharedProps = { ...props, event, path };
  return (
    <>
      <DetailHead title={event.name} backPath={adminPath("events")} backLabel="All events" />
      <EventFacts {...event} />
      <EventObstacles {...event} />
      <EventActions {...sharedProps} />
      <Section id="achievements" title="Achievements">
        <AdminTable
          caption="Achievements"
          rows={event.conditions}
          columns={[
            { title: "Name", accessor: ({ name }) => name },
            { title: "Id", accessor: ({ id }) => id },
            {
              title: "Condition",
              accessor: ({ condition }) => describeAchievementCondition(condition),
            },
            {
              title: "Flag",
              accessor: ({ id }) => (event.flags_missing.includes(id) ? "missing" : "there"),
            },
          ]}
          keyOf={({ id }) => id}
          empty="None."
        />
      </Section>
      <Section id="picture" title="Image">
        <EventImageSection {...sharedProps} />
      </Section>
      <Section id="standings" title="Standings">
        <EventStandingsTable {...sharedProps} />
      </Section>
      <Section id="account" title="An account in this event">
        <ParticipantLookup {...sharedProps} />
      </Section>
      <Section id="recount" title="Reconcile">
        <ReconcileAwards {...sharedProps} />
      </Section>
    </>
  );
}

function EventFacts({ id, ladder_id, phase, counts, ...event }: AdminEvent) {
  return (
    <>
      <FactList>
        <Fact title="Phase">{phase}</Fact>
        <Fact title="Opens">
          <AdminTime instant={event.opens_at} />
        </Fact>
        <Fact title="Closes">
          <AdminTime instant={event.closes_at} />
        </Fact>
        <Fact title="On">{event.enabled ? "yes" : "no"}</Fact>
        <Fact title="Members">{counts.members}</Fact>
        <Fact title="Participants">{counts.participants}</Fact>
        <Fact title="Earned">{counts.earned}</Fact>
        <Fact title="Revoked">{counts.revoked}</Fact>
        <Fact title="Requested opponents">{counts.requests}</Fact>
      </FactList>
      <p class="sub">
        ID <code>{id}</code> · revision {event.revision} · ladder{" "}
        <a href={adminPath("ladders", ladder_id)}>{ladder_id}</a>
      </p>
    </>
  );
}

const UNAVAILABLE_REASONS: Record<NonNullable<AdminEvent["earning_unavailable"]>, string> = {
  disabled: "the event is disabled",
  upcoming: "the event hasn't opened yet",
  closed: "the event is over",
  ladder_closed: "its ladder is closed or disabled",
};

/**
 * Lists why achievements can't be earned and what the event still needs before it can be enabled.
 */
function EventObstacles({ earning_unavailable, ready, flags_missing, ...event }: AdminEvent) {
  const missingItems = [
    ...event.unavailable_opponents.map(
      (kind) =>
        `${kind} can't be requested: not approved, not on the ladder, or a different version`,
    ),
    ...flags_missing.map((id) => `the flag of ${id} is not set on the server`),
  ];
  if (earning_unavailable === null && missingItems.length === 0 && ready) return null;
  return (
    <div class="notice">
      {earning_unavailable !== null && (
        <p>Achievements can't be earned: {UNAVAILABLE_REASONS[earning_unavailable]}.</p>
      )}
      {!ready && <p>This event can't be enabled yet. Missing:</p>}
      {missingItems.length > 0 && (
        <ul>
          {missingItems.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      )}
    </div>
  );
}
