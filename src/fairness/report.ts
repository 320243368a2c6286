// `npm run bench fairness [-- flags]`: how good ratings and pairing are, in worlds where the truth
// is known, beside Elo, Glicko-2 and pairing by chance. Prints the tables of docs/fairness.md.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { lineChart } from "./chart.ts";
import type { Series } from "./chart.ts";
import { mean, quantile } from "./statistics.ts";
import { PAIRINGS, SYSTEMS, study } from "./study.ts";
import type { PairingKind, Study, System } from "./study.ts";
import {
  arrivals,
  correlationsOf,
  estimateErrors,
  groundShares,
  mapBalance,
  waitsOf,
} from "./summary.ts";

type Studies = Record<PairingKind, Study[]>;
type Row = readonly string[];

const DOCS = join(import.meta.dirname, "..", "..", "docs");
const NAMES: Record<System, string> = { ours: "Bout", elo: "Elo, K=16", glicko: "Glicko-2" };
const MOST_GAMES = 300;
const EXIT_USAGE = 2;
const USAGE = `usage: npm run bench fairness [-- flags]
  --seeds N  worlds for each pairing, with the seeds 1 to N (3)
  --days N   simulated days of each (3)
  --bots N   bots, the four of the house among them (50)
  --draw     writes the charts into docs/`;

export async function run(): Promise<void> {
  const text = { type: "string" } as const;
  const { values } = parseArgs({
    args: process.argv.slice(3),
    options: { seeds: text, days: text, bots: text, draw: { type: "boolean" } },
  });
  const [seeds, days, bots] = [values.seeds ?? 3, values.days ?? 3, values.bots ?? 50].map(Number);
  if (![seeds, days, bots].every((value) => value > 0)) {
    process.stderr.write(`${USAGE}\n`);
    process.exitCode = EXIT_USAGE;
    return;
  }
  const studies = await runStudies(seeds, { days, bots });
  process.stdout.write(print(studies));
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
  if (!process.stderr.isTTY) return;
  const done = label === "" ? "" : `${label}: ${Math.floor(100 * share)} %`;
  process.stderr.write(`\r\x1b[K${done}`);
}

export function print(studies: Studies): string {
  const games = PAIRINGS.map((kind) => studies[kind].reduce((sum, one) => sum + one.games, 0));
  return [
    `${games[0]} games paired by Bout, ${games[1]} by chance\n`,
    table(["On the same games", ...Object.values(NAMES)], ratingRows(studies.ours)),
    table(["Rated by Bout", "Paired by Bout", "Paired by chance"], pairingRows(studies)),
  ].join("\n");
}

