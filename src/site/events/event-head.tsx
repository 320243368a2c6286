import { useEffect, useState } from "preact/hooks";

import type { EventView } from "#core/api/event.ts";
import { standingsPath } from "#site/standings/standings-urls.ts";
import { formatUtcTime, formatTime } from "#site/ui/time-format.ts";

import { Countdown } from "./countdown.tsx";
import type { EventWithCounts } from "./data.ts";
import { EventPicture } from "./event-picture.tsx";
import { enterLadderPath, nextWindowBoundary } from "./event-texts.ts";
import { LadderDates } from "./ladder-card.tsx";

type EventHeaderProps = {
  event: EventWithCounts;
  now: number;
  /** Hides the link to the event list. */
  isOnlyEvent: boolean;
};

export function EventHeader({ event, now, isOnlyEvent }: EventHeaderProps) {
  const { name, description, ladder_name, ladder_id, phase } = event;
  const nextBoundary = nextWindowBoundary(event);
  const ladder = ladder_id === "public" ? undefined : ladder_id;
  return (
    <header class={event.image === null ? "events-head" : "events-head pictured"}>
      <div class="event-words">
        <p class="event-kicker">
          {isOnlyEvent ? "Achievements" : <a href="/achievements">Achievements</a>}
        </p>
        <h1>
          <bdi>{name}</bdi>
        </h1>
        <p class="lead">
          <bdi>{description}</bdi>
        </p>
        <p class="event-window">
          {nextBoundary !== null && (
            <strong>
              <Countdown {...nextBoundary} now={now} isAnnounced />
            </strong>
          )}{" "}
          <span class="sub">
            <LadderDates ladder={event} />
          </span>
          <EventTimeZone event={event} />
        </p>
        <p class="sub">
          On the ladder{" "}
          <a href={standingsPath({ ladder })}>
            <bdi>{ladder_name}</bdi>
          </a>
          .
          {phase !== "closed" && (
            <>
              {" "}
              <a href={enterLadderPath(ladder_id)}>How to join</a>
            </>
          )}
        </p>
        {!event.enabled && (
          <p class="notice">
            {phase === "closed"
              ? "Disabled by the operator."
              : "In preparation: achievements can't be earned yet."}
          </p>
        )}
        {event.flag_mode === "testing" && (
          <p class="sub">This is a trial: its flags begin with TEST- and are not valid.</p>
        )}
      </div>
      <EventPicture image={event.image} size="large" />
      <EventMetadata event={event} />
      <EventSubmission event={event} />
    </header>
  );
}

/** Shows the event's times in its own time zone if the viewer's time zone differs. */
function EventTimeZone({ event: { opens_at, closes_at, timezone } }: { event: EventView }) {
  const [zone, setZone] = useState("UTC");
  useEffect(() => setZone(Intl.DateTimeFormat().resolvedOptions().timeZone), []);
  if (timezone === zone) return null;
  const formatLocal = (instant: string) => formatTime(instant, "minute", timezone);
  return (
    <span
      class="sub event-local"
      title={`${formatUtcTime(opens_at, "minute")} to ${formatUtcTime(closes_at, "minute")}`}
    >
      In {timezone.replaceAll("_", " ")}: {formatLocal(opens_at)} to {formatLocal(closes_at)}
    </span>
  );
}

const METADATA_TOPICS = [
  ["purpose", "Purpose"],
  ["audience", "Audience"],
  ["format", "Format"],
  ["preparation", "Before it opens"],
] as const;

function EventMetadata({ event: { metadata } }: { event: EventView }) {
  const topics = METADATA_TOPICS.filter(([name]) => (metadata?.[name] ?? "") !== "");
  if (metadata === null || topics.length === 0) return null;
  return (
    <dl class="event-about">
      {topics.map(([name, title]) => (
        <div key={name}>
          <dt>{title}</dt>
          <dd>
            <bdi>{metadata[name]}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  );
}

function EventSubmission({ event }: { event: EventView }) {
  const { submission_url: url, submission_instructions: text } = event;
  if (url === null && text === "") return null;
  return (
    <div class="event-submission">
      <h2>How to submit flags</h2>
      {text !== "" && <p class="event-text">{text}</p>}
      {url !== null && (
        <p>
          <a class="button quiet" href={url} rel="noopener noreferrer nofollow">
            Submit at <bdi>{new URL(url).host}</bdi>
          </a>
        </p>
      )}
    </div>
  );
}
