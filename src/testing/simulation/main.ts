// `npm run simulate -- SEED [flags]`: the whole ladder from one seed, with every invariant watched.

import { performance } from "node:perf_hooks";
import { parseArgs } from "node:util";

import { SECOND } from "#base/units/time.ts";
import { CHARACTERS } from "#testing/actors/behaviour.ts";
import { allWatches } from "#testing/invariants/all.ts";
import type { Complaint } from "#testing/invariants/watch.ts";

import { countingWatch } from "./counts.ts";
import type { Counts } from "./counts.ts";
import { DEFAULTS, FAULTS, LADDER_CHOICES, LIMIT_MOODS, commandOf } from "./options.ts";
import type { FaultKind, SimulationOptions } from "./options.ts";
import { simulate } from "./run.ts";
import type { RunOutcome } from "./run.ts";

/** One rated game in this many is refitted before and after; boards are compared every hour. */
const REFIT_EVERY = 20;
const EXIT_FAILED = 1;
const EXIT_USAGE = 2;
const PROGRESS_STEPS = 200;
const LAST_LINE_LENGTH = 300;

const USAGE = `usage: npm run simulate -- SEED [flags]
  --days N         simulated days with faults; calm and an end follow (${DEFAULTS.days})
  --bots N         bots, the four of the house among them (${DEFAULTS.bots})
  --fought N       the engine fights one match in N; all or none (${DEFAULTS.fought})
  --faults LIST    all, none, or some of ${FAULTS.join(",")} (all)
  --manners HOW    mixed, or how all players' bots behave: ${Object.keys(CHARACTERS).join(", ")} (mixed)
  --limits HOW     ${LIMIT_MOODS.join(", ")} (${DEFAULTS.limits})
  --ladders WHICH  ${LADDER_CHOICES.join(", ")} (${DEFAULTS.ladders})
  --start INSTANT  in UTC (${DEFAULTS.start})
  --json           one JSON value instead of text
Exit codes: 0 every invariant held, 1 one did not, 2 the call is wrong.`;

type Call = { options: SimulationOptions; isJson: boolean };

/** The parsed call, or null if it is invalid. */
function readCall(args: readonly string[]): Call | null {
  try {
    const text = { type: "string" } as const;
    const flag = { type: "boolean" } as const;
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        days: text,
        bots: text,
        fought: text,
        faults: text,
        start: text,
        manners: text,
        limits: text,
        ladders: text,
        json: flag,
      },
    });
    const options: SimulationOptions = {
      seed: Number(positionals[0]),
      days: Number(values.days ?? DEFAULTS.days),
      bots: Number(values.bots ?? DEFAULTS.bots),
      fought: foughtOf(values.fought ?? String(DEFAULTS.fought)),
      faults: faultsOf(values.faults ?? "all"),
      manners: (values.manners ?? DEFAULTS.manners) as SimulationOptions["manners"],
      limits: (values.limits ?? DEFAULTS.limits) as SimulationOptions["limits"],
      ladders: (values.ladders ?? DEFAULTS.ladders) as SimulationOptions["ladders"],
      start: values.start ?? DEFAULTS.start,
    };
    const isRight = positionals.length === 1 && isPossible(options);
    return isRight ? { options, isJson: values.json === true } : null;
  } catch {
    return null;
  }
}

function foughtOf(text: string): number {
  if (text === "all") return 1;
  return text === "none" ? Infinity : Number(text);
}

function faultsOf(text: string): readonly FaultKind[] {
  if (text === "all") return FAULTS;
  return text === "none" ? [] : (text.split(",") as FaultKind[]);
}

const MOST_SEED = 2 ** 32 - 1;
const FEWEST_BOTS = 5;
const MOST_BOTS = 1000;

