// npm run bench compare -- BENCH --before DIR [--after DIR] [--rounds N] [-- OPTIONS]: runs a bench
// in two work trees by turns and tells what the second takes of the first, figure by figure. Trees
// are checked out, installed and built beforehand; the second is this one by default. OPTIONS go to
// the bench (of sockets: to compare/socket-round.ts), and `%` in them is the word before or after.

import { spawn } from "node:child_process";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { parseArgs } from "node:util";

import { comparisonsOf, figuresOf, linesOfOne } from "./compare/figures.ts";
import type { Comparison, Figures, Round } from "./compare/figures.ts";

const OPTIONS = {
  before: { type: "string" },
  after: { type: "string", default: "." },
  rounds: { type: "string", default: "12" },
} as const;

type Tree = keyof Round;
type Order = { bench: string; trees: Record<Tree, string>; options: readonly string[] };

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
  print(bench, await measure({ bench, trees, options }, rounds));
}

/** The tree that goes first changes from round to round. */
async function measure(order: Order, count: number): Promise<Round[]> {
  const progress = await startProgress(2 * count);
  const rounds: Round[] = [];
  for (let round = 0; round < count; round += 1) {
    const turns: Tree[] = round % 2 === 0 ? ["before", "after"] : ["after", "before"];
    const figures = new Map<Tree, Figures>();
    for (const tree of turns) {
      progress.tell(2 * round + figures.size, `round ${round + 1}, ${tree}`);
      figures.set(tree, await benched(order, tree));
    }
    rounds.push({ before: figures.get("before")!, after: figures.get("after")! });
  }
  progress.stop();
  return rounds;
}

async function benched({ bench, trees, options }: Order, tree: Tree): Promise<Figures> {
  const cwd = trees[tree];
  const program =
    bench === "sockets"
      ? [join(import.meta.dirname, "compare", "socket-round.ts"), cwd]
      : ["bench/run.ts", bench];
  const own = options.map((option) => option.replaceAll("%", tree));
  const node = join(cwd, "node_modules", ".bin", "node");
  const child = spawn(node, [...program, ...own], { cwd, stdio: ["ignore", "pipe", "pipe"] });
  const ended = new Promise<number | null>((done, failed) => {
    child.once("error", failed);
    child.once("close", done);
  });
  const parts = [text(child.stdout), text(child.stderr), ended] as const;
  const [printed, complaints, code] = await Promise.all(parts);
  if (code !== 0) throw new Error(`the bench ended with ${code} in ${cwd}: ${complaints}`);
  return figuresOf(printed);
}

type Progress = { tell(done: number, what: string): void; stop(): void };

/** A bar on a terminal, lines elsewhere. */
async function startProgress(total: number): Promise<Progress> {
  if (!process.stderr.isTTY) return { tell: (_, what) => console.error(what), stop: () => {} };
  const { default: cliProgress } = await import("cli-progress");
  const format = "{bar} {value} of {total}, {what}, {eta_formatted} left";
  const options = { format, clearOnComplete: true, stream: process.stderr };
  const bar = new cliProgress.SingleBar(options, cliProgress.Presets.shades_classic);
  bar.start(total, 0, { what: "" });
  return { tell: (done, what) => bar.update(done, { what }), stop: () => bar.stop() };
}

function print(bench: string, rounds: readonly Round[]): void {
  console.log(
    `${bench}, ${rounds.length} rounds by turns: medians before and after, and the median of`,
  );
  console.log("after to before within a round, with its interval of 95 % from six rounds on");
  const byHeading = Map.groupBy(comparisonsOf(rounds), ({ name }) => name.split("\n")[0]);
  for (const [heading, comparisons] of byHeading) {
    if (heading !== "") console.log(heading);
    for (const comparison of comparisons) console.log(told(comparison));
  }
  const others = linesOfOne(rounds);
  if (others.length > 0) console.log("not printed each time by both trees:");
  for (const line of others) console.log(`  ${line}`);
}

const LINE_WIDTH = 46;
const FIGURE_WIDTH = 9;

function told({ name, before, after, ratio, interval }: Comparison): string {
  const line = name.slice(name.indexOf("\n") + 1).replace(/^([^#]*) \*$/u, "$1");
  const medians = [before, after].map((value) => value.toPrecision(4).padStart(FIGURE_WIDTH));
  const sure = interval?.map((edge) => edge.toFixed(3)).join(" to ") ?? "";
  return `  ${line.padEnd(LINE_WIDTH)} ${medians.join(" ")}  ${ratio.toFixed(3)}  ${sure}`.trimEnd();
}
