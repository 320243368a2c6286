// Formats the tables of docs/fairness.md.

import { mean, quantile } from "./statistics.ts";
import { PAIRING_KINDS, RATING_SYSTEMS } from "./study.ts";
import type { PairingKind, Study, RatingSystem } from "./study.ts";
import {
  correlationsOf,
  rmsErrorAfter,
  estimateErrors,
  gamesToTruth,
  gamesUntilShare,
  groundShares,
  selectLives,
  mapBalance,
  summarizeWaits,
} from "./summary.ts";

export type Studies = Record<PairingKind, Study[]>;
type Row = readonly string[];

export const RATING_SYSTEM_NAMES: Record<RatingSystem, string> = {
  ours: "Bout",
  elo: "Elo, K=16",
  glicko: "Glicko-2",
};

export function formatTables(studies: Studies): string {
  const games = PAIRING_KINDS.map((kind) =>
    studies[kind].reduce((sum, study) => sum + study.games, 0),
  );
  return [
    `${games[0]} games paired by Bout, ${games[1]} at random\n`,
    formatMarkdownTable(
      ["Same games", ...Object.values(RATING_SYSTEM_NAMES)],
      ratingRows(studies.ours),
    ),
    formatMarkdownTable(
      ["Rated by Bout", "Paired by Bout", "Random pairing"],
      pairingRows(studies),
    ),
  ].join("\n");
}

export function formatMarkdownTable(head: Row, rows: readonly Row[]): string {
  const lines = [head, head.map(() => "---"), ...rows];
  return `${lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n")}\n`;
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

/** The quantile of an empty list is NaN. */
function formatWhole(value: number): string {
  if (Number.isNaN(value)) return "-";
  return value === Infinity ? "never" : value.toFixed(0);
}

type Cell = (studies: readonly Study[], system: RatingSystem) => string;

const LEARNING_ROWS: readonly [what: string, cell: Cell][] = [
  ["New versions: games until half, 9 of 10 are within 50 points", gamesUntilAccurate(false)],
  ["the same on a ladder's first day", gamesUntilAccurate(true)],
  [
    "RMS error after 30, 100, 250 games, points",
    (studies, system) =>
      [30, 100, 250]
        .map((games) => formatWhole(rmsErrorAfter(selectLives(studies, false), system, games)))
        .join(", "),
  ],
  [
    "First of ten consecutive games within 50 points: median, p90",
    (studies, system) => {
      const games = selectLives(studies, false).map((life) => gamesToTruth(life, system));
      return [0.5, 0.9].map((share) => formatWhole(quantile(games, share))).join(", ");
    },
  ],
  ["Spearman of leaderboard and true strength, after 6 hours", correlationCell(0)],
  ["the same after 1 day", correlationCell(3)],
  ["the same at the end", correlationCell(-1)],
];

function gamesUntilAccurate(isFromStart: boolean): Cell {
  return (studies, system) => {
    const lives = selectLives(studies, isFromStart);
    return [0.5, 0.9].map((share) => formatWhole(gamesUntilShare(lives, system, share))).join(", ");
  };
}

function correlationCell(index: number): Cell {
  return (studies, system) => correlationsOf(studies, system).at(index)?.[1].toFixed(3) ?? "-";
}

function ratingRows(studies: readonly Study[]): Row[] {
  const sum = (value: (study: Study) => number) =>
    studies.reduce((total, study) => total + value(study), 0);
  const coverageShare = (system: "ours" | "glicko") =>
    percent(sum((study) => study.coverage[system]) / sum((study) => study.coverage.total));
  return [
    ...LEARNING_ROWS.map(([label, cell]) => [
      label,
      ...RATING_SYSTEMS.map((system) => cell(studies, system)),
    ]),
    [
      "True strength within 1.96 standard errors",
      coverageShare("ours"),
      "-",
      coverageShare("glicko"),
    ],
  ];
}

const THIRDS = [
  ["strongest third", 0, 1 / 3],
  ["middle third", 1 / 3, 2 / 3],
  ["weakest third", 2 / 3, 1.01],
] as const;

function pairingRows(studies: Studies): Row[] {
  const createPairingRow = (label: string, value: (studies: readonly Study[]) => string): Row => [
    label,
    ...PAIRING_KINDS.map((kind) => value(studies[kind])),
  ];
  const openness = (studyGroup: readonly Study[]) => studyGroup.flatMap((study) => study.openness);
  return [
    ...LEARNING_ROWS.map(([label, cell]) =>
      createPairingRow(label, (studyGroup) => cell(studyGroup, "ours")),
    ),
    createPairingRow("Mean openness of a game", (studyGroup) =>
      mean(openness(studyGroup)).toFixed(2),
    ),
    createPairingRow("Games in which the weaker bot has at least a 1 in 4 chance", (studyGroup) =>
      percent(mean(openness(studyGroup).map((study) => Number(study >= 0.5)))),
    ),
    ...THIRDS.map(([name, from, to]) =>
      createPairingRow(`Wait of the ${name}: median, p90, max`, (studyGroup) => {
        const { median, p90, longest } = summarizeWaits(studyGroup, from, to);
        return `${formatWhole(median)} s, ${formatWhole(p90)} s, ${formatWhole(longest)} s`;
      }),
    ),
    createPairingRow("Error of `estimated_wait_s`: median, mean, p90", (studyGroup) => {
      const errors = estimateErrors(studyGroup);
      const errorStats = [quantile(errors, 0.5), mean(errors), quantile(errors, 0.9)];
      return errorStats.map((seconds) => `${seconds.toFixed(1)} s`).join(", ");
    }),
    createPairingRow("Starts by ground", (studyGroup) => {
      const shares = [...groundShares(studyGroup)].map(
        ([ground, share]) => `${ground} ${percent(share)}`,
      );
      return shares.length === 0 ? "-" : shares.join(", ");
    }),
    createPairingRow("Games of version pairs with fewer than 5 games before", (studyGroup) =>
      percent(mean(studyGroup.map(({ untested }) => untested))),
    ),
    createPairingRow("Maps: least and most played, relative to an even share", (studyGroup) =>
      mapBalance(studyGroup)
        .map((share) => share.toFixed(2))
        .join(" to "),
    ),
    createPairingRow("Maps per version pair: most minus fewest, median, p90", (studyGroup) => {
      const spreads = studyGroup.flatMap(({ mapSpreads }) => mapSpreads);
      return `${formatWhole(quantile(spreads, 0.5))}, ${formatWhole(quantile(spreads, 0.9))}`;
    }),
    createPairingRow("Seats per bot: A minus B, median, max", (studyGroup) => {
      const seats = studyGroup.flatMap((study) => study.seats.map(Math.abs));
      return `${formatWhole(quantile(seats, 0.5))}, ${formatWhole(quantile(seats, 1))}`;
    }),
  ];
}
