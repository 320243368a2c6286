import { useEffect, useState } from "preact/hooks";

import { formatAge } from "#site/viewer/match-texts.ts";

import { formatUtcTime, formatTime } from "./time-format.ts";
import type { TimePrecision } from "./time-format.ts";

type TimeLabelProps = {
  /** ISO 8601, UTC. */
  instant: string;
  precision?: TimePrecision | undefined;
  /** Server time, in Unix ms. If set, shows the time relative to it. */
  now?: number | undefined;
};

/** Shows a time in the viewer's time zone, with UTC in a tooltip. The server renders UTC. */
export function TimeLabel({ instant, precision = "minute", now }: TimeLabelProps) {
  const [isHydrated, setHydrated] = useState(false);
  useEffect(() => setHydrated(true), []);
  if (now !== undefined)
    return (
      <time class="when" dateTime={instant} title={formatUtcTime(instant, "minute")}>
        {formatAge(Date.parse(instant), now)}
      </time>
    );
  return (
    <time
      class="when"
      dateTime={instant}
      title={formatUtcTime(instant, precision)}
      data-form={precision}
    >
      {isHydrated ? formatTime(instant, precision) : formatUtcTime(instant, precision)}
    </time>
  );
}
