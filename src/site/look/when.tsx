import { useEffect, useState } from "preact/hooks";

import { agoWords } from "#site/viewer/words.ts";

import { utcWords, whenWords } from "./when-words.ts";
import type { WhenForm } from "./when-words.ts";

type WhenProps = {
  /** UTC, ISO 8601. */
  instant: string;
  form?: WhenForm | undefined;
  /** The server's clock in ms since 1970: shows how long ago it was instead. */
  now?: number | undefined;
};

/** A time in the reader's zone, with UTC on hover. The server, which knows no zone, says UTC. */
export function When({ instant, form = "minute", now }: WhenProps) {
  const [isHere, setHere] = useState(false);
  useEffect(() => setHere(true), []);
  if (now !== undefined)
    return (
      <time class="when" dateTime={instant} title={utcWords(instant, "minute")}>
        {agoWords(Date.parse(instant), now)}
      </time>
    );
  return (
    <time class="when" dateTime={instant} title={utcWords(instant, form)} data-form={form}>
      {isHere ? whenWords(instant, form) : utcWords(instant, form)}
    </time>
  );
}
