// How well the arena is doing: five minutes of one-second buckets, in memory. Times are in µs.

import type { Clock } from "#base/clock/clock.ts";
import { addDuration } from "#base/units/duration-histogram.ts";
import { increment } from "#base/units/named-counts.ts";
import { SECOND } from "#base/units/time.ts";
import type { HealthReport, TimingReport } from "#core/operator/health.ts";
import { TURN_KINDS } from "#core/operator/totals.ts";
import type { HouseTroubles, MatchOutcome, TurnKind } from "#core/operator/totals.ts";
import { HEALTH_BUDGET_MS as BUDGET_MS, HEALTH_TIMINGS } from "#core/words/health.ts";
import type { HealthTiming } from "#core/words/health.ts";
import type { Mode } from "#core/words/rated.ts";

import { emptyHistogram, merge, note, reportHistogram } from "./histogram.ts";
import type { Histogram } from "./histogram.ts";
import { newTotals } from "./totals.ts";

/** restarts: of a house bot's crew. failed_turns: of house bots, for any reason. */
const HOUSE_KINDS = ["restarts", "failed_turns"] as const satisfies (keyof HouseTroubles)[];
type HouseKind = keyof HouseTroubles;

const WINDOW_S = 300;
/** Seconds that say whether the event loop is late now, the running one included. */
const LATE_S = 3;

type Bucket = {
  /** The second it holds, or -1. */
  second: number;
  readonly timings: Record<HealthTiming, Histogram>;
  readonly turns: Record<TurnKind, number>;
  readonly house: Record<HouseKind, number>;
  readonly sends: { total: number; backpressured: number; maxBuffered: number };
  readonly games: GameSums;
};

/** A game played to its end; `duration` in µs, moves and dashes of all fighters. */
type PlayedGame = { turns: number; moves: number; dashes: number; duration: number };

type GameSums = PlayedGame & { count: number; maxDuration: number };

export type Health = {
  /**
   * The arena's heartbeat, `lateness` µs late. Everything noted until the next one falls into its
   * second.
   */
  beat(lateness: number): void;
  /** Records a duration, in µs. */
  time(timing: Exclude<HealthTiming, "event_loop" | "reply">, duration: number): void;
  /** Records how long a reply took, in µs, in a match with this tick limit. */
  reply(duration: number, tickMs: number): void;
  turn(kind: TurnKind): void;
  house(kind: HouseKind): void;
  /** Bytes that were waiting for the other end before and after a send. */
  sent(before: number, after: number): void;
  game(game: PlayedGame): void;
  /** A match of a mode was stored. */
  match(mode: Mode, outcome: MatchOutcome): void;
  /** A bot was sent an error. */
  refused(code: string): void;
  /** Not even the void record of a match could be stored. */
  lostResult(): void;
  /**
   * Whether the heartbeat of the last seconds was late beyond its budget, on average: one pause for
   * the garbage is no trouble.
   */
  isLate(): boolean;
  report(): HealthReport;
};

function perTiming<T>(make: () => T): Record<HealthTiming, T> {
  return Object.fromEntries(HEALTH_TIMINGS.map((timing) => [timing, make()])) as Record<
    HealthTiming,
    T
  >;
}

function noTurns(): Record<TurnKind, number> {
  return { valid: 0, invalid: 0, timeouts: 0, disconnected: 0 };
}

const noHouse = (): Record<HouseKind, number> => ({ restarts: 0, failed_turns: 0 });

const emptyBucket = (): Bucket => ({
  second: -1,
  timings: perTiming(emptyHistogram),
  turns: noTurns(),
  house: noHouse(),
  sends: { total: 0, backpressured: 0, maxBuffered: 0 },
  games: noGames(),
});

const noGames = (): GameSums => ({
  count: 0,
  turns: 0,
  moves: 0,
  dashes: 0,
  duration: 0,
  maxDuration: 0,
});

