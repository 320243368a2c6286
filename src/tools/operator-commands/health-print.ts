import type { HealthView } from "#core/api/server-health.ts";

import { formatField, EMPTY_CELL, formatSection, formatTextTable } from "./admin-print.ts";

const formatNumber = (value: number | null): string =>
  value === null ? EMPTY_CELL : String(Math.round(value * 1000) / 1000);

export function printHealth(health: HealthView): string[] {
  const { capacity, timings, turns, sends, games } = health;
  const rows = Object.entries(timings).map(([name, timing]) => [
    name,
    String(timing.count),
    ...[timing.mean_ms, timing.p50_ms, timing.p95_ms, timing.p99_ms, timing.max_ms].map(
      formatNumber,
    ),
    String(timing.over_budget),
  ]);
  const formatCounts = (countsByLabel: Readonly<Record<string, number>>) =>
    Object.entries(countsByLabel)
      .map(([label, count]) => `${count} ${label}`)
      .join(", ");
  return [
    formatField(
      "up",
      `${health.uptime_seconds} s; figures below cover ${health.observed_seconds} s`,
    ),
    formatField("matches", `${capacity.running} of ${capacity.max}, ticks of ${health.tick_ms} ms`),
    formatField("turns", formatCounts(turns)),
    formatField(
      "sends",
      `${sends.total}, ${sends.backpressured} behind others, ` +
        `max ${sends.max_buffered_bytes} bytes queued`,
    ),
    formatField(
      "games",
      `${games.count}, on average ${formatNumber(games.mean_turns)} turns, ` +
        `${formatNumber(games.mean_duration_ms)} ms, ${formatNumber(games.ms_per_turn)} ms a turn`,
    ),
    ...rateLimitLines(health),
    ...formatSection(
      formatTextTable(
        ["MILLISECONDS", "COUNT", "MEAN", "P50", "P95", "P99", "MAX", "TOO LONG"],
        rows,
      ),
    ),
    ...formatSection(
      formatTextTable(
        ["LADDER", "WAITING", "LONGEST S", "LAST START S AGO", "WHY NO MATCH STARTS"],
        health.pairing.map(pairingRow),
      ),
    ),
  ];
}

const pairingRow = (row: HealthView["pairing"][number]): string[] => [
  row.ladder_id,
  String(row.waiting),
  formatNumber(row.longest_wait_s),
  formatNumber(row.since_start_s),
  row.reason ?? EMPTY_CELL,
];

function rateLimitLines({ floods }: HealthView): string[] {
  const { last_hour, bots, suspended } = floods;
  return [
    formatField(
      "floods",
      `${last_hour} in the last hour by ${bots} bots; ${suspended} suspended now`,
    ),
  ];
}
