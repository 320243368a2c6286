// What several studies show together, as numbers.

import { mean, median, quantile } from "./statistics.ts";
import type { Correlation, RatedLife, Study, System } from "./study.ts";

/** A rating is right within this many points of the truth. */
const NEAR = 50;
/** A rating has arrived once it is right for this many games in a row. */
const STAYS_GAMES = 10;
/** Versions with fewer games did not live long enough to be judged. */
const LIFE_GAMES = 150;
/** A share is averaged over this many games to either side. */
const SMOOTHING = 5;

/** Games until a rating arrives; Infinity for never. */
export function gamesToTruth({ truth, ...ratings }: RatedLife, system: System): number {
  let near = 0;
  for (const [place, rating] of ratings[system].entries()) {
    near = Math.abs(rating - truth) <= NEAR ? near + 1 : 0;
    if (near === STAYS_GAMES) return place + 2 - STAYS_GAMES;
  }
  return Infinity;
}

/** Versions that started with the ladder, or those that joined it later. */
export function livesOf(studies: readonly Study[], isFromStart: boolean): RatedLife[] {
  const lives = studies.flatMap((study) => study.lives);
  return lives.filter((life) => life.isFromStart === isFromStart && life.ours.length >= LIFE_GAMES);
}

/** How far ratings are from the truth after `games` games, for versions that played that many. */
function errorsAfter(lives: readonly RatedLife[], system: System, games: number): number[] {
  const played = lives.filter((life) => life[system].length >= games);
  return played.map((life) => Math.abs(life[system][games - 1]! - life.truth));
}

/** The share of versions whose rating is right after `games` games. */
export function shareRight(lives: readonly RatedLife[], system: System, games: number): number {
  const first = Math.max(1, games - SMOOTHING);
  const around = Array.from({ length: games + SMOOTHING - first + 1 }, (_, more) => first + more);
  const errors = around.flatMap((count) => errorsAfter(lives, system, count));
  return errors.filter((error) => error <= NEAR).length / errors.length;
}

/** Games until this share of versions is right; Infinity if that never happens within a life. */
export function gamesUntil(lives: readonly RatedLife[], system: System, share: number): number {
  for (let games = 1; games <= 2 * LIFE_GAMES; games += 1)
    if (shareRight(lives, system, games) >= share) return games;
  return Infinity;
}

/** Root mean squared error in points. */
export function errorAfter(lives: readonly RatedLife[], system: System, games: number): number {
  return Math.sqrt(mean(errorsAfter(lives, system, games).map((error) => error ** 2)));
}

/** Mean correlation over the studies, by hour. */
export function correlationsOf(studies: readonly Study[], system: System): [number, number][] {
  const hours = studies[0]!.correlations.map(({ hour }) => hour);
  return hours.map((hour) => {
    const all = studies.map(({ correlations }) => correlations.find((one) => one.hour === hour));
    const known = all.filter((one): one is Correlation => one !== undefined);
    return [hour, mean(known.map((one) => one[system]))];
  });
}

export type WaitSummary = { median: number; p90: number; longest: number };

/** For bots by rank among the players, from 0 for the strongest to 1; `to` is exclusive. */
export function waitsOf(studies: readonly Study[], from: number, to: number): WaitSummary {
  const seconds = studies
    .flatMap(({ waits }) => waits)
    .filter(({ rank }) => rank >= from && rank < to)
    .map((wait) => wait.seconds);
  return {
    median: median(seconds),
    p90: quantile(seconds, 0.9),
    longest: seconds.reduce((most, wait) => Math.max(most, wait), 0),
  };
}

/** Absolute errors of `estimated_wait_s`, in seconds. */
export function estimateErrors(studies: readonly Study[]): number[] {
  const waits = studies.flatMap((study) => study.waits);
  return waits.map(({ seconds, estimated }) => Math.abs(seconds - estimated));
}

/** The share of each ground among all starts. */
export function groundShares(studies: readonly Study[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { grounds } of studies)
    for (const [ground, count] of Object.entries(grounds))
      counts.set(ground, (counts.get(ground) ?? 0) + count);
  const all = counts.values().reduce((sum, count) => sum + count, 0);
  return new Map([...counts].map(([ground, count]) => [ground, count / all]));
}

/** The least and the most played map, each as a multiple of its even share. */
export function mapBalance(studies: readonly Study[]): [least: number, most: number] {
  const counts = new Map<string, number>();
  for (const { maps } of studies)
    for (const [map, count] of maps) counts.set(map, (counts.get(map) ?? 0) + count);
  const all = [...counts.values()];
  const even = mean(all);
  return [Math.min(...all) / even, Math.max(...all) / even];
}
