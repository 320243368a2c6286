// The figures in what a bench prints: numbers, each named by its line and by the heading above it.
// A heading is a line that is not indented.

import { medianInterval, medianOf } from "./ratio.ts";
import type { Interval } from "./ratio.ts";

/** By heading and line, one under the other; `*` is the number that is meant, `#` are others. */
export type Figures = ReadonlyMap<string, number>;

const NUMBER = /(?<![\w.])\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?/gu;

export function figuresOf(printed: string): Figures {
  const figures = new Map<string, number>();
  let heading = "";
  for (const line of printed.split("\n")) {
    const isIndented = line.startsWith(" ");
    for (const [name, value] of numbersOf(line))
      figures.set(`${isIndented ? heading : ""}\n${name}`, value);
    if (!isIndented && line.trim() !== "") heading = line.trim().replace(/:$/u, "");
  }
  return figures;
}

function numbersOf(line: string): [name: string, value: number][] {
  const text = line.trim().replaceAll(/\s+/gu, " ");
  return [...text.matchAll(NUMBER)].map(([number], place) => {
    let at = -1;
    const name = text.replaceAll(NUMBER, () => ((at += 1) === place ? "*" : "#"));
    return [name, Number(number.replaceAll(",", ""))];
  });
}

/** What the two trees printed in one round. */
export type Round = { before: Figures; after: Figures };

export type Comparison = {
  name: string;
  /** Medians. */
  before: number;
  after: number;
  /** Of after to before within a round: its median, and where that lies for sure. */
  ratio: number;
  interval: Interval | null;
};

/** Of figures that both trees print each time, but for those that never change. */
export function comparisonsOf(rounds: readonly Round[]): Comparison[] {
  const names = [...(rounds[0]?.before.keys() ?? [])];
  return names.flatMap((name) => {
    const before = valuesOf(rounds, "before", name);
    const after = valuesOf(rounds, "after", name);
    const all = [...before, ...after];
    if (!all.every((value) => value > 0) || new Set(all).size === 1) return [];
    const ratios = after.map((value, round) => value / before[round]!);
    const medians = { before: medianOf(before), after: medianOf(after) };
    return [{ name, ...medians, ratio: medianOf(ratios), interval: medianInterval(ratios) }];
  });
}

/** Lines that one of the trees does not print in each round. */
export function linesOfOne(rounds: readonly Round[]): string[] {
  const all = rounds.flatMap(({ before, after }) => [before, after]);
  const names = new Set(all.flatMap((figures) => [...figures.keys()]));
  const missing = [...names].filter((name) => !all.every((figures) => figures.has(name)));
  return [...new Set(missing.map((name) => name.trim().replace("*", "#").replace("\n", ": ")))];
}

const valuesOf = (rounds: readonly Round[], tree: keyof Round, name: string): number[] =>
  rounds.map((round) => round[tree].get(name) ?? NaN);
