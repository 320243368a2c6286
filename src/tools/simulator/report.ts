// What many games say together: counts, shares, and how far chance may have moved them.

import { DAMAGE_SOURCES } from "#core/engine/types.ts";
import type { DamageSource, EndReason, FighterStats, MatchStats } from "#core/engine/types.ts";

import type { PlannedGame, SeriesPlan } from "./plan.ts";

/** One game as listed in the report. */
type PlayedMatch = {
  match_id: string;
  map: string;
  seed: number;
  seat_of_a: "A" | "B";
  winner: "a" | "b" | null;
  reason: EndReason;
  ticks: number;
};

/** One game as counted; `fighters` are A and B, whatever their seats. */
export type GameResult = {
  number: number;
  match: PlayedMatch;
  fighters: [a: FighterStats, b: FighterStats];
  isTimed: boolean;
};

export function resultOf(
  game: PlannedGame,
  stats: MatchStats | null,
  isTimed: boolean,
): GameResult {
  if (stats === null) throw new Error(`game ${game.number} is void`);
  const a = stats.fighters[game.seatOfA]!;
  const b = stats.fighters[1 - game.seatOfA]!;
  const winner = stats.winner === null ? null : stats.winner === a.id ? "a" : "b";
  const match: PlayedMatch = {
    match_id: game.matchId,
    map: game.map,
    seed: game.seed,
    seat_of_a: game.seatOfA === 0 ? "A" : "B",
    winner,
    reason: stats.reason,
    ticks: stats.ticks,
  };
  return { number: game.number, match, fighters: [a, b], isTimed };
}

type Counts = Record<string, number>;

type Tally = {
  games: number;
  wins_a: number;
  wins_b: number;
  draws: number;
  /** Wins of A per game, 0 to 1; a draw is not a win. */
  win_rate: number;
  mean_ticks: number;
};

/** The games of a map or a seat; rate and ticks are null if none was played. */
export type PartTally = Omit<Tally, "win_rate" | "mean_ticks"> & {
  win_rate: number | null;
  mean_ticks: number | null;
};

/** Sums over all games; `timing` is null for bots inside the process, which are not timed. */
type BotReport = {
  bot: string;
  damage_dealt: number;
  dealt_by_source: Record<DamageSource, number>;
  damage_taken: number;
  taken_by_source: Record<DamageSource, number>;
  refused_turns: number;
  refused_turns_by_reason: Counts;
  failed_turns: number;
  failed_turns_by_reason: Counts;
  disqualified: number;
  timing: { mean_ms: number; max_ms: number } | null;
};

export type SeriesReport = Tally & {
  a: BotReport;
  b: BotReport;
  seed: number;
  /** Of the win rate, from its own spread. */
  standard_error: number;
  /** Wilson's 95 % interval of the win rate. */
  interval_95: [low: number, high: number];
  reasons: Counts;
  by_map: (PartTally & { map: string })[];
  by_seat: (PartTally & { seat_of_a: "A" | "B" })[];
  matches: PlayedMatch[];
};

/** The report on all games of a plan, given in any order. */
export function reportOn(plan: SeriesPlan, unordered: readonly GameResult[]): SeriesReport {
  const results = unordered.toSorted((one, other) => one.number - other.number);
  const matches = results.map(({ match }) => match);
  const total = tally(matches);
  const seats = ["A", "B"] as const;
  return {
    a: botReport(plan.bots[0], results, 0),
    b: botReport(plan.bots[1], results, 1),
    seed: plan.seed,
    ...total,
    standard_error: standardError(total.wins_a, total.games),
    interval_95: wilsonInterval(total.wins_a, total.games),
    reasons: countBy(matches.map(({ reason }) => reason)),
    by_map: plan.maps.map((map) => ({
      map,
      ...partTally(matches.filter((match) => match.map === map)),
    })),
    by_seat: seats.map((seat) => ({
      seat_of_a: seat,
      ...partTally(matches.filter(({ seat_of_a }) => seat_of_a === seat)),
    })),
    matches,
  };
}

