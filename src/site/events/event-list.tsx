import { EmptyState } from "#site/ui/empty-state.tsx";
import { Section } from "#site/ui/section.tsx";

import { Countdown } from "./countdown.tsx";
import type { EventWithCounts } from "./data.ts";
import { EventPicture } from "./event-picture.tsx";
import { achievementsPath, nextWindowBoundary } from "./event-texts.ts";
import { LadderDates } from "./ladder-card.tsx";

type EventListProps = { events: readonly EventWithCounts[]; now: number };

export function EventList({ events, now }: EventListProps) {
  return (
    <>
      <header class="events-head">
        <h1>Achievements</h1>
        <p class="lead">
          An event is a set of five achievements that bots can earn in rated games on a ladder, for
          a limited time. Each achievement has a flag.
        </p>
      </header>
      {events.length === 0 && (
        <EmptyState subject="events">
          Open and upcoming events appear here. Until then, <a href="/create-bot">create a bot</a>{" "}
          or see <a href="/ladders">the ladders</a>; <a href="/guide/events">the guide to events</a>{" "}
          explains what bots can earn.
        </EmptyState>
      )}
      {EVENT_GROUPS.map(({ phase, title }) => {
        const groupEvents = events.filter((event) => event.phase === phase);
        if (groupEvents.length === 0) return null;
        return (
          <Section key={phase} id={phase} title={title}>
            <ul class="offers">
              {groupEvents.map((event) => (
                <EventCard key={event.id} event={event} now={now} />
              ))}
            </ul>
          </Section>
        );
      })}
    </>
  );
}

const EVENT_GROUPS: { phase: EventWithCounts["phase"]; title: string }[] = [
  { phase: "open", title: "Open now" },
  { phase: "upcoming", title: "Upcoming" },
  { phase: "closed", title: "Past" },
];

function EventCard({ event, now }: { event: EventWithCounts; now: number }) {
  const nextBoundary = nextWindowBoundary(event);
  return (
    <li class={event.image === null ? "panel offer" : "panel offer pictured"}>
      <EventPicture image={event.image} size="large" />
      <div class="offer-body">
        <div class="offer-head">
          <h3>
            <a href={achievementsPath(event.id)}>
              <bdi>{event.name}</bdi>
            </a>
          </h3>
          {nextBoundary !== null && (
            <p class="offer-next">
              <Countdown {...nextBoundary} now={now} />
            </p>
          )}
        </div>
        <p>
          <bdi>{event.description}</bdi>
        </p>
        <p class="sub">
          <LadderDates ladder={event} /> · on <bdi>{event.ladder_name}</bdi>
        </p>
        <ul class="offer-goals">
          {event.conditions.map(({ id, name }) => (
            <li key={id}>
              <bdi>{name}</bdi> <span class="sub">{event.earnedCounts[id] ?? 0}</span>
            </li>
          ))}
        </ul>
        <p class="sub">The number shows how many have earned it.</p>
      </div>
    </li>
  );
}
