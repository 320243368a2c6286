import { DAMAGE_SOURCES } from "#core/engine/types.ts";
import type { FirstFailure } from "#tools/local-match/sim-worker.ts";
import type { PartialGameTally, SeriesReport } from "#tools/simulator/report.ts";
import { createStyledPart } from "#tools/terminal/color.ts";
import type { OutputLine } from "#tools/terminal/color.ts";

const LABEL_WIDTH = 12;
const CELL_WIDTH = 11;
const SECONDS = 1 / 1000;

export function formatSeriesReport(report: SeriesReport): OutputLine[] {
  const { a, b, games, seed, wins_a, wins_b, draws, by_map, by_seat, reasons } = report;
  const maps = by_map.filter((line) => line.games > 0).length;
  return [
    `A ${a.bot} against B ${b.bot}: ${pluralize(games, "game")} on ${pluralize(maps, "map")}, seed ${seed}`,
    "",
    [
      "A wins ",
      createStyledPart(formatRate(report), "bold"),
      `, 95 % interval ${formatInterval(report.interval_95)}`,
    ],
    `${wins_a} wins, ${wins_b} losses, ${draws} draws; ${report.mean_ticks.toFixed(1)} ticks on average (${describeCounts(reasons)})`,
    "",
    [
      createStyledPart(
        formatRow("map", ["games", "A wins", "B wins", "draws", "A rate", "ticks"]),
        "dim",
      ),
    ],
    ...by_map.map((line) => formatRow(line.map, tallyCells(line))),
    ...by_seat.map((line) => formatRow(`A in seat ${line.seat_of_a}`, tallyCells(line))),
    "",
    ...damageTable(report),
    "",
    `refused turns  A ${describeTurnCounts(a.refused_turns, a.refused_turns_by_reason)}`,
    `               B ${describeTurnCounts(b.refused_turns, b.refused_turns_by_reason)}`,
    `failed turns   A ${describeFailedTurns(a)}`,
    `               B ${describeFailedTurns(b)}`,
    ...timingLines(report),
  ];
}

function formatRow(label: string, cells: readonly string[]): string {
  return label.padEnd(LABEL_WIDTH) + cells.map((cell) => cell.padStart(CELL_WIDTH)).join("");
}

function tallyCells({
  games,
  wins_a,
  wins_b,
  draws,
  win_rate,
  mean_ticks,
}: PartialGameTally): string[] {
  const counts = [games, wins_a, wins_b, draws].map(String);
  const rate = win_rate === null ? "-" : percent(win_rate);
  return [...counts, rate, mean_ticks === null ? "-" : mean_ticks.toFixed(1)];
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

const pluralize = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? "" : "s"}`;

/**
 * If all matches have the same result, the standard error is 0, which would falsely suggest
 * certainty.
 */
function formatRate({ win_rate, standard_error }: SeriesReport): string {
  if (standard_error === 0) return percent(win_rate);
  return `${percent(win_rate)} ± ${percent(standard_error)} (standard error)`;
}

function formatInterval([low, high]: readonly [number, number]): string {
  return `${(100 * low).toFixed(1)} to ${percent(high)}`;
}

function damageTable({ a, b, games }: SeriesReport): OutputLine[] {
  const perGame = (total: number) => (games === 0 ? "-" : (total / games).toFixed(1));
  const damageRow = (
    label: string,
    dealtA: number,
    dealtB: number,
    takenA: number,
    takenB: number,
  ) => formatRow(label, [perGame(dealtA), perGame(dealtB), perGame(takenA), perGame(takenB)]);
  return [
    [
      createStyledPart(
        formatRow("damage/game", ["A deals", "B deals", "A takes", "B takes"]),
        "dim",
      ),
    ],
    ...DAMAGE_SOURCES.map((source) => {
      const dealtDamage = [a.dealt_by_source[source], b.dealt_by_source[source]] as const;
      return damageRow(
        source,
        ...dealtDamage,
        a.taken_by_source[source],
        b.taken_by_source[source],
      );
    }),
    damageRow("all", a.damage_dealt, b.damage_dealt, a.damage_taken, b.damage_taken),
  ];
}

function describeCounts(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([label, count]) => `${count} ${label}`)
    .join(", ");
}

function describeTurnCounts(total: number, counts: Readonly<Record<string, number>>): string {
  return total === 0 ? "0" : `${total} (${describeCounts(counts)})`;
}

function describeFailedTurns(bot: SeriesReport["a"]): string {
  const failedTurns = describeTurnCounts(bot.failed_turns, bot.failed_turns_by_reason);
  if (bot.disqualified === 0) return failedTurns;
  return `${failedTurns}, disqualified in ${pluralize(bot.disqualified, "game")}`;
}

export function failureLine(bots: readonly string[], { bot, game, turn }: FirstFailure): string {
  const location = `game ${game.number} (${game.map}, seed ${game.seed}), tick ${turn.tick}`;
  return `bout sim: ${bots[bot]}: first failed turn in ${location}: ${turn.reason}: ${turn.message}`;
}

/** Returns the estimated time remaining; empty before the first match. */
export function formatRemainingTime(done: number, games: number, elapsedMs: number): string {
  if (done === 0) return "";
  return `, ${Math.ceil((elapsedMs / done) * (games - done) * SECONDS)} s left`;
}

/** Response times vary between runs, so they are shown only if a time limit applied. */
function timingLines({ a, b }: SeriesReport): string[] {
  const describeTiming = ({ timing }: SeriesReport["a"]) =>
    timing === null
      ? "none"
      : `mean ${timing.mean_ms.toFixed(1)} ms, max ${timing.max_ms.toFixed(1)} ms`;
  if (a.timing === null && b.timing === null) return [];
  return [`replies        A ${describeTiming(a)}`, `               B ${describeTiming(b)}`];
}
