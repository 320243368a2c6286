// Prometheus text exposition format, version 0.0.4.

import { cumulativeCounts, DURATION_BOUNDS_S } from "#base/util/duration-histogram.ts";
import type { DurationHistogram } from "#base/util/duration-histogram.ts";
import type { NamedCounts } from "#base/util/named-counts.ts";

type Labels = Readonly<Record<string, string>>;

/** A value with its labels. Null values are omitted. Histogram samples have a suffix. */
export type MetricSample = readonly [
  value: number | null,
  labels?: Labels,
  suffix?: "_bucket" | "_sum" | "_count",
];

export type Metric = {
  name: string;
  help: string;
  /** Only counts since the process started are counters. */
  type: "gauge" | "counter" | "histogram";
  samples: readonly MetricSample[];
};

export const gaugeMetric = (
  name: string,
  help: string,
  ...samples: readonly MetricSample[]
): Metric => ({
  name,
  help,
  type: "gauge",
  samples,
});

export const counterMetric = (
  name: string,
  help: string,
  ...samples: readonly MetricSample[]
): Metric => ({
  name,
  help,
  type: "counter",
  samples,
});

export function histogramMetric(
  name: string,
  help: string,
  series: readonly (readonly [labels: Labels, histogram: DurationHistogram])[],
): Metric {
  return {
    name,
    help,
    type: "histogram",
    samples: series.flatMap(([labels, histogram]) => histogramSamples(labels, histogram)),
  };
}

function histogramSamples(labels: Labels, histogram: DurationHistogram): MetricSample[] {
  const counts = cumulativeCounts(histogram);
  const total = counts.at(-1) ?? 0;
  const buckets = [...DURATION_BOUNDS_S.map(String), "+Inf"].map((le, index): MetricSample => [
    counts[index] ?? total,
    { ...labels, le },
    "_bucket",
  ]);
  return [
    ...buckets,
    [roundToMicroseconds(histogram.sumSeconds), labels, "_sum"],
    [total, labels, "_count"],
  ];
}

const roundToMicroseconds = (seconds: number): number => Math.round(seconds * 1e6) / 1e6;

/** Returns one sample per name. The space-separated words of the name are the label values. */
export function countSamples<Name extends string>(
  counts: NamedCounts<Name>,
  ...labels: readonly string[]
): MetricSample[] {
  return [...counts].map(([name, count]) => {
    const values = name.split(" ");
    return [count, Object.fromEntries(labels.map((label, index) => [label, values[index] ?? ""]))];
  });
}

/** Adds a zero for each name without a count, so that rates start at zero. */
export function fillZeroCounts<Name extends string>(
  counts: NamedCounts<Name>,
  names: readonly Name[],
): NamedCounts<Name> {
  return new Map(names.map((name) => [name, counts.get(name) ?? 0]));
}

/** Returns the metrics as text, omitting metrics without samples. */
export const metricsToText = (metrics: readonly Metric[]): string =>
  metrics.map(metricToText).join("");

function metricToText({ name, help, type, samples }: Metric): string {
  const lines = samples.flatMap(([value, labels = {}, suffix = ""]) =>
    value === null ? [] : [`${name}${suffix}${labelsToText(labels)} ${value}\n`],
  );
  if (lines.length === 0) return "";
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join("")}`;
}

function labelsToText(labels: Labels): string {
  const pairs = Object.entries(labels).map(
    ([name, value]) => `${name}="${escapeLabelValue(value)}"`,
  );
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

const escapeLabelValue = (value: string): string =>
  value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