function isPossible(options: SimulationOptions): boolean {
  const { seed, days, bots, fought, faults, manners, limits, ladders, start } = options;
  return (
    Number.isInteger(seed) &&
    seed >= 0 &&
    seed <= MOST_SEED &&
    days > 0 &&
    Number.isInteger(bots) &&
    bots >= FEWEST_BOTS &&
    bots <= MOST_BOTS &&
    fought >= 1 &&
    faults.every((fault) => FAULTS.includes(fault)) &&
    (manners === "mixed" || Object.hasOwn(CHARACTERS, manners)) &&
    LIMIT_MOODS.includes(limits) &&
    LADDER_CHOICES.includes(ladders) &&
    !Number.isNaN(Date.parse(start))
  );
}

async function main({ options, isJson }: Call): Promise<void> {
  const { counts, watch } = countingWatch();
  const began = performance.now();
  const spent = process.cpuUsage();
  const outcome = await simulate(options, {
    watchesOf: (limits) => [
      watch,
      ...allWatches({ limits, start: options.start, refitEvery: REFIT_EVERY }),
    ],
    ...(process.stderr.isTTY && { progress: showProgress }),
  });
  const seconds = (performance.now() - began) / 1000;
  const { user, system } = process.cpuUsage(spent);
  const cpuSeconds = (user + system) / SECOND;
  if (process.stderr.isTTY) process.stderr.write("\r\x1b[K");
  const report = { command: commandOf(options), seconds, cpuSeconds, ...outcome, counts };
  process.stdout.write(isJson ? `${JSON.stringify(report)}\n` : print(report));
  if (outcome.complaint !== null) process.exitCode = EXIT_FAILED;
}

let shown = 0;

function showProgress(share: number): void {
  const step = Math.floor(share * PROGRESS_STEPS);
  if (step === shown) return;
  shown = step;
  process.stderr.write(`\r${((100 * step) / PROGRESS_STEPS).toFixed(1)} % `);
}

type Report = RunOutcome & { command: string; seconds: number; cpuSeconds: number; counts: Counts };

/** How many times faster than real time. */
function times(virtual: number, seconds: number): string {
  return `${Math.round(virtual / seconds).toLocaleString("en")} times real time`;
}

function print(report: Report): string {
  const { seconds, cpuSeconds, counts, complaint, steps, lines, digest, virtualSeconds } = report;
  const text = [
    `${(virtualSeconds / 3600).toFixed(1)} hours in ${seconds.toFixed(1)} s: ${times(virtualSeconds, seconds)} (${times(virtualSeconds, cpuSeconds)} by CPU)`,
    `${counts.bots} bots, ${counts.stored} matches stored (${list(counts.reasons)}), ${counts.voided} void`,
    `started on ${list(counts.ladders)}; unrated: ${list(counts.unrated) || "none"}`,
    `${counts.memberships} memberships began or ended, ${counts.claims} bots changed hands, ${counts.endings} ladders ended`,
    `${counts.wishes} opponents asked for, ${counts.served} of them played, ${counts.awards} awards`,
    `${counts.waves} waves, ${counts.practised} practice games, ${counts.kills} kills, ${counts.stalls} stalls, ${steps} steps`,
    `digest ${digest} of ${lines} lines`,
    complaint === null ? "every invariant held" : printComplaint(report, complaint),
  ];
  return `${text.join("\n")}\n`;
}

const list = (counts: Record<string, number>): string =>
  Object.entries(counts)
    .map(([word, count]) => `${word} ${count}`)
    .join(", ");

function printComplaint({ tail, steps, command }: Report, { invariant, text }: Complaint): string {
  return [
    "",
    ...tail.map((line) => line.slice(0, LAST_LINE_LENGTH)),
    "",
    `VIOLATED: ${invariant}`,
    text,
    `at step ${steps}; again with: ${command}`,
  ].join("\n");
}

const call = readCall(process.argv.slice(2));
if (call === null) {
  process.stderr.write(`${USAGE}\n`);
  process.exitCode = EXIT_USAGE;
} else await main(call);
