import { useEffect, useState } from "preact/hooks";

import { MINUTE_MS, SECOND_MS } from "#base/units/time.ts";
import { utcWords } from "#site/look/when-words.ts";

import { leftWords } from "./words.ts";

type CountdownProps = {
  /** "Opens" or "Closes". */
  verb: string;
  /** UTC, ISO 8601. */
  at: string;
  /** The server's clock, in ms since 1970. */
  now: number;
  /** Says the last hour to those who do not see it, a few times. */
  isSpoken?: boolean;
};

/** How long it is until an instant. It moves quietly, and without seconds for who wants no motion. */
export function Countdown({ verb, at, now, isSpoken = false }: CountdownProps) {
  const clock = useClock(now);
  const isMoving = useMotion();
  const left = Date.parse(at) - clock;
  const words = left <= 0 ? leftWords(left, false) : `in ${leftWords(left, isMoving)}`;
  return (
    <>
      <time class="countdown" dateTime={at} title={utcWords(at, "minute")}>
        {verb} {words}
      </time>
      {isSpoken && (
        <span class="visually-hidden" role="status">
          {spokenWords(verb, left, Date.parse(at) - now)}
        </span>
      )}
    </>
  );
}

/** The server's clock, moved on by the reader's own. */
function useClock(now: number): number {
  const [clock, setClock] = useState(now);
  useEffect(() => {
    const start = performance.now();
    const move = () => setClock(now + performance.now() - start);
    move();
    const timer = setInterval(move, SECOND_MS);
    return () => clearInterval(timer);
  }, [now]);
  return clock;
}

/** False until a script runs, so that the server's page and the first one here are the same. */
function useMotion(): boolean {
  const [isMoving, setMoving] = useState(false);
  useEffect(() => setMoving(!matchMedia("(prefers-reduced-motion: reduce)").matches), []);
  return isMoving;
}

/** In minutes, the last one first. */
const SPOKEN = [1, 10, 60] as const;

/** Nothing until one of a few moments has passed while the page was open. */
function spokenWords(verb: string, left: number, first: number): string {
  if (left <= 0) return first > 0 ? `${verb} now` : "";
  const passed = SPOKEN.find((minutes) => left <= minutes * MINUTE_MS);
  if (passed === undefined || first <= passed * MINUTE_MS) return "";
  return passed === 1 ? `${verb} in one minute` : `${verb} in ${passed} minutes`;
}
