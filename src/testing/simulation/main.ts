// `npm run simulate -- SEED [flags]`: simulates the whole ladder from one seed and checks every
// invariant.

import { performance } from "node:perf_hooks";
import { parseArgs } from "node:util";

import { SECOND_US } from "#base/util/time.ts";
import { CHARACTERS } from "#testing/actors/behaviour.ts";
import { createWatches } from "#testing/invariants/all-watches.ts";
import type { Complaint } from "#testing/invariants/watch.ts";

import { createCountWatch } from "./count-watch.ts";
import type { Counts } from "./count-watch.ts";
import {
  DEFAULT_SIMULATION_OPTIONS,
  FAULT_KINDS,
  LADDER_CHOICES,
  LIMIT_MODES,
  formatSimulationCommand,
} from "./options.ts";
import type { FaultKind, SimulationOptions } from "./options.ts";
import { simulate } from "./run.ts";
import type { RunOutcome } from "./run.ts";

/**
 * One in this many rated games is refitted before and after. Leaderboards are compared every hour.
 */
const REFIT_EVERY = 20;
const EXIT_FAILED = 1;
const EXIT_USAGE = 2;
const PROGRESS_STEPS = 200;
const MAX_LINE_LENGTH = 300;

const USAGE = `usage: npm run simulate -- SEED [flags]\n  --days N         simulated days with faults, followed by calm and an end (default ${DEFAULT_SIMULATION_OPTIONS.days})\n  --bots N         bots, including the four house bots (default ${DEFAULT_SIMULATION_OPTIONS.bots})\n  --fought N       play one match in N with the engine; all or none (default ${DEFAULT_SIMULATION_OPTIONS.fought})\n  --faults LIST    all, none, or some of ${FAULT_KINDS.join(",")} (default all)\n  --manners HOW    mixed, or the behaviour of all players' bots: ${Object.keys(CHARACTERS).join(", ")} (default mixed)\n  --limits HOW     ${LIMIT_MODES.join(", ")} (default ${DEFAULT_SIMULATION_OPTIONS.limits})\n  --ladders WHICH  ${LADDER_CHOICES.join(", ")} (default ${DEFAULT_SIMULATION_OPTIONS.ladders})\n  --start INSTANT  in UTC (default ${DEFAULT_SIMULATION_OPTIONS.start})\n  --json           print one JSON value instead of text\nExit codes: 0 every invariant held, 1 an invariant was violated, 2 invalid call.`;

type CommandLine = { options: SimulationOptions; isJson: boolean };

function parseCommandLine(args: readonly string[]): CommandLine | null {
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
      days: Number(values.days ?? DEFAULT_SIMULATION_OPTIONS.days),
      bots: Number(values.bots ?? DEFAULT_SIMULATION_OPTIONS.bots),
      fought: parseFought(values.fought ?? String(DEFAULT_SIMULATION_OPTIONS.fought)),
      faults: parseFaults(values.faults ?? "all"),
      manners: (values.manners ??
        DEFAULT_SIMULATION_OPTIONS.manners) as SimulationOptions["manners"],
      limits: (values.limits ?? DEFAULT_SIMULATION_OPTIONS.limits) as SimulationOptions["limits"],
      ladders: (values.ladders ??
        DEFAULT_SIMULATION_OPTIONS.ladders) as SimulationOptions["ladders"],
      start: values.start ?? DEFAULT_SIMULATION_OPTIONS.start,
    };
    const isValid = positionals.length === 1 && isValidOptions(options);
    return isValid ? { options, isJson: values.json === true } : null;
  } catch {
    return null;
  }
}

function parseFought(text: string): number {
  if (text === "all") return 1;
  return text === "none" ? Infinity : Number(text);
}

function parseFaults(text: string): readonly FaultKind[] {
  if (text === "all") return FAULT_KINDS;
  return text === "none" ? [] : (text.split(",") as FaultKind[]);
}

const MAX_SEED = 2 ** 32 - 1;
const MIN_BOTS = 5;
const MAX_BOTS = 1000;

