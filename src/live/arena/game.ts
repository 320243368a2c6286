// A match on the ladder: the running fight, the two bots in it and why they were paired.

import type { Deadlines } from "#core/engine/types.ts";
import type { Reasons } from "#core/pairing/types.ts";
import type { VersionRecord } from "#data/store/store.ts";
import type { RunningMatch } from "#live/match/run-match.ts";

import type { Session } from "./session.ts";

export type Game = {
  readonly id: string;
  readonly ladderId: string;
  /** On public the season in which it started. */
  readonly season: string | null;
  readonly map: string;
  readonly seed: number;
  /** Those in force when it started: a setting that moves leaves it alone. */
  readonly deadlines: Deadlines;
  /** UTC instant. */
  readonly started: string;
  /** µs on the monotonic clock. */
  readonly startedAt: number;
  /** Seat order; the sessions stay the same while connections come and go. */
  readonly sessions: readonly Session[];
  readonly versions: readonly VersionRecord[];
  /** The matchmaker's reasons, stored with the match. */
  readonly reasons: Reasons;
  running: RunningMatch | null;
};
