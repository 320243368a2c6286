// `npm run bench fairness [-- flags]`: how good ratings and pairing are in worlds whose truth is
// known, compared with Elo, Glicko-2 and random pairing; with `--hours`, evenings of small ladders.
// Prints the tables of docs/fairness.md.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { lineChart } from "./chart.ts";
import type { Series } from "./chart.ts";
import { eveningTables } from "./evening-report.ts";
import { PAIRINGS, SYSTEMS, study } from "./study.ts";
import type { RatedLife, Study, System } from "./study.ts";
import { correlationsOf, livesOf, shareRight } from "./summary.ts";
import { NAMES, printTables } from "./tables.ts";
import type { Studies } from "./tables.ts";

const DOCS = join(import.meta.dirname, "..", "..", "..", "docs");
const MOST_GAMES = 250;
const CURVE_STEP = 5;
const EXIT_USAGE = 2;
const USAGE = `usage: npm run bench fairness [-- flags]
  --seeds N  worlds for each pairing, with the seeds 1 to N (3)
  --days N   simulated days of each (3)
  --bots N   bots, the four of the house among them (50)
  --draw     writes the charts into docs/
With --hours H, evenings of a small ladder of its own instead:
  --bots N   players, or several sizes as N,M,... (8)
  --seeds N  evenings of each kind (10)`;

export async function run(): Promise<void> {
  const text = { type: "string" } as const;
  const { values } = parseArgs({
    args: process.argv.slice(3),
    options: { seeds: text, days: text, hours: text, bots: text, draw: { type: "boolean" } },
  });
  if (values.hours === undefined) await reportDays(values);
  else await reportEvenings(values);
}

type Values = { seeds?: string; days?: string; hours?: string; bots?: string; draw?: boolean };

/** Whether all are positive; tells how to call it if not. */
function areUsable(numbers: readonly number[]): boolean {
  if (numbers.every((value) => value > 0)) return true;
  process.stderr.write(`${USAGE}\n`);
  process.exitCode = EXIT_USAGE;
  return false;
}

async function reportEvenings(values: Values): Promise<void> {
  const [seeds, hours] = [Number(values.seeds ?? 10), Number(values.hours)];
  const sizes = (values.bots ?? "8").split(",").map(Number);
  if (!areUsable([seeds, hours, ...sizes.map((bots) => bots - 1)])) return;
  for (const bots of sizes)
    process.stdout.write(`${await eveningTables({ bots, hours, seeds }, showLine)}\n`);
  showLine("");
}

async function reportDays(values: Values): Promise<void> {
  const [seeds, days] = [Number(values.seeds ?? 3), Number(values.days ?? 3)];
  const bots = Number(values.bots ?? 50);
  if (!areUsable([seeds, days, bots])) return;
  const studies = await runStudies(seeds, { days, bots });
  process.stdout.write(printTables(studies));
  if (values.draw === true) draw(studies);
}

async function runStudies(seeds: number, sizes: { days: number; bots: number }): Promise<Studies> {
  const studies: Studies = { ours: [], random: [] };
  for (const pairing of PAIRINGS)
    for (let seed = 1; seed <= seeds; seed += 1) {
      const label = `pairing ${pairing}, seed ${seed}`;
      studies[pairing].push(
        await study({ seed, ...sizes }, pairing, (share) => show(label, share)),
      );
    }
  show("", 1);
  return studies;
}

function show(label: string, share: number): void {
  showLine(label === "" ? "" : `${label}: ${Math.floor(100 * share)} %`);
}

function showLine(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`);
}

/** Writes the two charts of docs/fairness.md. */
function draw(studies: Studies): void {
  const days = (studies.ours[0]!.correlations.at(-1)?.hour ?? 0) / 24;
  writeFileSync(
    join(DOCS, "fairness-arrival.svg"),
    lineChart({
      title: "New versions in a settled ladder within 50 points of the truth",
      x: { name: "games played", from: 0, to: MOST_GAMES, ticks: [0, 50, 100, 150, 200, 250] },
      y: { name: "percent of versions", from: 0, to: 100, ticks: [0, 20, 40, 60, 80, 100] },
      series: seriesOf(studies, (some, system) => rightCurve(livesOf(some, false), system)),
    }),
  );
  writeFileSync(
    join(DOCS, "fairness-order.svg"),
    lineChart({
      title: "Rank correlation of the leaderboard and the true strengths",
      x: { name: "days", from: 0, to: Math.ceil(days), ticks: ticksTo(Math.ceil(days)) },
      y: { name: "Spearman", from: 0.9, to: 1, ticks: [0.9, 0.92, 0.94, 0.96, 0.98, 1] },
      series: seriesOf(studies, (some, system) =>
        correlationsOf(some, system).map(([hour, value]) => [hour / 24, Math.max(0.9, value)]),
      ),
    }),
  );
}

const ticksTo = (last: number): number[] => Array.from({ length: last + 1 }, (_, tick) => tick);

function seriesOf(
  studies: Studies,
  points: (studies: readonly Study[], system: System) => Series["points"],
): Series[] {
  return [
    ...SYSTEMS.map((system) => ({ name: NAMES[system], points: points(studies.ours, system) })),
    { name: "Bout, paired by chance", points: points(studies.random, "ours") },
  ];
}

/** Percentage of versions with the right rating, by number of games. */
function rightCurve(lives: readonly RatedLife[], system: System): [number, number][] {
  const games = Array.from(
    { length: MOST_GAMES / CURVE_STEP },
    (_, step) => CURVE_STEP * (step + 1),
  );
  return games.map((count) => [count, 100 * shareRight(lives, system, count)]);
}
