import type { AdminLadder } from "#core/resources/admin-ladder.ts";
import type { AdminEvent } from "#core/resources/event.ts";
import { Act, Acts } from "#site/admin/act.tsx";
import { DetailHead } from "#site/admin/facts.tsx";
import type { PartProps } from "#site/admin/part.ts";
import { consolePath } from "#site/admin/place.ts";
import { useRead } from "#site/admin/read.ts";
import { Readable } from "#site/admin/readable.tsx";

import { newEventIn, newEventQuestions } from "./event-questions.ts";
import { EventTable } from "./event-table.tsx";
import { EventPage } from "./event.tsx";

/** All events; one of them is looked at by itself. */
export function Events({ of, ...props }: PartProps) {
  const { desk, look } = props;
  const read = useRead<AdminEvent[]>(desk, "/api/admin/events");
  return (
    <Readable read={read}>
      {(events) => {
        if (of === null) return <EventList {...{ events, desk, look, again: read.again }} />;
        const event = events.find(({ id }) => id === of);
        return event === undefined ? (
          <DetailHead title="No such event" back={consolePath("events")} backWords="All events" />
        ) : (
          <EventPage {...props} {...{ event, again: read.again }} />
        );
      }}
    </Readable>
  );
}

type EventListProps = Pick<PartProps, "desk" | "look"> & {
  events: AdminEvent[];
  again: () => Promise<void>;
};

function EventList({ events, desk, look, again }: EventListProps) {
  const read = useRead<AdminLadder[]>(desk, "/api/admin/ladders");
  return (
    <Readable read={read}>
      {(ladders) => (
        <>
          <Acts>
            <Act
              desk={desk}
              ask="Make an event"
              no="Cancel"
              title="Make an event"
              yes="Make the event"
              waiting="Making it…"
              questions={newEventQuestions(events.at(-1) ?? null, ladders)}
              route={newEventIn}
              done={() => "The event is there. It is off until you enable it."}
              onDone={async (made) => {
                await again();
                look((made as AdminEvent).id);
              }}
            >
              <p>
                An event is a window on a ladder with five achievements. Until it opens, you can
                change all of it but its id and its ladder.
              </p>
            </Act>
          </Acts>
          <EventTable events={events} empty="There is no event." />
        </>
      )}
    </Readable>
  );
}
