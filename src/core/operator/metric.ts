// Metrics as text for Prometheus: its exposition format, version 0.0.4.

import { cumulativeCounts, DURATION_BOUNDS_S } from "#base/units/duration-histogram.ts";
import type { DurationHistogram } from "#base/units/duration-histogram.ts";
import type { NamedCounts } from "#base/units/named-counts.ts";

type Labels = Readonly<Record<string, string>>;

/** A value with its labels; null has no line. Samples of a histogram have a suffix. */
export type Sample = readonly [
  value: number | null,
  labels?: Labels,
  suffix?: "_bucket" | "_sum" | "_count",
];

export type Metric = {
  name: string;
  /** Description for people. */
  help: string;
  /** Only what is counted since the process started is a counter. */
  type: "gauge" | "counter" | "histogram";
  samples: readonly Sample[];
};

export const gauge = (name: string, help: string, ...samples: readonly Sample[]): Metric => ({
  name,
  help,
  type: "gauge",
  samples,
});

export const counter = (name: string, help: string, ...samples: readonly Sample[]): Metric => ({
  name,
  help,
  type: "counter",
  samples,
});

/** One histogram for each value of a label. */
export function histograms(
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

function histogramSamples(labels: Labels, histogram: DurationHistogram): Sample[] {
  const counts = cumulativeCounts(histogram);
  const total = counts.at(-1) ?? 0;
  const buckets = [...DURATION_BOUNDS_S.map(String), "+Inf"].map((le, at): Sample => [
    counts[at] ?? total,
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

/** One sample for each name. Its words, separated by spaces, are the values of the labels. */
export function countSamples<Name extends string>(
  counts: NamedCounts<Name>,
  ...labels: readonly string[]
): Sample[] {
  return [...counts].map(([name, count]) => {
    const values = name.split(" ");
    return [count, Object.fromEntries(labels.map((label, at) => [label, values[at] ?? ""]))];
  });
}

/** Adds a zero for each name that has no count yet, so that rates start at zero. */
export function withZeros<Name extends string>(
  counts: NamedCounts<Name>,
  names: readonly Name[],
): NamedCounts<Name> {
  return new Map(names.map((name) => [name, counts.get(name) ?? 0]));
}

/** A metric without samples is left out. */
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
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

const escaped = (value: string): string =>
  value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
