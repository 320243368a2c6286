import { SECOND_MS } from "#base/util/time.ts";

const MIB = 1024 * 1024;
const DAY_S = 86_400;
const MAX_THREAD_SHARE = 0.7;
/** The suggested limit is no higher than this multiple of the tested load. */
const MAX_GROWTH = 2;
const GOOD_TURNAROUND_MS = 50;
const BAD_TURNAROUND_MS = 250;

export type LoadMeasurements = {
  bots: number;
  seconds: number;
  matches: number;
  observations: number;
  turnaroundMs: readonly number[];
  timeouts: number;
  /** Total duration of all matches, in ms. */
  matchMs: number;
  maxRunning: number;
  stalls: readonly number[];
  /**
   * CPU time as a share of elapsed time, for the thread that serves matches and for all threads;
   * null if unknown.
   */
  threadShare: number | null;
  processShare: number | null;
  peakBytes: number | null;
  databaseBytes: number;
  fileBytes: number;
};

export function createCapacityReport(measurements: LoadMeasurements) {
  const { seconds, matches, turnaroundMs, stalls } = measurements;
  const sorted = turnaroundMs.toSorted((a, b) => a - b);
  const bytesPerMatch = (bytes: number) => (matches === 0 ? null : Math.round(bytes / matches));
  const p99 = quantile(sorted, 0.99);
  const writtenBytes = measurements.databaseBytes + measurements.fileBytes;
  return {
    bots: measurements.bots,
    seconds: roundToTenth(seconds),
    matches,
    matches_per_minute: roundToTenth((matches * 60) / seconds),
    ticks_per_second: roundToTenth(measurements.observations / 2 / seconds),
    running: roundToTenth(measurements.matchMs / (seconds * SECOND_MS)),
    turnaround_ms: { p50: quantile(sorted, 0.5), p99, most: quantile(sorted, 1) },
    timeouts: measurements.timeouts,
    stalls: { count: stalls.length, most_ms: stalls.length === 0 ? 0 : Math.max(...stalls) },
    cores: { serving: measurements.threadShare, all: measurements.processShare },
    peak_mib: measurements.peakBytes === null ? null : Math.round(measurements.peakBytes / MIB),
    bytes_per_match: {
      database: bytesPerMatch(measurements.databaseBytes),
      replay: bytesPerMatch(measurements.fileBytes),
    },
    mib_per_day: Math.round((writtenBytes / seconds) * (DAY_S / MIB)),
    suggested: { max_concurrent: suggested(measurements, p99) },
  };
}

export type CapacityReport = ReturnType<typeof createCapacityReport>;

/**
 * Returns how many concurrent matches this machine can serve with some reserve; null if there were
 * no matches.
 */
function suggested(
  { maxRunning: most, timeouts, threadShare }: LoadMeasurements,
  p99: number | null,
): number | null {
  if (most === 0 || p99 === null) return null;
  if (timeouts > 0 || p99 > BAD_TURNAROUND_MS) return Math.max(1, Math.floor(most / 2));
  if (p99 > GOOD_TURNAROUND_MS || threadShare === null || threadShare === 0) return most;
  return Math.max(1, Math.floor(most * Math.min(MAX_GROWTH, MAX_THREAD_SHARE / threadShare)));
}

function quantile(sorted: readonly number[], share: number): number | null {
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  return value === undefined ? null : roundToTenth(value);
}

const roundToTenth = (value: number): number => Math.round(value * 10) / 10;

/** If there is no suggestion, says why and what to try. */
function describeSuggestion({
  matches,
  suggested: { max_concurrent: limit },
}: CapacityReport): string {
  if (limit !== null) return `--max-concurrent ${limit}`;
  const reason =
    matches === 0
      ? "no match ended during the measurement"
      : "no tick was followed by another during the measurement";
  return `unknown: ${reason}. Try a higher --bots or --minutes.`;
}

export function formatCapacityReport(report: CapacityReport): string[] {
  const { turnaround_ms: turnaround, stalls, cores, bytes_per_match: bytes } = report;
  const orUnknown = (value: number | null) => value ?? "unknown";
  return [
    `bots             ${report.bots}, for ${report.seconds} s`,
    `matches          ${report.matches}, ${report.matches_per_minute} a minute, ${report.running} concurrent`,
    `ticks            ${report.ticks_per_second} a second across all matches`,
    `turn to next     p50 ${orUnknown(turnaround.p50)} ms, p99 ${orUnknown(turnaround.p99)} ms, max ${orUnknown(turnaround.most)} ms`,
    `timeouts         ${report.timeouts} turns`,
    `stalls           ${stalls.count}, max ${Math.round(stalls.most_ms)} ms`,
    `CPU              ${orUnknown(cores.serving)} cores for matches, ${orUnknown(cores.all)} in total`,
    `memory           max ${orUnknown(report.peak_mib)} MiB`,
    `match on disk    ${orUnknown(bytes.database)} bytes in the database, ${orUnknown(bytes.replay)} bytes of replay`,
    `disk             ${report.mib_per_day} MiB a day at this rate`,
    `suggested        ${describeSuggestion(report)}`,
    "The bots ran on this machine too. On separate machines, they leave more CPU time to the server.",
  ];
}
