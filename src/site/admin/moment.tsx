import { utcWords, whenWords } from "#site/look/when-words.ts";
import type { WhenForm } from "#site/look/when-words.ts";

/** A time in the reader's zone from the start: no server has drawn it before in another one. */
export const Moment = ({ at, form = "minute" }: { at: string; form?: WhenForm }) => (
  <time class="when" dateTime={at} title={utcWords(at, form)}>
    {whenWords(at, form)}
  </time>
);
