// Extracts measurements from bench output. A measurement is a number, named after its line and the
// heading above it. A heading is a line without indentation.

import { medianInterval, medianOf } from "./ratio.ts";
import type { ConfidenceInterval } from "./ratio.ts";

/**
 * Keys are the heading and the line, separated by a line break. `*` marks this number, `#` any
 * other number in the line.
 */
export type Measurements = ReadonlyMap<string, number>;

const NUMBER = /(?<![\w.])\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?/gu;

export function parseMeasurements(output: string): Measurements {
  const measurements = new Map<string, number>();
  let heading = "";
  for (const line of output.split("\n")) {
    const isIndented = line.startsWith(" ");
    for (const [name, value] of parseNumbers(line))
      measurements.set(`${isIndented ? heading : ""}\n${name}`, value);
    if (!isIndented && line.trim() !== "") heading = line.trim().replace(/:$/u, "");
  }
  return measurements;
}

function parseNumbers(line: string): [name: string, value: number][] {
  const text = line.trim().replaceAll(/\s+/gu, " ");
  return [...text.matchAll(NUMBER)].map(([number], position) => {
    let index = -1;
    const name = text.replaceAll(NUMBER, () => ((index += 1) === position ? "*" : "#"));
    return [name, Number(number.replaceAll(",", ""))];
  });
}

export type Round = { before: Measurements; after: Measurements };

export type MeasurementComparison = {
  name: string;
  /** Medians. */
  before: number;
  after: number;
  /** Median and confidence interval of the after/before ratios across all rounds. */
  ratio: number;
  interval: ConfidenceInterval | null;
};

/**
 * Compares the measurements that both trees print in every round. Skips constants and measurements
 * that contain a zero.
 */
export function compareRounds(rounds: readonly Round[]): MeasurementComparison[] {
  const names = [...(rounds[0]?.before.keys() ?? [])];
  return names.flatMap((name) => {
    const before = valuesOf(rounds, "before", name);
    const after = valuesOf(rounds, "after", name);
    const values = [...before, ...after];
    if (!values.every((value) => value > 0) || new Set(values).size === 1) return [];
    const ratios = after.map((value, round) => value / before[round]!);
    const medians = { before: medianOf(before), after: medianOf(after) };
    return [{ name, ...medians, ratio: medianOf(ratios), interval: medianInterval(ratios) }];
  });
}

/** Returns the lines that are missing from some output, with `#` in place of each number. */
export function findUnmatchedLines(rounds: readonly Round[]): string[] {
  const measurementSets = rounds.flatMap(({ before, after }) => [before, after]);
  const names = new Set(measurementSets.flatMap((measurements) => [...measurements.keys()]));
  const missingNames = [...names].filter(
    (name) => !measurementSets.every((measurements) => measurements.has(name)),
  );
  return [
    ...new Set(missingNames.map((name) => name.trim().replace("*", "#").replace("\n", ": "))),
  ];
}

const valuesOf = (rounds: readonly Round[], tree: keyof Round, name: string): number[] =>
  rounds.map((round) => round[tree].get(name) ?? NaN);
