// The tables of docs/fairness.md.

import { mean, quantile } from "./statistics.ts";
import { PAIRINGS, SYSTEMS } from "./study.ts";
import type { PairingKind, Study, System } from "./study.ts";
import {
  correlationsOf,
  errorAfter,
  estimateErrors,
  gamesToTruth,
  gamesUntil,
  groundShares,
  livesOf,
  mapBalance,
  waitsOf,
} from "./summary.ts";

export type Studies = Record<PairingKind, Study[]>;
type Row = readonly string[];

export const NAMES: Record<System, string> = {
  ours: "Bout",
  elo: "Elo, K=16",
  glicko: "Glicko-2",
};

/** Both tables as Markdown. */
export function printTables(studies: Studies): string {
  const games = PAIRINGS.map((kind) => studies[kind].reduce((sum, one) => sum + one.games, 0));
  return [
    `${games[0]} games paired by Bout, ${games[1]} by chance\n`,
    table(["On the same games", ...Object.values(NAMES)], ratingRows(studies.ours)),
    table(["Rated by Bout", "Paired by Bout", "Paired by chance"], pairingRows(studies)),
  ].join("\n");
}

export function table(head: Row, rows: readonly Row[]): string {
  const lines = [head, head.map(() => "---"), ...rows];
  return `${lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n")}\n`;
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

/** An empty list has no quantile. */
function whole(value: number): string {
  if (Number.isNaN(value)) return "-";
  return value === Infinity ? "never" : value.toFixed(0);
}

type Cell = (studies: readonly Study[], system: System) => string;

/** How quickly and how closely ratings of new versions find the truth. */
const LEARNING: readonly [what: string, cell: Cell][] = [
  ["New versions: games until half of them, 9 of 10 are within 50 points", untilRight(false)],
  ["the same on a ladder's first day", untilRight(true)],
  [
    "Root mean square error after 30, 100, 250 games, points",
    (studies, system) =>
      [30, 100, 250]
        .map((games) => whole(errorAfter(livesOf(studies, false), system, games)))
        .join(", "),
  ],
  [
    "First ten games in a row within 50 points begin with: median, 90 %",
    (studies, system) => {
      const games = livesOf(studies, false).map((life) => gamesToTruth(life, system));
      return [0.5, 0.9].map((share) => whole(quantile(games, share))).join(", ");
    },
  ],
  ["Spearman, leaderboard and truth, after 6 hours", correlationAt(0)],
  ["the same after 1 day", correlationAt(3)],
  ["the same at the end", correlationAt(-1)],
];

function untilRight(isFromStart: boolean): Cell {
  return (studies, system) => {
    const lives = livesOf(studies, isFromStart);
    return [0.5, 0.9].map((share) => whole(gamesUntil(lives, system, share))).join(", ");
  };
}

function correlationAt(place: number): Cell {
  return (studies, system) => correlationsOf(studies, system).at(place)?.[1].toFixed(3) ?? "-";
}

function ratingRows(studies: readonly Study[]): Row[] {
  const sum = (value: (study: Study) => number) =>
    studies.reduce((total, one) => total + value(one), 0);
  const covered = (system: "ours" | "glicko") =>
    percent(sum((one) => one.covered[system]) / sum((one) => one.covered.total));
  return [
    ...LEARNING.map(([what, cell]) => [what, ...SYSTEMS.map((system) => cell(studies, system))]),
    ["Truth within 1.96 standard errors", covered("ours"), "-", covered("glicko")],
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
  const openness = (some: readonly Study[]) => some.flatMap((one) => one.openness);
  return [
    ...LEARNING.map(([what, cell]) => byPairing(what, (some) => cell(some, "ours"))),
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
