import { mean, medianValue, quantile } from "./statistics.ts";
import type { Correlation, RatedLife, Study, RatingSystem } from "./study.ts";

/** A rating is accurate within this many points of true strength. */
const ACCURATE_WITHIN = 50;
/** A rating has converged once it has been accurate for this many consecutive games. */
const SETTLED_GAMES = 10;
const MIN_LIFE_GAMES = 150;
/** Shares are averaged over this many games before and after. */
const SMOOTHING = 5;

/** Returns the number of games until the rating converges; Infinity if it never does. */
export function gamesToTruth({ truth, ...ratings }: RatedLife, system: RatingSystem): number {
  let accurateGames = 0;
  for (const [index, rating] of ratings[system].entries()) {
    accurateGames = Math.abs(rating - truth) <= ACCURATE_WITHIN ? accurateGames + 1 : 0;
    if (accurateGames === SETTLED_GAMES) return index + 2 - SETTLED_GAMES;
  }
  return Infinity;
}

export function selectLives(studies: readonly Study[], isFromStart: boolean): RatedLife[] {
  const lives = studies.flatMap((study) => study.lives);
  return lives.filter(
    (life) => life.isFromStart === isFromStart && life.ours.length >= MIN_LIFE_GAMES,
  );
}

function errorsAfter(lives: readonly RatedLife[], system: RatingSystem, games: number): number[] {
  const eligibleLives = lives.filter((life) => life[system].length >= games);
  return eligibleLives.map((life) => Math.abs(life[system][games - 1]! - life.truth));
}

export function accurateShare(
  lives: readonly RatedLife[],
  system: RatingSystem,
  games: number,
): number {
  const firstCount = Math.max(1, games - SMOOTHING);
  const gameCounts = Array.from(
    { length: games + SMOOTHING - firstCount + 1 },
    (_, offset) => firstCount + offset,
  );
  const errors = gameCounts.flatMap((count) => errorsAfter(lives, system, count));
  return errors.filter((error) => error <= ACCURATE_WITHIN).length / errors.length;
}

/**
 * Returns the number of games until this share of versions has an accurate rating; Infinity if it
 * never does.
 */
export function gamesUntilShare(
  lives: readonly RatedLife[],
  system: RatingSystem,
  share: number,
): number {
  for (let games = 1; games <= 2 * MIN_LIFE_GAMES; games += 1)
    if (accurateShare(lives, system, games) >= share) return games;
  return Infinity;
}

export function rmsErrorAfter(
  lives: readonly RatedLife[],
  system: RatingSystem,
  games: number,
): number {
  return Math.sqrt(mean(errorsAfter(lives, system, games).map((error) => error ** 2)));
}

export function correlationsOf(
  studies: readonly Study[],
  system: RatingSystem,
): [number, number][] {
  const hours = studies[0]!.correlations.map(({ hour }) => hour);
  return hours.map((hour) => {
    const correlationRows = studies.map(({ correlations }) =>
      correlations.find((correlation) => correlation.hour === hour),
    );
    const knownRows = correlationRows.filter(
      (correlation): correlation is Correlation => correlation !== undefined,
    );
    return [hour, mean(knownRows.map((correlation) => correlation[system]))];
  });
}

export type WaitSummary = { median: number; p90: number; longest: number };

/**
 * Covers bots ranked from `from` (0 is the strongest) up to, but not including, `to` (1 is the
 * weakest).
 */
export function summarizeWaits(studies: readonly Study[], from: number, to: number): WaitSummary {
  const seconds = studies
    .flatMap(({ waits }) => waits)
    .filter(({ rank }) => rank >= from && rank < to)
    .map((wait) => wait.seconds);
  return {
    median: medianValue(seconds),
    p90: quantile(seconds, 0.9),
    longest: seconds.reduce((longest, wait) => Math.max(longest, wait), 0),
  };
}

/** Returns the absolute errors of `estimated_wait_s`, in seconds. */
export function estimateErrors(studies: readonly Study[]): number[] {
  const waits = studies.flatMap((study) => study.waits);
  return waits.map(({ seconds, estimated }) => Math.abs(seconds - estimated));
}

export function groundShares(studies: readonly Study[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { grounds } of studies)
    for (const [ground, count] of Object.entries(grounds))
      counts.set(ground, (counts.get(ground) ?? 0) + count);
  const all = counts.values().reduce((sum, count) => sum + count, 0);
  return new Map([...counts].map(([ground, count]) => [ground, count / all]));
}

/**
 * Returns how often the least and the most played maps were played, as multiples of the average.
 */
export function mapBalance(studies: readonly Study[]): [least: number, most: number] {
  const counts = new Map<string, number>();
  for (const { maps } of studies)
    for (const [map, count] of maps) counts.set(map, (counts.get(map) ?? 0) + count);
  const all = [...counts.values()];
  const evenShare = mean(all);
  return [Math.min(...all) / evenShare, Math.max(...all) / evenShare];
}
