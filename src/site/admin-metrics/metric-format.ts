const PRECISE_FORMAT = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });
const WHOLE_FORMAT = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });

export const formatWhole = (value: number): string => WHOLE_FORMAT.format(value);

export const formatMetric = (value: number | null, unit = ""): string =>
  value === null ? "–" : `${PRECISE_FORMAT.format(value)}${unit && ` ${unit}`}`;

export const formatMilliseconds = (ms: number | null): string => formatMetric(ms, "ms");

const DURATION_UNITS = [
  ["d", 86_400],
  ["h", 3600],
  ["min", 60],
  ["s", 1],
] as const;

/** Formats a duration with its two largest units. */
export function formatDuration(seconds: number): string {
  const firstUnit = DURATION_UNITS.findIndex(([, unit]) => seconds >= unit);
  if (firstUnit === -1) return "0 s";
  let remainingSeconds = Math.floor(seconds);
  const parts = DURATION_UNITS.slice(firstUnit, firstUnit + 2).flatMap(([name, unit]) => {
    const count = Math.floor(remainingSeconds / unit);
    remainingSeconds -= count * unit;
    return count === 0 ? [] : [`${count} ${name}`];
  });
  return parts.join(" ");
}
