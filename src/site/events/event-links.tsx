import type { EventView } from "#core/resources/event.ts";

import { Picture } from "./picture.tsx";
import { achievementsPath } from "./words.ts";

type LinksProps = {
  events: readonly EventView[];
  /** A picture that stands next to them already. */
  shown?: EventView["image"];
};

/** The events of a ladder, with their pictures, as ways to their achievements. */
export function EventLinks({ events, shown = null }: LinksProps) {
  if (events.length === 0) return null;
  return (
    <ul class="event-links" aria-label="Events">
      {events.map((event) => (
        <li key={event.id}>
          <a href={achievementsPath(event.id)}>
            <Picture image={event.image?.url === shown?.url ? null : event.image} size="small" />
            <span>
              <strong>
                <bdi>{event.name}</bdi>
              </strong>
              <span class="sub">{STATE_WORDS[event.phase]}</span>
            </span>
          </a>
        </li>
      ))}
    </ul>
  );
}

const STATE_WORDS: Record<EventView["phase"], string> = {
  upcoming: "five achievements, to come",
  open: "five achievements to earn now",
  closed: "over; how many earned each achievement",
};