function table(head: Row, rows: readonly Row[]): string {
  const lines = [head, head.map(() => "---"), ...rows];
  return `${lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n")}\n`;
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

/** Of nothing there is no quantile. */
function whole(value: number): string {
  if (Number.isNaN(value)) return "-";
  return value === Infinity ? "never" : value.toFixed(0);
}

const ARRIVAL = "Games until within 50 points of the truth";

function arrivalText(studies: readonly Study[], system: System, isFromStart: boolean): string {
  const games = arrivals(studies, system, isFromStart);
  return [0.5, 0.9].map((share) => whole(quantile(games, share))).join(", ");
}

function ratingRows(studies: readonly Study[]): Row[] {
  const bySystem = (what: string, value: (system: System) => string): Row => [
    what,
    ...SYSTEMS.map(value),
  ];
  const arrived = (system: System, isFromStart: boolean) =>
    arrivalText(studies, system, isFromStart);
  const correlation = (system: System, place: number) =>
    correlationsOf(studies, system).at(place)?.[1].toFixed(3) ?? "-";
  const covered = (system: "ours" | "glicko") =>
    percent(
      studies.reduce((sum, one) => sum + one.covered[system], 0) /
        studies.reduce((sum, one) => sum + one.covered.total, 0),
    );
  return [
    bySystem(`${ARRIVAL}, in a settled ladder: median, 90 %`, (one) => arrived(one, false)),
    bySystem(`${ARRIVAL}, from the first day on: median, 90 %`, (one) => arrived(one, true)),
    bySystem("Spearman, board and truth, after 1 day", (one) => correlation(one, 3)),
    bySystem("the same, at the end", (one) => correlation(one, -1)),
    bySystem("Truth within 1.96 standard errors", (one) => (one === "elo" ? "-" : covered(one))),
  ];
}

const THIRDS = [
  ["strongest third", 0, 1 / 3],
  ["middle third", 1 / 3, 2 / 3],
  ["weakest third", 2 / 3, 1.01],
] as const;

function pairingRows(studies: Studies): Row[] {
  const byPairing = (what: string, value: (studies: readonly Study[]) => string): Row => [
    what,
    ...PAIRINGS.map((kind) => value(studies[kind])),
  ];
  const correlation = (place: number) => (some: readonly Study[]) =>
    correlationsOf(some, "ours").at(place)?.[1].toFixed(3) ?? "-";
  const openness = (some: readonly Study[]) => some.flatMap((one) => one.openness);
  return [
    byPairing(`${ARRIVAL}, in a settled ladder: median, 90 %`, (some) =>
      arrivalText(some, "ours", false),
    ),
    byPairing(`${ARRIVAL}, from the first day on: median, 90 %`, (some) =>
      arrivalText(some, "ours", true),
    ),
    byPairing("Spearman, board and truth, after 6 hours", correlation(0)),
    byPairing("the same, after 1 day", correlation(3)),
    byPairing("the same, at the end", correlation(-1)),
    byPairing("Openness of a game, mean", (some) => mean(openness(some)).toFixed(2)),
    byPairing("Games that the weaker wins at least one time in four", (some) =>
      percent(mean(openness(some).map((one) => Number(one >= 0.5)))),
    ),
    ...THIRDS.map(([name, from, to]) =>
      byPairing(`Wait of the ${name}: median, 90 %, longest`, (some) => {
        const { median, p90, longest } = waitsOf(some, from, to);
        return `${whole(median)} s, ${whole(p90)} s, ${whole(longest)} s`;
      }),
    ),
    byPairing("Error of `estimated_wait_s`: median, mean, 90 %", (some) => {
      const errors = estimateErrors(some);
      const figures = [quantile(errors, 0.5), mean(errors), quantile(errors, 0.9)];
      return figures.map((seconds) => `${seconds.toFixed(1)} s`).join(", ");
    }),
    byPairing("Starts by ground", (some) => {
      const shares = [...groundShares(some)].map(
        ([ground, share]) => `${ground} ${percent(share)}`,
      );
      return shares.length === 0 ? "-" : shares.join(", ");
    }),
    byPairing("Games of a version pair that had fewer than 5", (some) =>
      percent(mean(some.map(({ untested }) => untested))),
    ),
    byPairing("Maps: least and most played, of an even share", (some) =>
      mapBalance(some)
        .map((share) => share.toFixed(2))
        .join(" to "),
    ),
    byPairing("Maps of a version pair: most less fewest, median, 90 %", (some) => {
      const spreads = some.flatMap(({ mapSpreads }) => mapSpreads);
      return `${whole(quantile(spreads, 0.5))}, ${whole(quantile(spreads, 0.9))}`;
    }),
    byPairing("Seats of a bot: A less B, median, largest", (some) => {
      const seats = some.flatMap((one) => one.seats.map(Math.abs));
      return `${whole(quantile(seats, 0.5))}, ${whole(quantile(seats, 1))}`;
    }),
  ];
}

/** Writes the two charts of docs/fairness.md. */
function draw(studies: Studies): void {
  const days = (studies.ours[0].correlations.at(-1)?.hour ?? 0) / 24;
  writeFileSync(
    join(DOCS, "fairness-arrival.svg"),
    lineChart({
      title: "New versions in a settled ladder within 50 points of the truth",
      x: { name: "games played", from: 0, to: MOST_GAMES, ticks: [0, 50, 100, 150, 200, 250, 300] },
      y: { name: "percent of versions", from: 0, to: 100, ticks: [0, 20, 40, 60, 80, 100] },
      series: seriesOf(studies, (some, system) => arrivalCurve(arrivals(some, system, false))),
    }),
  );
  writeFileSync(
    join(DOCS, "fairness-order.svg"),
    lineChart({
      title: "Rank correlation of the leaderboard and the true strengths",
      x: { name: "days", from: 0, to: Math.ceil(days), ticks: ticksTo(Math.ceil(days)) },
      y: { name: "Spearman", from: 0.7, to: 1, ticks: [0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 1] },
      series: seriesOf(studies, (some, system) =>
        correlationsOf(some, system).map(([hour, value]) => [hour / 24, Math.max(0.7, value)]),
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

/** Percent of versions that have arrived, by games. */
function arrivalCurve(games: readonly number[]): [number, number][] {
  return Array.from({ length: MOST_GAMES / 5 + 1 }, (_, step) => {
    const count = games.filter((needed) => needed <= 5 * step).length;
    return [5 * step, (100 * count) / games.length];
  });
}
