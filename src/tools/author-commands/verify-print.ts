import { createStyledPart } from "#tools/terminal/color.ts";
import type { OutputLine, StyledPart } from "#tools/terminal/color.ts";
import type { ArchiveReport } from "#tools/verify/archive.ts";
import type { Difference } from "#tools/verify/board-differences.ts";
import type { MatchProblem } from "#tools/verify/match-problems.ts";
import type { VerificationReport } from "#tools/verify/verification.ts";

const LABEL_WIDTH = 13;
const MAX_LINES = 40;

const TOLERANCE = "within the tolerance between passes";

export function formatVerification(origin: string, report: VerificationReport): OutputLine[] {
  const { differences, faults } = report;
  return [
    formatReportLine("ladder", `${report.ladder} at ${origin}${describeSeason(report)}`),
    formatReportLine("games", describeGames(report)),
    formatReportLine("scale", describeScale(report)),
    formatReportLine("leaderboard", styleVerdict(describeBoard(report))),
    formatReportLine(
      "matches",
      styleVerdict(faults.length === 0 ? "ok" : `${pluralize(faults.length, "match")} INVALID`),
    ),
    ...(differences.length === 0 ? [] : ["", ...formatDifferences(differences)]),
    ...(faults.length === 0 ? [] : ["", ...truncateLines(faults.map(formatMatchFault))]),
    ...(report.moved ? ["", ...MOVED_NOTE] : []),
  ];
}

export function formatArchiveReport(report: ArchiveReport): OutputLine[] {
  const { ladder, made, release, differences, faults, unchecked } = report;
  return [
    formatReportLine("archive", `${ladder}, created ${made} by release ${release}`),
    formatReportLine("games", describeGames({ ...report, uncounted: 0 })),
    formatReportLine("scale", describeScale(report)),
    formatReportLine("standings", styleVerdict(describeBoard(report))),
    formatReportLine(
      "matches",
      styleVerdict(faults.length === 0 ? "ok" : `${pluralize(faults.length, "fault")} FOUND`),
    ),
    formatReportLine("replays", describeReplays(report)),
    ...[...unchecked, "achievements of events"].map((text) =>
      formatReportLine("not checked", text),
    ),
    ...(differences.length === 0 ? [] : ["", ...formatDifferences(differences)]),
    ...(faults.length === 0 ? [] : ["", ...truncateLines(faults.map(formatMatchFault))]),
  ];
}

function describeReplays({ replays: { checked, foreign, absent } }: ArchiveReport): string {
  const parts = [
    `${checked} replayed`,
    foreign > 0 ? `${foreign} by another engine (not replayed)` : "",
    absent > 0 ? `${pluralize(absent, "match")} without a replay` : "",
  ];
  return parts.filter((part) => part !== "").join(", ");
}

type SharedReport = Omit<ArchiveReport, "replays" | "unchecked" | "made" | "release">;

const MOVED_NOTE = [
  "Matches kept ending while the leaderboard was read, and it never matched the listed matches.",
  "Run the command again when fewer matches are played.",
];

const formatReportLine = (label: string, text: string | StyledPart): OutputLine => [
  label.padEnd(LABEL_WIDTH),
  text,
];

const styleVerdict = (text: string): StyledPart =>
  text.startsWith("ok") ? createStyledPart(text, "green") : createStyledPart(text, "red", "bold");

const describeSeason = ({ season, state }: VerificationReport): string =>
  season === null ? "" : `, season ${season} (${state})`;

const PLURALS: Record<string, string> = { match: "matches" };

function pluralize(count: number, noun: string): string {
  return `${count} ${count === 1 ? noun : (PLURALS[noun] ?? `${noun}s`)}`;
}

function describeGames(report: SharedReport & Pick<VerificationReport, "uncounted">): string {
  const { games, versions, voided, unrated, newest, uncounted } = report;
  const parts = [
    `${pluralize(games, "rated game")} of ${pluralize(versions, "version")}`,
    voided > 0 ? `${voided} void` : "",
    unrated > 0 ? `${unrated} unrated` : "",
    newest === null ? "" : `newest ended ${newest.ended}`,
    uncounted > 0 ? `${uncounted} newer not on the leaderboard yet` : "",
  ];
  return parts.filter((part) => part !== "").join(", ");
}

function describeScale({ anchors }: SharedReport): string {
  if (anchors.length === 0)
    return "no house bot has played, so only the virtual draws anchor the scale at 1500";
  return `1500 is the mean of ${anchors.join(", ")}`;
}

function describeBoard({ rows, differences }: SharedReport): string {
  const wrongCount = differences.filter(({ tolerated }) => !tolerated).length;
  const toleratedCount = differences.length - wrongCount;
  const tolerated =
    toleratedCount === 0 ? "" : `; ${pluralize(toleratedCount, "figure")} ${TOLERANCE}`;
  if (wrongCount > 0)
    return `DIFFERS in ${pluralize(wrongCount, "point")} of ${pluralize(rows, "row")}${tolerated}`;
  if (rows === 0) return "ok: no bot is ranked, as computed";
  return `ok: ${pluralize(rows, "row")} as computed${tolerated}`;
}

function formatDifferences(differences: readonly Difference[]): string[] {
  const sortedDifferences = differences.toSorted((a, b) => +a.tolerated - +b.tolerated);
  const cells = sortedDifferences.map(({ bot, version, field, shown, computed }) => {
    return [`${bot}@${version}`, field, String(shown), String(computed)];
  });
  const widths = TABLE_HEAD.map((head, column) =>
    Math.max(head.length, ...cells.map((row) => row[column]?.length ?? 0)),
  );
  const lines = cells.map((row, index) => {
    const note = sortedDifferences[index]?.tolerated === true ? [TOLERANCE] : [];
    return [...padRow(row, widths), ...note].join(GAP);
  });
  return [padRow(TABLE_HEAD, widths).join(GAP), ...truncateLines(lines)];
}

const TABLE_HEAD = ["row", "figure", "shown", "computed"];
const GAP = "  ";
const TEXT_COLUMNS = 2;

function padRow(row: readonly string[], widths: readonly number[]): string[] {
  return row.map((cell, column) => {
    const width = widths[column] ?? 0;
    return column < TEXT_COLUMNS ? cell.padEnd(width) : cell.padStart(width);
  });
}

const formatMatchFault = ({ match, problem }: MatchProblem): string => `match ${match} ${problem}`;

function truncateLines(lines: readonly string[]): string[] {
  const hiddenCount = lines.length - MAX_LINES;
  return hiddenCount <= 0
    ? [...lines]
    : [...lines.slice(0, MAX_LINES), `and ${hiddenCount} more (see --json)`];
}
