import { formatUtcTime, formatTime } from "#site/ui/time-format.ts";
import type { TimePrecision } from "#site/ui/time-format.ts";

/**
 * A time in the viewer's zone. It's rendered in the browser only, so there is nothing to hydrate.
 */
export const AdminTime = ({
  instant,
  precision = "minute",
}: {
  instant: string;
  precision?: TimePrecision;
}) => (
  <time class="when" dateTime={instant} title={formatUtcTime(instant, precision)}>
    {formatTime(instant, precision)}
  </time>
);
