import { formatUtcTime, formatTime } from "#site/ui/time-format.ts";
import type { TimePrecision } from "#site/ui/time-format.ts";

/**
 * A time in the viewer's time zone. The console is never rendered on the server, so hydration can't
 * mismatch.
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
