// Counters since the process started.

import type { DurationHistogram } from "#base/util/duration-histogram.ts";
import type { NamedCounts } from "#base/util/named-counts.ts";
import type { HealthTiming } from "#core/ids/health-timings.ts";
import type { MatchMode } from "#core/ids/match-modes.ts";

/** Outcomes of turns in ranked matches. */
export const TURN_KINDS = ["valid", "invalid", "timeouts", "disconnected"] as const;
export type TurnKind = (typeof TURN_KINDS)[number];

/** `restarts` counts house bots restarted after their thread died. */
export type HouseBotFailures = { restarts: number; failed_turns: number };

export const MATCH_OUTCOMES = ["rated", "unrated", "void"] as const;
export type MatchOutcome = (typeof MATCH_OUTCOMES)[number];

export type MatchTotals = {
  readonly timings: Readonly<Record<HealthTiming, DurationHistogram>>;
  /** In ranked matches. */
  readonly turns: NamedCounts<TurnKind>;
  readonly house: NamedCounts<keyof HouseBotFailures>;
  /** Stored matches. A key is the mode and the outcome, separated by a space. */
  readonly matches: NamedCounts<`${MatchMode} ${MatchOutcome}`>;
  /** Errors sent to bots, by code. */
  readonly refusals: NamedCounts<string>;
  sends: number;
  backpressuredSends: number;
};

/** Labels of the HTTP request counters. `none` is for paths that match no route. */
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
  /** From the arrival of a request until its response is handed over. */
  readonly durations: Readonly<Record<RouteClass, DurationHistogram>>;
  /** By error code. */
  readonly refusals: NamedCounts<string>;
};
