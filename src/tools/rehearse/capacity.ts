// What was measured, and which limits follow from it.

import { SECOND_MS } from "#base/units/time.ts";

const MIB = 1024 * 1024;
const DAY_S = 86_400;
/** The most of a thread's time that leaves room for busy moments. */
const FULL_SHARE = 0.7;
/** No more than this follows from a load that was far lower. */
const MOST_GROWTH = 2;
const GOOD_MS = 50;
const BAD_MS = 250;

export type Rehearsed = {
  bots: number;
  seconds: number;
  matches: number;
  observations: number;
  turnaroundMs: readonly number[];
  timeouts: number;
  /** How long matches ran, summed over all of them, in ms. */
  matchMs: number;
  /** Matches that ran at the same moment, at most. */
  mostRunning: number;
  stalls: readonly number[];
  /** Of the time, by the thread that serves matches and by all; null if unknown. */
  threadShare: number | null;
  processShare: number | null;
  peakBytes: number | null;
  databaseBytes: number;
  fileBytes: number;
};

/** The report in the names of `--json`. */
export function capacityOf(measured: Rehearsed) {
  const { seconds, matches, turnaroundMs, stalls } = measured;
  const sorted = turnaroundMs.toSorted((one, other) => one - other);
  const perMatch = (bytes: number) => (matches === 0 ? null : Math.round(bytes / matches));
  const p99 = quantile(sorted, 0.99);
  const written = measured.databaseBytes + measured.fileBytes;
  return {
    bots: measured.bots,
    seconds: rounded(seconds),
    matches,
    matches_per_minute: rounded((matches * 60) / seconds),
    ticks_per_second: rounded(measured.observations / 2 / seconds),
    running: rounded(measured.matchMs / (seconds * SECOND_MS)),
    turnaround_ms: { p50: quantile(sorted, 0.5), p99, most: quantile(sorted, 1) },
    timeouts: measured.timeouts,
    stalls: { count: stalls.length, most_ms: stalls.length === 0 ? 0 : Math.max(...stalls) },
    cores: { serving: measured.threadShare, all: measured.processShare },
    peak_mib: measured.peakBytes === null ? null : Math.round(measured.peakBytes / MIB),
    bytes_per_match: {
      database: perMatch(measured.databaseBytes),
      replay: perMatch(measured.fileBytes),
    },
    mib_per_day: Math.round((written / seconds) * (DAY_S / MIB)),
    suggested: { max_concurrent: suggested(measured, p99) },
  };
}

export type CapacityReport = ReturnType<typeof capacityOf>;

/** Matches at once that this machine takes with room to spare; null if none were seen. */
function suggested(
  { mostRunning: most, timeouts, threadShare }: Rehearsed,
  p99: number | null,
): number | null {
  if (most === 0 || p99 === null) return null;
  if (timeouts > 0 || p99 > BAD_MS) return Math.max(1, Math.floor(most / 2));
  if (p99 > GOOD_MS || threadShare === null || threadShare === 0) return most;
  return Math.max(1, Math.floor(most * Math.min(MOST_GROWTH, FULL_SHARE / threadShare)));
}

function quantile(sorted: readonly number[], share: number): number | null {
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  return value === undefined ? null : rounded(value);
}

const rounded = (value: number): number => Math.round(value * 10) / 10;

/** Where nothing follows from the load, it says why, and what to try. */
function suggestion({ matches, suggested: { max_concurrent: limit } }: CapacityReport): string {
  if (limit !== null) return `--max-concurrent ${limit}`;
  const why =
    matches === 0
      ? "no match ended while it measured"
      : "no tick was followed by another while it measured";
  return `unknown: ${why}. Try more --bots, or more --minutes.`;
}

/** The report for people. */
export function printed(report: CapacityReport): string[] {
  const { turnaround_ms: turnaround, stalls, cores, bytes_per_match: bytes } = report;
  const unknown = (value: number | null) => value ?? "unknown";
  return [
    `bots             ${report.bots}, for ${report.seconds} s`,
    `matches          ${report.matches}, ${report.matches_per_minute} a minute, ${report.running} at once`,
    `ticks            ${report.ticks_per_second} a second over all matches`,
    `turn to next     median ${unknown(turnaround.p50)} ms, p99 ${unknown(turnaround.p99)} ms, most ${unknown(turnaround.most)} ms`,
    `timed out        ${report.timeouts} turns`,
    `stood still      ${stalls.count} times, at most ${Math.round(stalls.most_ms)} ms`,
    `processor        ${unknown(cores.serving)} cores for matches, ${unknown(cores.all)} in all`,
    `memory           ${unknown(report.peak_mib)} MiB at most`,
    `a match on disk  ${unknown(bytes.database)} bytes in the database, ${unknown(bytes.replay)} of replay`,
    `disk             ${report.mib_per_day} MiB a day at this pace`,
    `suggested        ${suggestion(report)}`,
    "The bots took processor time of this machine too: on another one they leave more to the server.",
  ];
}
