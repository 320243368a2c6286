import { useEffect, useState } from "preact/hooks";

import { refetchPageData, startPolling } from "#site/shell/poll.ts";
import type { HomeData } from "#site/standings/data.ts";
import { standingsPath } from "#site/standings/standings-urls.ts";

import { Countdown } from "./countdown.tsx";
import type { CurrentEvent } from "./data.ts";
import { achievementsPath, enterLadderPath } from "./event-texts.ts";

type CurrentEventsProps = Pick<HomeData, "now"> & { initialEvents: readonly CurrentEvent[] };

/** Short enough for a home page that is displayed on a public screen. */
const POLL_INTERVAL_MS = 15_000;

export function CurrentEvents({ initialEvents, now }: CurrentEventsProps) {
  const [currentEvents, setCurrentEvents] = useState(initialEvents);
  useEffect(
    () =>
      startPolling({
        load: () => refetchPageData<HomeData>(),
        intervalMs: POLL_INTERVAL_MS,
        onData: (update) => update !== null && setCurrentEvents(update.currentEvents),
        onError: () => {},
      }),
    [],
  );
  if (currentEvents.length === 0) return null;
  return (
    <section class="occasions" aria-label="Current and upcoming">
      <ul>
        {currentEvents.map((currentEvent) => (
          <CurrentEventLine
            key={`${currentEvent.kind} ${currentEvent.id}`}
            currentEvent={currentEvent}
            now={now}
          />
        ))}
      </ul>
      <p class="sub">
        <a href="/ladders">All ladders</a>
      </p>
    </section>
  );
}

function CurrentEventLine({ currentEvent, now }: { currentEvent: CurrentEvent; now: number }) {
  const { kind, id, name, phase, opens_at, closes_at } = currentEvent;
  const instant = phase === "upcoming" ? opens_at : closes_at;
  const href = kind === "ladder" ? standingsPath({ ladder: id }) : achievementsPath(id);
  return (
    <li>
      <a class="occasion-name" href={href}>
        <bdi>{name}</bdi>
      </a>
      <span>{phase === "open" ? "is on now" : "comes next"}</span>
      {instant !== null && (
        <Countdown verb={phase === "open" ? "Closes" : "Opens"} instant={instant} now={now} />
      )}
      <a class="sub" href={kind === "ladder" ? enterLadderPath(id) : href}>
        {kind === "ladder" ? "How to join" : "Achievements"}
      </a>
    </li>
  );
}
