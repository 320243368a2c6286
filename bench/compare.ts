// npm run bench compare -- BENCH --before DIR [--after DIR] [--rounds N] [-- OPTIONS]: runs a bench
// alternately in two work trees and prints the ratio of each measurement. Both trees must be
// installed and built; `--after` defaults to this tree. OPTIONS are passed to the bench (for
// sockets: to compare/socket-round.ts), with `%` replaced by "before" or "after".

import { spawn } from "node:child_process";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { parseArgs } from "node:util";

import { compareRounds, parseMeasurements, findUnmatchedLines } from "./compare/measurements.ts";
import type { MeasurementComparison, Measurements, Round } from "./compare/measurements.ts";

const OPTIONS = {
  before: { type: "string" },
  after: { type: "string", default: "." },
  rounds: { type: "string", default: "12" },
} as const;

type TreeName = keyof Round;
type CompareOptions = {
  bench: string;
  trees: Record<TreeName, string>;
  options: readonly string[];
};

export async function run(): Promise<void> {
  const { values, positionals } = parseArgs({ options: OPTIONS, allowPositionals: true });
  const [, bench, ...options] = positionals;
  const rounds = Number(values.rounds);
  if (bench === undefined || values.before === undefined || !(rounds >= 1)) {
    console.error("usage: npm run bench compare -- BENCH --before DIR [--after DIR] [--rounds N]");
    process.exitCode = 2;
    return;
  }
  const trees = { before: resolve(values.before), after: resolve(values.after) };
  printComparisons(bench, await measureRounds({ bench, trees, options }, rounds));
}

/** Alternates which tree runs first, so that drift in machine speed affects both equally. */
async function measureRounds(compareOptions: CompareOptions, count: number): Promise<Round[]> {
  const progress = await startProgress(2 * count);
  const rounds: Round[] = [];
  for (let round = 0; round < count; round += 1) {
    const treeOrder: TreeName[] = round % 2 === 0 ? ["before", "after"] : ["after", "before"];
    const measurements = new Map<TreeName, Measurements>();
    for (const tree of treeOrder) {
      progress.update(2 * round + measurements.size, `round ${round + 1}, ${tree}`);
      measurements.set(tree, await runBench(compareOptions, tree));
    }
    rounds.push({ before: measurements.get("before")!, after: measurements.get("after")! });
  }
  progress.stop();
  return rounds;
}

async function runBench(
  { bench, trees, options }: CompareOptions,
  tree: TreeName,
): Promise<Measurements> {
  const cwd = trees[tree];
  const program =
    bench === "sockets"
      ? [join(import.meta.dirname, "compare", "socket-round.ts"), cwd]
      : ["bench/run.ts", bench];
  const benchOptions = options.map((option) => option.replaceAll("%", tree));
  const node = join(cwd, "node_modules", ".bin", "node");
  const child = spawn(node, [...program, ...benchOptions], {
    cwd,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exitCode = new Promise<number | null>((done, failed) => {
    child.once("error", failed);
    child.once("close", done);
  });
  const outputs = [text(child.stdout), text(child.stderr), exitCode] as const;
  const [stdoutText, stderrText, code] = await Promise.all(outputs);
  if (code !== 0) throw new Error(`bench exited with ${code} in ${cwd}: ${stderrText}`);
  return parseMeasurements(stdoutText);
}

type Progress = { update(done: number, label: string): void; stop(): void };

async function startProgress(total: number): Promise<Progress> {
  if (!process.stderr.isTTY)
    return { update: (_done, label) => console.error(label), stop: () => {} };
  const { default: cliProgress } = await import("cli-progress");
  const format = "{bar} {value} of {total}, {what}, {eta_formatted} left";
  const options = { format, clearOnComplete: true, stream: process.stderr };
  const bar = new cliProgress.SingleBar(options, cliProgress.Presets.shades_classic);
  bar.start(total, 0, { what: "" });
  return { update: (done, label) => bar.update(done, { what: label }), stop: () => bar.stop() };
}

function printComparisons(bench: string, rounds: readonly Round[]): void {
  console.log(
    `${bench}, ${rounds.length} alternating rounds: medians before and after, and the median ratio of`,
  );
  console.log("after to before within a round, with its 95 % interval from six rounds on");
  const byHeading = Map.groupBy(compareRounds(rounds), ({ name }) => name.split("\n")[0]);
  for (const [heading, comparisons] of byHeading) {
    if (heading !== "") console.log(heading);
    for (const comparison of comparisons) console.log(formatComparison(comparison));
  }
  const unmatchedLines = findUnmatchedLines(rounds);
  if (unmatchedLines.length > 0) console.log("not printed by both trees in every round:");
  for (const line of unmatchedLines) console.log(`  ${line}`);
}

const LINE_WIDTH = 46;
const NUMBER_WIDTH = 9;

function formatComparison({ name, before, after, ratio, interval }: MeasurementComparison): string {
  const line = name.slice(name.indexOf("\n") + 1).replace(/^([^#]*) \*$/u, "$1");
  const medians = [before, after].map((value) => value.toPrecision(4).padStart(NUMBER_WIDTH));
  const intervalText = interval?.map((bound) => bound.toFixed(3)).join(" to ") ?? "";
  return `  ${line.padEnd(LINE_WIDTH)} ${medians.join(" ")}  ${ratio.toFixed(3)}  ${intervalText}`.trimEnd();
}
