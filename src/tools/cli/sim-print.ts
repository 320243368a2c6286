// The report of a simulation, for people.

import { DAMAGE_SOURCES } from "#core/engine/types.ts";
import type { FirstFailure } from "#tools/local/sim-worker.ts";
import type { PartTally, SeriesReport } from "#tools/simulator/report.ts";
import { styled } from "#tools/terminal/color.ts";
import type { Line } from "#tools/terminal/color.ts";

const LABEL_WIDTH = 12;
const CELL_WIDTH = 11;
const SECONDS = 1 / 1000;

/** The lines of `bout sim A B`. */
export function printReport(report: SeriesReport): Line[] {
  const { a, b, games, seed, wins_a, wins_b, draws, by_map, by_seat, reasons } = report;
  const maps = by_map.filter((line) => line.games > 0).length;
  return [
    `A ${a.bot} against B ${b.bot}: ${many(games, "game")} on ${many(maps, "map")}, seed ${seed}`,
    "",
    [
      "A wins ",
      styled(rateWords(report), "bold"),
      `, 95 % interval ${rangeWords(report.interval_95)}`,
    ],
    `${wins_a} wins, ${wins_b} losses, ${draws} draws; ${report.mean_ticks.toFixed(1)} ticks on average (${countWords(reasons)})`,
    "",
    [styled(row("map", ["games", "A wins", "B wins", "draws", "A rate", "ticks"]), "dim")],
    ...by_map.map((line) => row(line.map, tallyCells(line))),
    ...by_seat.map((line) => row(`A in seat ${line.seat_of_a}`, tallyCells(line))),
    "",
    ...damageTable(report),
    "",
    `refused turns  A ${troubleWords(a.refused_turns, a.refused_turns_by_reason)}`,
    `               B ${troubleWords(b.refused_turns, b.refused_turns_by_reason)}`,
    `failed turns   A ${failureWords(a)}`,
    `               B ${failureWords(b)}`,
    ...timingLines(report),
  ];
}

function row(label: string, cells: readonly string[]): string {
  return label.padEnd(LABEL_WIDTH) + cells.map((cell) => cell.padStart(CELL_WIDTH)).join("");
}

function tallyCells({ games, wins_a, wins_b, draws, win_rate, mean_ticks }: PartTally): string[] {
  const counts = [games, wins_a, wins_b, draws].map(String);
  const rate = win_rate === null ? "-" : percent(win_rate);
  return [...counts, rate, mean_ticks === null ? "-" : mean_ticks.toFixed(1)];
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

const many = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** If all games were won, or none, there is no spread: an error of 0 would claim certainty. */
function rateWords({ win_rate, standard_error }: SeriesReport): string {
  if (standard_error === 0) return percent(win_rate);
  return `${percent(win_rate)} ± ${percent(standard_error)} (standard error)`;
}

function rangeWords([low, high]: readonly [number, number]): string {
  return `${(100 * low).toFixed(1)} to ${percent(high)}`;
}

function damageTable({ a, b, games }: SeriesReport): Line[] {
  const each = (total: number) => (games === 0 ? "-" : (total / games).toFixed(1));
  const line = (label: string, dealtA: number, dealtB: number, takenA: number, takenB: number) =>
    row(label, [each(dealtA), each(dealtB), each(takenA), each(takenB)]);
  return [
    [styled(row("damage/game", ["A deals", "B deals", "A takes", "B takes"]), "dim")],
    ...DAMAGE_SOURCES.map((source) => {
      const dealt = [a.dealt_by_source[source], b.dealt_by_source[source]] as const;
      return line(source, ...dealt, a.taken_by_source[source], b.taken_by_source[source]);
    }),
    line("all", a.damage_dealt, b.damage_dealt, a.damage_taken, b.damage_taken),
  ];
}

function countWords(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([word, count]) => `${count} ${word}`)
    .join(", ");
}

function troubleWords(total: number, counts: Readonly<Record<string, number>>): string {
  return total === 0 ? "0" : `${total} (${countWords(counts)})`;
}

function failureWords(bot: SeriesReport["a"]): string {
  const failed = troubleWords(bot.failed_turns, bot.failed_turns_by_reason);
  if (bot.disqualified === 0) return failed;
  return `${failed}, disqualified in ${many(bot.disqualified, "game")}`;
}

/** What first kept a bot from a valid turn. */
export function failureLine(bots: readonly string[], { bot, game, turn }: FirstFailure): string {
  const where = `game ${game.number} (${game.map}, seed ${game.seed}), tick ${turn.tick}`;
  return `bout sim: ${bots[bot]}: first failed turn in ${where}: ${turn.reason}: ${turn.message}`;
}

/** How long the rest will take at this pace; empty before the first game. */
export function restWords(done: number, games: number, elapsedMs: number): string {
  if (done === 0) return "";
  return `, ${Math.ceil((elapsedMs / done) * (games - done) * SECONDS)} s to go`;
}

/** Times differ between runs, so they are shown only if a time limit was in force. */
function timingLines({ a, b }: SeriesReport): string[] {
  const words = ({ timing }: SeriesReport["a"]) =>
    timing === null
      ? "none"
      : `${timing.mean_ms.toFixed(1)} ms on average, ${timing.max_ms.toFixed(1)} ms at most`;
  if (a.timing === null && b.timing === null) return [];
  return [`replies        A ${words(a)}`, `               B ${words(b)}`];
}