export function openHealth(clock: Pick<Clock, "now">): Health {
  const buckets: Bucket[] = Array.from({ length: WINDOW_S }, emptyBucket);
  const opened = clock.now();
  let current = bucketNow();
  const totals = newTotals();
  let lostResults = 0;

  function bucketNow(): Bucket {
    const second = Math.floor(clock.now() / SECOND);
    const place = second % WINDOW_S;
    const known = buckets[place];
    if (known?.second === second) return known;
    return (buckets[place] = { ...emptyBucket(), second });
  }

  function time(timing: HealthTiming, duration: number, budgetMs: number): void {
    note(current.timings[timing], duration, budgetMs);
    addDuration(totals.timings[timing], duration);
  }

  return {
    beat: (lateness) => {
      current = bucketNow();
      time("event_loop", lateness, BUDGET_MS.event_loop);
    },
    time: (timing, duration) => time(timing, duration, BUDGET_MS[timing]),
    reply: (duration, tickMs) => time("reply", duration, tickMs),
    turn: (kind) => {
      current.turns[kind] += 1;
      increment(totals.turns, kind);
    },
    house: (kind) => {
      current.house[kind] += 1;
      increment(totals.house, kind);
    },
    sent: (before, after) => {
      const { sends } = current;
      sends.total += 1;
      totals.sends += 1;
      if (before > 0) sends.backpressured += 1;
      if (before > 0) totals.backpressuredSends += 1;
      if (after > sends.maxBuffered) sends.maxBuffered = after;
    },
    game: (game) => addGames(current.games, { ...game, count: 1, maxDuration: game.duration }),
    match: (mode, outcome) => increment(totals.matches, `${mode} ${outcome}`),
    refused: (code) => increment(totals.refusals, code),
    lostResult: () => {
      lostResults += 1;
    },
    isLate: () => {
      const now = Math.floor(clock.now() / SECOND);
      let [count, lateness] = [0, 0];
      for (let second = Math.max(0, now - LATE_S + 1); second <= now; second += 1) {
        const bucket = buckets[second % WINDOW_S];
        if (bucket?.second !== second) continue;
        count += bucket.timings.event_loop.count;
        lateness += bucket.timings.event_loop.sum;
      }
      return lateness > count * BUDGET_MS.event_loop * 1000;
    },
    report: () => {
      const now = clock.now();
      const oldest = Math.floor(now / SECOND) - WINDOW_S;
      const live = buckets.filter(({ second }) => second > oldest);
      const uptime = (now - opened) / SECOND;
      return { ...reportOf(live, uptime), lost_results: lostResults, totals };
    },
  };
}

function reportOf(
  buckets: readonly Bucket[],
  uptime: number,
): Omit<HealthReport, "lost_results" | "totals"> {
  const timings = perTiming(emptyHistogram);
  const turns = noTurns();
  const house = noHouse();
  const sends = { total: 0, backpressured: 0, max_buffered_bytes: 0 };
  const games = noGames();
  for (const bucket of buckets) {
    for (const timing of HEALTH_TIMINGS) merge(timings[timing], bucket.timings[timing]);
    for (const kind of TURN_KINDS) turns[kind] += bucket.turns[kind];
    for (const kind of HOUSE_KINDS) house[kind] += bucket.house[kind];
    sends.total += bucket.sends.total;
    sends.backpressured += bucket.sends.backpressured;
    sends.max_buffered_bytes = Math.max(sends.max_buffered_bytes, bucket.sends.maxBuffered);
    addGames(games, bucket.games);
  }
  return {
    uptime_seconds: Math.floor(uptime),
    window_seconds: WINDOW_S,
    observed_seconds: Math.floor(Math.min(WINDOW_S, uptime)),
    timings: Object.fromEntries(
      HEALTH_TIMINGS.map((timing) => [timing, timingReport(timings[timing])]),
    ) as Record<HealthTiming, TimingReport>,
    turns,
    house,
    sends,
    games: gamesReport(games),
  };
}

function addGames(sums: GameSums, more: GameSums): void {
  sums.count += more.count;
  sums.turns += more.turns;
  sums.moves += more.moves;
  sums.dashes += more.dashes;
  sums.duration += more.duration;
  sums.maxDuration = Math.max(sums.maxDuration, more.maxDuration);
}

function gamesReport({ count, turns, moves, dashes, duration, maxDuration }: GameSums) {
  const mean = (sum: number) => (count === 0 ? null : sum / count);
  return {
    count,
    mean_turns: mean(turns),
    mean_moves: mean(moves),
    mean_dashes: mean(dashes),
    mean_duration_ms: mean(duration / 1000),
    max_duration_ms: count === 0 ? null : maxDuration / 1000,
    ms_per_turn: turns === 0 ? null : duration / turns / 1000,
  };
}

function timingReport(histogram: Histogram): TimingReport {
  return { ...reportHistogram(histogram), over_budget: histogram.overBudget };
}
