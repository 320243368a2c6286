import type { EventView } from "#core/api/event.ts";

import { EventPicture } from "./event-picture.tsx";
import { achievementsPath } from "./event-texts.ts";

type EventLinksProps = {
  events: readonly EventView[];
  /** Image that the page already shows nearby, so it isn't repeated. */
  shownImage?: EventView["image"];
};

export function EventLinks({ events, shownImage = null }: EventLinksProps) {
  if (events.length === 0) return null;
  return (
    <ul class="event-links" aria-label="Events">
      {events.map((event) => (
        <li key={event.id}>
          <a href={achievementsPath(event.id)}>
            <EventPicture
              image={event.image?.url === shownImage?.url ? null : event.image}
              size="small"
            />
            <span>
              <strong>
                <bdi>{event.name}</bdi>
              </strong>
              <span class="sub">{PHASE_TEXTS[event.phase]}</span>
            </span>
          </a>
        </li>
      ))}
    </ul>
  );
}

const PHASE_TEXTS: Record<EventView["phase"], string> = {
  upcoming: "five achievements, coming soon",
  open: "five achievements to earn now",
  closed: "over; see how many earned each achievement",
};
