import { useEffect, useState } from "preact/hooks";

import type { EventView } from "#core/resources/event.ts";
import { utcWords, whenWords } from "#site/look/when-words.ts";
import { standingsPath } from "#site/standings/addresses.ts";

import { Countdown } from "./countdown.tsx";
import type { TalliedEvent } from "./data.ts";
import { Dates } from "./ladder-card.tsx";
import { Picture } from "./picture.tsx";
import { enterPath, nextEdge } from "./words.ts";

type HeadProps = {
  event: TalliedEvent;
  now: number;
  /** There is no list to go back to. */
  isAlone: boolean;
};

/** What an event is: its name, its picture, its window, and what its makers say. */
export function EventHead({ event, now, isAlone }: HeadProps) {
  const { name, description, ladder_name, ladder_id, phase } = event;
  const next = nextEdge(event);
  const ladder = ladder_id === "public" ? undefined : ladder_id;
  return (
    <header class={event.image === null ? "events-head" : "events-head pictured"}>
      <div class="event-words">
        <p class="event-kicker">
          {isAlone ? "Achievements" : <a href="/achievements">Achievements</a>}
        </p>
        <h1>
          <bdi>{name}</bdi>
        </h1>
        <p class="lead">
          <bdi>{description}</bdi>
        </p>
        <p class="event-window">
          {next !== null && (
            <strong>
              <Countdown {...next} now={now} isSpoken />
            </strong>
          )}{" "}
          <span class="sub">
            <Dates ladder={event} />
          </span>
          <Local event={event} />
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
              <a href={enterPath(ladder_id)}>How to get in</a>
            </>
          )}
        </p>
        {!event.enabled && (
          <p class="notice">
            {phase === "closed"
              ? "The operator has taken it from the list."
              : "The operator still prepares it: nothing can be earned yet."}
          </p>
        )}
        {event.flag_mode === "testing" && (
          <p class="sub">This is a trial: its flags begin with TEST- and are good for nothing.</p>
        )}
      </div>
      <Picture image={event.image} size="large" />
      <About event={event} />
      <Submission event={event} />
    </header>
  );
}

/** The times in the event's own zone, for readers in another one. */
function Local({ event: { opens_at, closes_at, timezone } }: { event: EventView }) {
  const [zone, setZone] = useState("UTC");
  useEffect(() => setZone(Intl.DateTimeFormat().resolvedOptions().timeZone), []);
  if (timezone === zone) return null;
  const words = (instant: string) => whenWords(instant, "minute", timezone);
  return (
    <span
      class="sub event-local"
      title={`${utcWords(opens_at, "minute")} to ${utcWords(closes_at, "minute")}`}
    >
      In {timezone.replaceAll("_", " ")}: {words(opens_at)} to {words(closes_at)}
    </span>
  );
}

const TOPICS = [
  ["purpose", "What it is for"],
  ["audience", "For whom"],
  ["format", "How it goes"],
  ["preparation", "Before it opens"],
] as const;

function About({ event: { metadata } }: { event: EventView }) {
  const topics = TOPICS.filter(([name]) => (metadata?.[name] ?? "") !== "");
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

function Submission({ event }: { event: EventView }) {
  const { submission_url: url, submission_instructions: text } = event;
  if (url === null && text === "") return null;
  return (
    <div class="event-submission">
      <h2>What to do with a flag</h2>
      {text !== "" && <p class="event-text">{text}</p>}
      {url !== null && (
        <p>
          <a class="button quiet" href={url} rel="noopener noreferrer nofollow">
            Hand it in at <bdi>{new URL(url).host}</bdi>
          </a>
        </p>
      )}
    </div>
  );
}
