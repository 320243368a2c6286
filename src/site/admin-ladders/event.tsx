import type { AdminEvent } from "#core/resources/event.ts";
import { DetailHead, Fact, Facts } from "#site/admin/facts.tsx";
import { Moment } from "#site/admin/moment.tsx";
import type { PartProps } from "#site/admin/part.ts";
import { consolePath } from "#site/admin/place.ts";
import { Table } from "#site/admin/table.tsx";
import { conditionWords } from "#site/events/words.ts";
import { Section } from "#site/look/parts.tsx";

import { EventImage } from "./event-image.tsx";
import type { EventPartProps } from "./event-part.ts";
import { Standings } from "./event-standings.tsx";
import { EventSteps } from "./event-steps.tsx";
import { Participant } from "./participant.tsx";
import { Recount } from "./recount.tsx";

/** One event: what it needs, what it shows, who has earned what. */
export function EventPage({
  event,
  ...props
}: Omit<EventPartProps, "path"> & Pick<PartProps, "look">) {
  const path = `/api/admin/events/${encodeURIComponent(event.id)}`;
  const shared = { ...props, event, path };
  return (
    <>
      <DetailHead title={event.name} back={consolePath("events")} backWords="All events" />
      <Known {...event} />
      <Obstacles {...event} />
      <EventSteps {...shared} />
      <Section id="achievements" title="Achievements">
        <Table
          caption="Achievements"
          rows={event.conditions}
          columns={[
            { title: "Name", of: ({ name }) => name },
            { title: "Id", of: ({ id }) => id },
            { title: "What earns it", of: ({ condition }) => conditionWords(condition) },
            {
              title: "Flag",
              of: ({ id }) => (event.flags_missing.includes(id) ? "missing" : "there"),
            },
          ]}
          keyOf={({ id }) => id}
          empty="There is none."
        />
      </Section>
      <Section id="picture" title="Picture">
        <EventImage {...shared} />
      </Section>
      <Section id="standings" title="Standings">
        <Standings {...shared} />
      </Section>
      <Section id="account" title="An account in this event">
        <Participant {...shared} />
      </Section>
      <Section id="recount" title="Recount">
        <Recount {...shared} />
      </Section>
    </>
  );
}

function Known({ id, ladder_id, phase, counts, ...event }: AdminEvent) {
  return (
    <>
      <Facts>
        <Fact title="Phase">{phase}</Fact>
        <Fact title="Opens">
          <Moment at={event.opens_at} />
        </Fact>
        <Fact title="Closes">
          <Moment at={event.closes_at} />
        </Fact>
        <Fact title="On">{event.enabled ? "yes" : "no"}</Fact>
        <Fact title="Members">{counts.members}</Fact>
        <Fact title="Take part">{counts.participants}</Fact>
        <Fact title="Earned">{counts.earned}</Fact>
        <Fact title="Revoked">{counts.revoked}</Fact>
        <Fact title="Opponents asked for">{counts.requests}</Fact>
      </Facts>
      <p class="sub">
        Id <code>{id}</code> · revision {event.revision} · on the ladder{" "}
        <a href={consolePath("ladders", ladder_id)}>{ladder_id}</a>
      </p>
    </>
  );
}

const OBSTACLES: Record<NonNullable<AdminEvent["earning_unavailable"]>, string> = {
  disabled: "it is off",
  upcoming: "it has not opened yet",
  closed: "it is over",
  ladder_closed: "its ladder is closed or off",
};

/** Why nothing can be earned, and what is missing until it can be enabled. */
function Obstacles({ earning_unavailable, ready, flags_missing, ...event }: AdminEvent) {
  const missing = [
    ...event.unavailable_opponents.map(
      (kind) => `${kind} cannot be asked for: not approved, not on the ladder, or another version`,
    ),
    ...flags_missing.map((id) => `the flag of ${id} is nowhere`),
  ];
  if (earning_unavailable === null && missing.length === 0 && ready) return null;
  return (
    <div class="notice">
      {earning_unavailable !== null && (
        <p>Nothing can be earned now: {OBSTACLES[earning_unavailable]}.</p>
      )}
      {!ready && <p>It cannot be enabled yet. What is missing:</p>}
      {missing.length > 0 && (
        <ul>
          {missing.map((words) => (
            <li key={words}>{words}</li>
          ))}
        </ul>
      )}
    </div>
  );
}
