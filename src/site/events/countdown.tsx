import { useEffect, useState } from "preact/hooks";

import { MINUTE_MS, SECOND_MS } from "#base/util/time.ts";
import { formatUtcTime } from "#site/ui/time-format.ts";

import { formatRemaining } from "./event-texts.ts";

type CountdownProps = {
  /** "Opens" or "Closes". */
  verb: string;
  /** UTC, ISO 8601. */
  instant: string;
  /** Server time, Unix ms. */
  now: number;
  /** Announces the last hour to screen readers a few times. */
  isAnnounced?: boolean;
};

/** Countdown to a point in time. Omits seconds if the viewer prefers reduced motion. */
export function Countdown({ verb, instant, now, isAnnounced = false }: CountdownProps) {
  const currentTime = useClock(now);
  const allowsMotion = useAllowsMotion();
  const remainingMs = Date.parse(instant) - currentTime;
  const text =
    remainingMs <= 0
      ? formatRemaining(remainingMs, false)
      : `in ${formatRemaining(remainingMs, allowsMotion)}`;
  return (
    <>
      <time class="countdown" dateTime={instant} title={formatUtcTime(instant, "minute")}>
        {verb} {text}
      </time>
      {isAnnounced && (
        <span class="visually-hidden" role="status">
          {countdownAnnouncement(verb, remainingMs, Date.parse(instant) - now)}
        </span>
      )}
    </>
  );
}

/** Server time, advanced by the client's clock. */
function useClock(now: number): number {
  const [currentTime, setCurrentTime] = useState(now);
  useEffect(() => {
    const startedMs = performance.now();
    const tick = () => setCurrentTime(now + performance.now() - startedMs);
    tick();
    const timer = setInterval(tick, SECOND_MS);
    return () => clearInterval(timer);
  }, [now]);
  return currentTime;
}

/** False until hydrated, so that the first render matches the server's. */
function useAllowsMotion(): boolean {
  const [allowsMotion, setAllowsMotion] = useState(false);
  useEffect(() => setAllowsMotion(!matchMedia("(prefers-reduced-motion: reduce)").matches), []);
  return allowsMotion;
}

/** In minutes, descending. */
const ANNOUNCED_MINUTES = [1, 10, 60] as const;

/** Empty until one of these moments passes while the page is open. */
function countdownAnnouncement(
  verb: string,
  remainingMs: number,
  initialRemainingMs: number,
): string {
  if (remainingMs <= 0) return initialRemainingMs > 0 ? `${verb} now` : "";
  const passedMinutes = ANNOUNCED_MINUTES.find((minutes) => remainingMs <= minutes * MINUTE_MS);
  if (passedMinutes === undefined || initialRemainingMs <= passedMinutes * MINUTE_MS) return "";
  return passedMinutes === 1 ? `${verb} in one minute` : `${verb} in ${passedMinutes} minutes`;
}