function isValidOptions(options: SimulationOptions): boolean {
  const { seed, days, bots, fought, faults, manners, limits, ladders, start } = options;
  return (
    Number.isInteger(seed) &&
    seed >= 0 &&
    seed <= MAX_SEED &&
    days > 0 &&
    Number.isInteger(bots) &&
    bots >= MIN_BOTS &&
    bots <= MAX_BOTS &&
    fought >= 1 &&
    faults.every((fault) => FAULT_KINDS.includes(fault)) &&
    (manners === "mixed" || Object.hasOwn(CHARACTERS, manners)) &&
    LIMIT_MODES.includes(limits) &&
    LADDER_CHOICES.includes(ladders) &&
    !Number.isNaN(Date.parse(start))
  );
}

async function main({ options, isJson }: CommandLine): Promise<void> {
  const { counts, watch } = createCountWatch();
  const startTime = performance.now();
  const startCpuUsage = process.cpuUsage();
  const outcome = await simulate(options, {
    createWatches: (limits) => [
      watch,
      ...createWatches({ limits, start: options.start, refitEvery: REFIT_EVERY }),
    ],
    ...(process.stderr.isTTY && { progress: showProgress }),
  });
  const seconds = (performance.now() - startTime) / 1000;
  const { user, system } = process.cpuUsage(startCpuUsage);
  const cpuSeconds = (user + system) / SECOND_US;
  if (process.stderr.isTTY) process.stderr.write("\r\x1b[K");
  const report = {
    command: formatSimulationCommand(options),
    seconds,
    cpuSeconds,
    ...outcome,
    counts,
  };
  process.stdout.write(isJson ? `${JSON.stringify(report)}\n` : formatReport(report));
  if (outcome.complaint !== null) process.exitCode = EXIT_FAILED;
}

let lastStep = 0;

function showProgress(share: number): void {
  const step = Math.floor(share * PROGRESS_STEPS);
  if (step === lastStep) return;
  lastStep = step;
  process.stderr.write(`\r${((100 * step) / PROGRESS_STEPS).toFixed(1)} % `);
}

type Report = RunOutcome & { command: string; seconds: number; cpuSeconds: number; counts: Counts };

function formatSpeed(virtual: number, seconds: number): string {
  return `${Math.round(virtual / seconds).toLocaleString("en")} times real time`;
}

function formatReport(report: Report): string {
  const { seconds, cpuSeconds, counts, complaint, steps, lines, digest, virtualSeconds } = report;
  const text = [
    `${(virtualSeconds / 3600).toFixed(1)} hours in ${seconds.toFixed(1)} s: ${formatSpeed(virtualSeconds, seconds)} (${formatSpeed(virtualSeconds, cpuSeconds)} by CPU)`,
    `${counts.bots} bots, ${counts.stored} matches stored (${formatCounts(counts.reasons)}), ${counts.voided} void`,
    `matches by ladder: ${formatCounts(counts.ladders)}; unrated: ${formatCounts(counts.unrated) || "none"}`,
    `${counts.memberships} membership changes, ${counts.claims} bots with a new owner, ${counts.endings} ladders finished`,
    `${counts.wishes} opponent requests, ${counts.served} of them served, ${counts.awards} awards`,
    `${counts.waves} waves, ${counts.practised} practice matches, ${counts.kills} kills, ${counts.stalls} stalls, ${steps} steps`,
    `digest ${digest} of ${lines} lines`,
    complaint === null ? "every invariant held" : formatComplaint(report, complaint),
  ];
  return `${text.join("\n")}\n`;
}

const formatCounts = (counts: Record<string, number>): string =>
  Object.entries(counts)
    .map(([label, count]) => `${label} ${count}`)
    .join(", ");

function formatComplaint({ tail, steps, command }: Report, { invariant, text }: Complaint): string {
  return [
    "",
    ...tail.map((line) => line.slice(0, MAX_LINE_LENGTH)),
    "",
    `VIOLATED: ${invariant}`,
    text,
    `at step ${steps}; reproduce with: ${command}`,
  ].join("\n");
}

const commandLine = parseCommandLine(process.argv.slice(2));
if (commandLine === null) {
  process.stderr.write(`${USAGE}\n`);
  process.exitCode = EXIT_USAGE;
} else await main(commandLine);
