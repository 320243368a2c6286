// The report of `bout verify` on a leaderboard, for people.

import { styled } from "#tools/terminal/color.ts";
import type { Line, StyledPart } from "#tools/terminal/color.ts";
import type { ArchiveReport } from "#tools/verify/archive.ts";
import type { Difference } from "#tools/verify/difference.ts";
import type { MatchFault } from "#tools/verify/fault.ts";
import type { Report } from "#tools/verify/verification.ts";

const LABEL_WIDTH = 13;
/** Lines per list; JSON has the rest. */
const MOST_LINES = 40;

const TOLERANCE = "within the tolerance between passes";

/** The lines of `bout verify URL`. */
export function printVerification(origin: string, report: Report): Line[] {
  const { differences, faults } = report;
  return [
    line("ladder", `${report.ladder} at ${origin}${seasonWords(report)}`),
    line("games", gameWords(report)),
    line("scale", scaleWords(report)),
    line("leaderboard", verdictOf(boardWords(report))),
    line(
      "matches",
      verdictOf(faults.length === 0 ? "ok" : `${counted(faults.length, "match")} AT FAULT`),
    ),
    ...(differences.length === 0 ? [] : ["", ...table(differences)]),
    ...(faults.length === 0 ? [] : ["", ...shortened(faults.map(faultLine))]),
    ...(report.moved ? ["", ...MOVED] : []),
  ];
}

/** The lines of `bout verify FILE`. */
export function printArchive(report: ArchiveReport): Line[] {
  const { ladder, made, release, differences, faults, unchecked } = report;
  return [
    line("archive", `${ladder}, made ${made} by release ${release}`),
    line("games", gameWords({ ...report, uncounted: 0 })),
    line("scale", scaleWords(report)),
    line("standings", verdictOf(boardWords(report))),
    line(
      "matches",
      verdictOf(faults.length === 0 ? "ok" : `${counted(faults.length, "fault")} FOUND`),
    ),
    line("replays", replayWords(report)),
    ...[...unchecked, "achievements of events"].map((text) => line("not checked", text)),
    ...(differences.length === 0 ? [] : ["", ...table(differences)]),
    ...(faults.length === 0 ? [] : ["", ...shortened(faults.map(faultLine))]),
  ];
}

function replayWords({ replays: { checked, foreign, absent } }: ArchiveReport): string {
  const parts = [
    `${checked} played again`,
    foreign > 0 ? `${foreign} recorded by another engine, so not` : "",
    absent > 0 ? `${counted(absent, "match")} without one` : "",
  ];
  return parts.filter((part) => part !== "").join(", ");
}

/** What is said of a ladder wherever its matches came from. */
type Shared = Omit<ArchiveReport, "replays" | "unchecked" | "made" | "release">;

const MOVED = [
  "Games ended during every look at the leaderboard, and it never was the one that follows from",
  "those that were listed. Ask again when fewer are played.",
];

const line = (label: string, text: string | StyledPart): Line => [label.padEnd(LABEL_WIDTH), text];

const verdictOf = (text: string): StyledPart =>
  text.startsWith("ok") ? styled(text, "green") : styled(text, "red", "bold");

const seasonWords = ({ season, state }: Report): string =>
  season === null ? "" : `, season ${season} (${state})`;

const PLURALS: Record<string, string> = { match: "matches" };

function counted(count: number, noun: string): string {
  return `${count} ${count === 1 ? noun : (PLURALS[noun] ?? `${noun}s`)}`;
}

function gameWords(report: Shared & Pick<Report, "uncounted">): string {
  const { games, versions, voided, unrated, newest, uncounted } = report;
  const parts = [
    `${counted(games, "rated game")} of ${counted(versions, "version")}`,
    voided > 0 ? `${voided} void` : "",
    unrated > 0 ? `${unrated} unrated` : "",
    newest === null ? "" : `the newest ended ${newest.ended}`,
    uncounted > 0 ? `${uncounted} newer not on the leaderboard yet` : "",
  ];
  return parts.filter((part) => part !== "").join(", ");
}

function scaleWords({ anchors }: Shared): string {
  if (anchors.length === 0) return "no house bot has played: the virtual draws alone hold 1500";
  return `1500 is the mean of ${anchors.join(", ")}`;
}

function boardWords({ rows, differences }: Shared): string {
  const wrong = differences.filter(({ tolerated }) => !tolerated).length;
  const near = differences.length - wrong;
  const tolerated = near === 0 ? "" : `; ${counted(near, "figure")} ${TOLERANCE}`;
  if (wrong > 0)
    return `DIFFERS in ${counted(wrong, "point")} of ${counted(rows, "row")}${tolerated}`;
  if (rows === 0) return "ok: nobody is ranked, and nobody should be";
  return `ok: ${counted(rows, "row")} as computed${tolerated}`;
}

/** Wrong figures come first. */
function table(differences: readonly Difference[]): string[] {
  const ordered = differences.toSorted((one, other) => +one.tolerated - +other.tolerated);
  const cells = ordered.map(({ bot, version, field, shown, computed }) => {
    return [`${bot}@${version}`, field, String(shown), String(computed)];
  });
  const widths = HEAD.map((head, column) =>
    Math.max(head.length, ...cells.map((row) => row[column]?.length ?? 0)),
  );
  const lines = cells.map((row, place) => {
    const note = ordered[place]?.tolerated === true ? [TOLERANCE] : [];
    return [...padded(row, widths), ...note].join(GAP);
  });
  return [padded(HEAD, widths).join(GAP), ...shortened(lines)];
}

const HEAD = ["row", "figure", "shown", "computed"];
const GAP = "  ";
const TEXT_COLUMNS = 2;

/** Names are aligned left, figures right. */
function padded(row: readonly string[], widths: readonly number[]): string[] {
  return row.map((cell, column) => {
    const width = widths[column] ?? 0;
    return column < TEXT_COLUMNS ? cell.padEnd(width) : cell.padStart(width);
  });
}

const faultLine = ({ match, problem }: MatchFault): string => `match ${match} ${problem}`;

function shortened(lines: readonly string[]): string[] {
  const more = lines.length - MOST_LINES;
  return more <= 0 ? [...lines] : [...lines.slice(0, MOST_LINES), `and ${more} more: see --json`];
}
