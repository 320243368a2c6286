// Answers to an operator about how the server does, for people.

import type { HealthView } from "#core/operator/health.ts";
import { line, NOTHING, section, table } from "#tools/cli/admin-print.ts";

const figure = (value: number | null): string =>
  value === null ? NOTHING : String(Math.round(value * 1000) / 1000);

export function printHealth(health: HealthView): string[] {
  const { capacity, timings, turns, sends, games } = health;
  const rows = Object.entries(timings).map(([name, timing]) => [
    name,
    String(timing.count),
    ...[timing.mean_ms, timing.p50_ms, timing.p95_ms, timing.p99_ms, timing.max_ms].map(figure),
    String(timing.over_budget),
  ]);
  const counts = (words: Readonly<Record<string, number>>) =>
    Object.entries(words)
      .map(([word, count]) => `${count} ${word}`)
      .join(", ");
  return [
    line("up", `${health.uptime_seconds} s; all below is about ${health.observed_seconds} s`),
    line("matches", `${capacity.running} of ${capacity.max}, ticks of ${health.tick_ms} ms`),
    line("turns", counts(turns)),
    line(
      "sends",
      `${sends.total}, ${sends.backpressured} behind others, ` +
        `at most ${sends.max_buffered_bytes} bytes waiting`,
    ),
    line(
      "games",
      `${games.count}, on average ${figure(games.mean_turns)} turns, ` +
        `${figure(games.mean_duration_ms)} ms, ${figure(games.ms_per_turn)} ms a turn`,
    ),
    ...floodLines(health),
    ...section(
      table(["MILLISECONDS", "COUNT", "MEAN", "P50", "P95", "P99", "MAX", "TOO LONG"], rows),
    ),
    ...section(
      table(
        ["LADDER", "WAITING", "LONGEST S", "LAST START S AGO", "WHY NO MATCH STARTS"],
        health.pairing.map(pairingRow),
      ),
    ),
  ];
}

const pairingRow = (row: HealthView["pairing"][number]): string[] => [
  row.ladder_id,
  String(row.waiting),
  figure(row.longest_wait_s),
  figure(row.since_start_s),
  row.reason ?? NOTHING,
];

function floodLines({ floods }: HealthView): string[] {
  const { last_hour, bots, suspended } = floods;
  return [
    line("floods", `${last_hour} in the last hour by ${bots} bots, ${suspended} suspended now`),
  ];
}
