import { Empty } from "#site/look/empty.tsx";
import { Section } from "#site/look/parts.tsx";

import { Countdown } from "./countdown.tsx";
import type { TalliedEvent } from "./data.ts";
import { Dates } from "./ladder-card.tsx";
import { Picture } from "./picture.tsx";
import { achievementsPath, nextEdge } from "./words.ts";

type ListProps = { events: readonly TalliedEvent[]; now: number };

/** All events that are listed. */
export function EventList({ events, now }: ListProps) {
  return (
    <>
      <header class="events-head">
        <h1>Achievements</h1>
        <p class="lead">
          An event is five goals on a ladder for a while: achievements, which bots earn in rated
          games. Each has a flag.
        </p>
      </header>
      {events.length === 0 && (
        <Empty of="events">
          Open and upcoming events appear here. Until then, <a href="/create-bot">create a bot</a>{" "}
          or see <a href="/ladders">the ladders</a>; <a href="/guide/events">the guide to events</a>{" "}
          explains what bots can earn.
        </Empty>
      )}
      {GROUPS.map(({ phase, title }) => {
        const group = events.filter((event) => event.phase === phase);
        if (group.length === 0) return null;
        return (
          <Section key={phase} id={phase} title={title}>
            <ul class="offers">
              {group.map((event) => (
                <EventCard key={event.id} event={event} now={now} />
              ))}
            </ul>
          </Section>
        );
      })}
    </>
  );
}

const GROUPS: { phase: TalliedEvent["phase"]; title: string }[] = [
  { phase: "open", title: "Open now" },
  { phase: "upcoming", title: "To come" },
  { phase: "closed", title: "Over" },
];

function EventCard({ event, now }: { event: TalliedEvent; now: number }) {
  const next = nextEdge(event);
  return (
    <li class={event.image === null ? "panel offer" : "panel offer pictured"}>
      <Picture image={event.image} size="large" />
      <div class="offer-body">
        <div class="offer-head">
          <h3>
            <a href={achievementsPath(event.id)}>
              <bdi>{event.name}</bdi>
            </a>
          </h3>
          {next !== null && (
            <p class="offer-next">
              <Countdown {...next} now={now} />
            </p>
          )}
        </div>
        <p>
          <bdi>{event.description}</bdi>
        </p>
        <p class="sub">
          <Dates ladder={event} /> · on <bdi>{event.ladder_name}</bdi>
        </p>
        <ul class="offer-goals">
          {event.conditions.map(({ id, name }) => (
            <li key={id}>
              <bdi>{name}</bdi> <span class="sub">{event.earned[id] ?? 0}</span>
            </li>
          ))}
        </ul>
        <p class="sub">The number is how many have earned it.</p>
      </div>
    </li>
  );
}
