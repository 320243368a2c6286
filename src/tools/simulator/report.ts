import { DAMAGE_SOURCES } from "#core/engine/types.ts";
import type { DamageSource, EndReason, FighterStats, MatchStats } from "#core/engine/types.ts";

import type { PlannedGame, SeriesPlan } from "./plan.ts";

/** A match as listed in the report. */
type SimulatedGame = {
  match_id: string;
  map: string;
  seed: number;
  seat_of_a: "A" | "B";
  winner: "a" | "b" | null;
  reason: EndReason;
  ticks: number;
};

/** A match as it is counted. `fighters` are A and B, regardless of their seats. */
export type GameResult = {
  number: number;
  match: SimulatedGame;
  fighters: [a: FighterStats, b: FighterStats];
  isTimed: boolean;
};

export function createGameResult(
  game: PlannedGame,
  stats: MatchStats | null,
  isTimed: boolean,
): GameResult {
  if (stats === null) throw new Error(`game ${game.number} is void`);
  const a = stats.fighters[game.seatOfA]!;
  const b = stats.fighters[1 - game.seatOfA]!;
  const winner = stats.winner === null ? null : stats.winner === a.id ? "a" : "b";
  const match: SimulatedGame = {
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

type CountsByLabel = Record<string, number>;

type GameTally = {
  games: number;
  wins_a: number;
  wins_b: number;
  draws: number;
  /** Wins of A per match, from 0 to 1. A draw isn't a win. */
  win_rate: number;
  mean_ticks: number;
};

/** The matches on one map or from one seat. Win rate and ticks are null if there are none. */
export type PartialGameTally = Omit<GameTally, "win_rate" | "mean_ticks"> & {
  win_rate: number | null;
  mean_ticks: number | null;
};

/** Totals across all matches. `timing` is null for bots in this process, which aren't timed. */
type BotReport = {
  bot: string;
  damage_dealt: number;
  dealt_by_source: Record<DamageSource, number>;
  damage_taken: number;
  taken_by_source: Record<DamageSource, number>;
  refused_turns: number;
  refused_turns_by_reason: CountsByLabel;
  failed_turns: number;
  failed_turns_by_reason: CountsByLabel;
  disqualified: number;
  timing: { mean_ms: number; max_ms: number } | null;
};

export type SeriesReport = GameTally & {
  a: BotReport;
  b: BotReport;
  seed: number;
  /** Standard error of the win rate, from the observed variance. */
  standard_error: number;
  /** Wilson's 95% interval of the win rate. */
  interval_95: [low: number, high: number];
  reasons: CountsByLabel;
  by_map: (PartialGameTally & { map: string })[];
  by_seat: (PartialGameTally & { seat_of_a: "A" | "B" })[];
  matches: SimulatedGame[];
};

/** Returns a report on all matches in a plan, given in any order. */
export function createSeriesReport(
  plan: SeriesPlan,
  unorderedResults: readonly GameResult[],
): SeriesReport {
  const results = unorderedResults.toSorted((one, other) => one.number - other.number);
  const matches = results.map(({ match }) => match);
  const total = countGames(matches);
  const seats = ["A", "B"] as const;
  return {
    a: createBotReport(plan.bots[0], results, 0),
    b: createBotReport(plan.bots[1], results, 1),
    seed: plan.seed,
    ...total,
    standard_error: standardError(total.wins_a, total.games),
    interval_95: wilsonInterval(total.wins_a, total.games),
    reasons: countBy(matches.map(({ reason }) => reason)),
    by_map: plan.maps.map((map) => ({
      map,
      ...countPartialGames(matches.filter((match) => match.map === map)),
    })),
    by_seat: seats.map((seat) => ({
      seat_of_a: seat,
      ...countPartialGames(matches.filter(({ seat_of_a }) => seat_of_a === seat)),
    })),
    matches,
  };
}

function countGames(results: readonly SimulatedGame[]): GameTally {
  const games = results.length;
  const wins_a = results.filter(({ winner }) => winner === "a").length;
  const wins_b = results.filter(({ winner }) => winner === "b").length;
  return {
    games,
    wins_a,
    wins_b,
    draws: games - wins_a - wins_b,
    win_rate: ratioOf(wins_a, games),
    mean_ticks: ratioOf(sum(results.map(({ ticks }) => ticks)), games),
  };
}

function countPartialGames(results: readonly SimulatedGame[]): PartialGameTally {
  const sums = countGames(results);
  return results.length > 0 ? sums : { ...sums, win_rate: null, mean_ticks: null };
}

const ratioOf = (numerator: number, denominator: number): number =>
  denominator === 0 ? 0 : numerator / denominator;

const sum = (numbers: readonly number[]): number =>
  numbers.reduce((total, number) => total + number, 0);

function standardError(wins: number, games: number): number {
  const rate = ratioOf(wins, games);
  return games === 0 ? 0 : Math.sqrt((rate * (1 - rate)) / games);
}

/** 97.5% quantile of the normal distribution. */
const Z_95 = 1.959964;

/**
 * Returns Wilson's score interval for a proportion. It remains valid near 0 and 1, where the
 * standard error is meaningless. Source: E. B. Wilson, 1927.
 */
export function wilsonInterval(wins: number, games: number): [low: number, high: number] {
  if (games === 0) return [0, 1];
  const rate = wins / games;
  const weight = Z_95 ** 2 / games;
  const center = (rate + weight / 2) / (1 + weight);
  const halfWidth = Math.sqrt(weight * (rate * (1 - rate) + weight / 4)) / (1 + weight);
  return [Math.max(0, center - halfWidth), Math.min(1, center + halfWidth)];
}

function countBy(labels: readonly string[]): CountsByLabel {
  const counts: CountsByLabel = {};
  for (const label of labels) counts[label] = (counts[label] ?? 0) + 1;
  return counts;
}

function createBotReport(bot: string, results: readonly GameResult[], botIndex: 0 | 1): BotReport {
  const fighterStats = results.map(({ fighters }) => fighters[botIndex]);
  const sumOf = (select: (stats: FighterStats) => number) => sum(fighterStats.map(select));
  const failedTurns = mergeCounts(fighterStats.map(({ server_idles }) => server_idles));
  const sumBySource = (select: (stats: FighterStats) => Record<DamageSource, number>) =>
    Object.fromEntries(
      DAMAGE_SOURCES.map((source) => [source, sumOf((stats) => select(stats)[source])]),
    ) as Record<DamageSource, number>;
  return {
    bot,
    damage_dealt: sumOf(({ damage_dealt }) => damage_dealt),
    dealt_by_source: sumBySource(({ dealt_by_source }) => dealt_by_source),
    damage_taken: sumOf(({ damage_taken }) => damage_taken),
    taken_by_source: sumBySource(({ taken_by_source }) => taken_by_source),
    refused_turns: sumOf(({ refused_turns }) => refused_turns),
    refused_turns_by_reason: mergeCounts(
      fighterStats.map((stats) => stats.refused_turns_by_reason),
    ),
    failed_turns: sum(Object.values(failedTurns)),
    failed_turns_by_reason: failedTurns,
    disqualified: fighterStats.filter(({ disqualified }) => disqualified).length,
    timing: results.some(({ isTimed }) => isTimed) ? summarizeTiming(fighterStats) : null,
  };
}

/** Sorted by name, so that equal counts print identically. */
function mergeCounts(countsList: readonly Readonly<Partial<CountsByLabel>>[]): CountsByLabel {
  const labels = [...new Set(countsList.flatMap((counts) => Object.keys(counts)))].toSorted();
  return Object.fromEntries(
    labels.map((label) => [label, sum(countsList.map((counts) => counts[label] ?? 0))]),
  );
}

function summarizeTiming(fighterStats: readonly FighterStats[]): BotReport["timing"] {
  const timings = fighterStats.map(({ timing }) => timing).filter((timing) => timing !== null);
  const replies = sum(timings.map(({ replies }) => replies));
  if (replies === 0) return null;
  const totalMs = sum(timings.map(({ replies, mean_ms }) => replies * mean_ms));
  return { mean_ms: totalMs / replies, max_ms: Math.max(...timings.map(({ max_ms }) => max_ms)) };
}