function tally(results: readonly PlayedMatch[]): Tally {
  const games = results.length;
  const wins_a = results.filter(({ winner }) => winner === "a").length;
  const wins_b = results.filter(({ winner }) => winner === "b").length;
  return {
    games,
    wins_a,
    wins_b,
    draws: games - wins_a - wins_b,
    win_rate: share(wins_a, games),
    mean_ticks: share(sum(results.map(({ ticks }) => ticks)), games),
  };
}

function partTally(results: readonly PlayedMatch[]): PartTally {
  const sums = tally(results);
  return results.length > 0 ? sums : { ...sums, win_rate: null, mean_ticks: null };
}

const share = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);

const sum = (numbers: readonly number[]): number =>
  numbers.reduce((total, number) => total + number, 0);

function standardError(wins: number, games: number): number {
  const rate = share(wins, games);
  return games === 0 ? 0 : Math.sqrt((rate * (1 - rate)) / games);
}

/** The 97.5 % point of the normal distribution. */
const Z_95 = 1.959964;

/**
 * Wilson's score interval of a share. It stays honest near 0 and 1, where the standard error says
 * nothing. Formula: E. B. Wilson, 1927.
 */
export function wilsonInterval(wins: number, games: number): [low: number, high: number] {
  if (games === 0) return [0, 1];
  const rate = wins / games;
  const weight = Z_95 ** 2 / games;
  const middle = (rate + weight / 2) / (1 + weight);
  const reach = Math.sqrt(weight * (rate * (1 - rate) + weight / 4)) / (1 + weight);
  return [Math.max(0, middle - reach), Math.min(1, middle + reach)];
}

function countBy(words: readonly string[]): Counts {
  const counts: Counts = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}

function botReport(bot: string, results: readonly GameResult[], side: 0 | 1): BotReport {
  const sheets = results.map(({ fighters }) => fighters[side]);
  const add = (pick: (stats: FighterStats) => number) => sum(sheets.map(pick));
  const failed = addCounts(sheets.map(({ server_idles }) => server_idles));
  const perSource = (pick: (stats: FighterStats) => Record<DamageSource, number>) =>
    Object.fromEntries(
      DAMAGE_SOURCES.map((source) => [source, add((stats) => pick(stats)[source])]),
    ) as Record<DamageSource, number>;
  return {
    bot,
    damage_dealt: add(({ damage_dealt }) => damage_dealt),
    dealt_by_source: perSource(({ dealt_by_source }) => dealt_by_source),
    damage_taken: add(({ damage_taken }) => damage_taken),
    taken_by_source: perSource(({ taken_by_source }) => taken_by_source),
    refused_turns: add(({ refused_turns }) => refused_turns),
    refused_turns_by_reason: addCounts(sheets.map((stats) => stats.refused_turns_by_reason)),
    failed_turns: sum(Object.values(failed)),
    failed_turns_by_reason: failed,
    disqualified: sheets.filter(({ disqualified }) => disqualified).length,
    timing: results.some(({ isTimed }) => isTimed) ? timingOf(sheets) : null,
  };
}

/** In order of name, so that equal counts print alike. */
function addCounts(all: readonly Readonly<Partial<Counts>>[]): Counts {
  const words = [...new Set(all.flatMap((counts) => Object.keys(counts)))].toSorted();
  return Object.fromEntries(
    words.map((word) => [word, sum(all.map((counts) => counts[word] ?? 0))]),
  );
}

function timingOf(sheets: readonly FighterStats[]): BotReport["timing"] {
  const timed = sheets.map(({ timing }) => timing).filter((timing) => timing !== null);
  const replies = sum(timed.map(({ replies }) => replies));
  if (replies === 0) return null;
  const spent = sum(timed.map(({ replies, mean_ms }) => replies * mean_ms));
  return { mean_ms: spent / replies, max_ms: Math.max(...timed.map(({ max_ms }) => max_ms)) };
}
