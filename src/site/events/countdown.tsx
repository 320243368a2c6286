import { useEffect, useState } from "preact/hooks";

import { MINUTE_MS, SECOND_MS } from "#base/util/time.ts";
import { formatUtcTime } from "#site/ui/time-format.ts";

import { formatRemaining } from "./event-texts.ts";

type CountdownProps = {
  verb: string;
  /** ISO 8601, UTC. */
  instant: string;
  /** Server time, in Unix ms. */
  now: number;
  /** Announces to screen readers when 60, 10 and 1 minutes remain and when the countdown ends. */
  isAnnounced?: boolean;
};

/** Counts down to `instant`. Omits seconds if the viewer prefers reduced motion. */
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

/** Returns the server time, advanced by the browser's clock. */
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

/** Returns false until hydrated, so the first render matches the server's. */
function useAllowsMotion(): boolean {
  const [allowsMotion, setAllowsMotion] = useState(false);
  useEffect(() => setAllowsMotion(!matchMedia("(prefers-reduced-motion: reduce)").matches), []);
  return allowsMotion;
}

const ANNOUNCED_MINUTES = [1, 10, 60] as const;

/**
 * Returns an announcement when one of the announced times passes while the page is open. Otherwise
 * returns an empty string.
 */
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
