// `npm run bench fairness [-- flags]`: compares ratings and pairing with the known true strengths,
// and with Elo, Glicko-2 and random pairing. With `--hours`, simulates small events instead. Prints
// the tables in docs/fairness.md.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { renderLineChart } from "./chart.ts";
import type { Series } from "./chart.ts";
import { smallEventTables } from "./small-event-report.ts";
import { PAIRING_KINDS, RATING_SYSTEMS, runStudy } from "./study.ts";
import type { RatedLife, Study, RatingSystem } from "./study.ts";
import { correlationsOf, selectLives, accurateShare } from "./summary.ts";
import { RATING_SYSTEM_NAMES, formatTables } from "./tables.ts";
import type { Studies } from "./tables.ts";

const DOCS = join(import.meta.dirname, "..", "..", "..", "docs");
const MAX_GAMES = 250;
const CURVE_STEP = 5;
const EXIT_USAGE = 2;
const USAGE = `usage: npm run bench fairness [-- flags]
  --seeds N  worlds per pairing, with seeds 1 to N (default 3)
  --days N   simulated days per world (default 3)
  --bots N   bots, including the four house bots (default 50)
  --draw     write the charts to docs/
With --hours H, small events on their own ladder instead:
  --bots N   players, or several sizes as N,M,... (default 8)
  --seeds N  events per setting (default 10)`;

export async function runFairnessReport(): Promise<void> {
  const stringFlag = { type: "string" } as const;
  const { values } = parseArgs({
    args: process.argv.slice(3),
    options: {
      seeds: stringFlag,
      days: stringFlag,
      hours: stringFlag,
      bots: stringFlag,
      writeCharts: { type: "boolean" },
    },
  });
  if (values.hours === undefined) await reportStudies(values);
  else await reportSmallEvents(values);
}

type FlagValues = {
  seeds?: string;
  days?: string;
  hours?: string;
  bots?: string;
  writeCharts?: boolean;
};

/** Returns whether all numbers are positive. Otherwise prints the usage. */
function validateNumbers(numbers: readonly number[]): boolean {
  if (numbers.every((value) => value > 0)) return true;
  process.stderr.write(`${USAGE}\n`);
  process.exitCode = EXIT_USAGE;
  return false;
}

async function reportSmallEvents(values: FlagValues): Promise<void> {
  const [seeds, hours] = [Number(values.seeds ?? 10), Number(values.hours)];
  const sizes = (values.bots ?? "8").split(",").map(Number);
  if (!validateNumbers([seeds, hours, ...sizes.map((bots) => bots - 1)])) return;
  for (const bots of sizes)
    process.stdout.write(`${await smallEventTables({ bots, hours, seeds }, showLine)}\n`);
  showLine("");
}

async function reportStudies(values: FlagValues): Promise<void> {
  const [seeds, days] = [Number(values.seeds ?? 3), Number(values.days ?? 3)];
  const bots = Number(values.bots ?? 50);
  if (!validateNumbers([seeds, days, bots])) return;
  const studies = await runStudies(seeds, { days, bots });
  process.stdout.write(formatTables(studies));
  if (values.writeCharts === true) writeCharts(studies);
}

async function runStudies(seeds: number, sizes: { days: number; bots: number }): Promise<Studies> {
  const studies: Studies = { ours: [], random: [] };
  for (const pairing of PAIRING_KINDS)
    for (let seed = 1; seed <= seeds; seed += 1) {
      const label = `pairing ${pairing}, seed ${seed}`;
      studies[pairing].push(
        await runStudy({ seed, ...sizes }, pairing, (share) => showProgress(label, share)),
      );
    }
  showProgress("", 1);
  return studies;
}

function showProgress(label: string, share: number): void {
  showLine(label === "" ? "" : `${label}: ${Math.floor(100 * share)} %`);
}

function showLine(lineText: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${lineText}`);
}

function writeCharts(studies: Studies): void {
  const days = (studies.ours[0]!.correlations.at(-1)?.hour ?? 0) / 24;
  writeFileSync(
    join(DOCS, "fairness-arrival.svg"),
    renderLineChart({
      title: "New versions on a settled ladder within 50 points of true strength",
      x: { name: "games played", from: 0, to: MAX_GAMES, ticks: [0, 50, 100, 150, 200, 250] },
      y: { name: "percentage of versions", from: 0, to: 100, ticks: [0, 20, 40, 60, 80, 100] },
      series: createSeries(studies, (studyGroup, system) =>
        accuracyCurve(selectLives(studyGroup, false), system),
      ),
    }),
  );
  writeFileSync(
    join(DOCS, "fairness-order.svg"),
    renderLineChart({
      title: "Rank correlation of leaderboard and true strength",
      x: { name: "days", from: 0, to: Math.ceil(days), ticks: createTicks(Math.ceil(days)) },
      y: { name: "Spearman", from: 0.9, to: 1, ticks: [0.9, 0.92, 0.94, 0.96, 0.98, 1] },
      series: createSeries(studies, (studyGroup, system) =>
        correlationsOf(studyGroup, system).map(([hour, value]) => [
          hour / 24,
          Math.max(0.9, value),
        ]),
      ),
    }),
  );
}

const createTicks = (last: number): number[] => Array.from({ length: last + 1 }, (_, tick) => tick);

function createSeries(
  studies: Studies,
  points: (studies: readonly Study[], system: RatingSystem) => Series["points"],
): Series[] {
  return [
    ...RATING_SYSTEMS.map((system) => ({
      name: RATING_SYSTEM_NAMES[system],
      points: points(studies.ours, system),
    })),
    { name: "Bout, random pairing", points: points(studies.random, "ours") },
  ];
}

function accuracyCurve(lives: readonly RatedLife[], system: RatingSystem): [number, number][] {
  const games = Array.from(
    { length: MAX_GAMES / CURVE_STEP },
    (_, step) => CURVE_STEP * (step + 1),
  );
  return games.map((count) => [count, 100 * accurateShare(lives, system, count)]);
}
