// Counters since the process started.

import type { DurationHistogram } from "#base/util/duration-histogram.ts";
import type { NamedCounts } from "#base/util/named-counts.ts";
import type { HealthTiming } from "#core/ids/health-timings.ts";
import type { MatchMode } from "#core/ids/match-modes.ts";

/** Outcome of a turn in a ranked match. */
export const TURN_KINDS = ["valid", "invalid", "timeouts", "disconnected"] as const;
export type TurnKind = (typeof TURN_KINDS)[number];

/** Counts of house bots: restarts after their thread died, and failed turns. */
export type HouseBotFailures = { restarts: number; failed_turns: number };

/** How a stored match counts. */
export const MATCH_OUTCOMES = ["rated", "unrated", "void"] as const;
export type MatchOutcome = (typeof MATCH_OUTCOMES)[number];

export type MatchTotals = {
  readonly timings: Readonly<Record<HealthTiming, DurationHistogram>>;
  /** Ranked matches. */
  readonly turns: NamedCounts<TurnKind>;
  readonly house: NamedCounts<keyof HouseBotFailures>;
  /** Stored matches by mode and outcome, separated by a space. */
  readonly matches: NamedCounts<`${MatchMode} ${MatchOutcome}`>;
  /** Errors sent to bots, by code. */
  readonly refusals: NamedCounts<string>;
  sends: number;
  backpressuredSends: number;
};

/** Labels of HTTP request counters. `none` is for paths without a route. */
export const ROUTE_CLASSES = [
  "page",
  "api",
  "admin",
  "auth",
  "mcp",
  "download",
  "asset",
  "health",
  "none",
] as const;
export type RouteClass = (typeof ROUTE_CLASSES)[number];

export type StatusClass = "1xx" | "2xx" | "3xx" | "4xx" | "5xx";

/** Since the process started. */
export type RequestTotals = {
  readonly requests: NamedCounts<`${RouteClass} ${StatusClass}`>;
  /** From the arrival of a request until its response was handed over. */
  readonly durations: Readonly<Record<RouteClass, DurationHistogram>>;
  /** By error code. */
  readonly refusals: NamedCounts<string>;
};
