// How well the server does, as operators are shown it.

import { Type } from "typebox";
import type { Static } from "typebox";

import { PAIRING_BLOCKS } from "#core/pairing/blocked.ts";
import { Nullable, OneOf } from "#core/protocol/schema-fight.ts";
import { Count, Instant } from "#core/resources/common.ts";
import type { HealthTiming } from "#core/words/health.ts";

import type { HouseTroubles, PlayTotals, TurnKind } from "./totals.ts";

const Figure = Nullable(Type.Number({ minimum: 0, description: "null without any" }));

const TimingSchema = Type.Object({
  count: Count,
  mean_ms: Figure,
  p50_ms: Figure,
  p95_ms: Figure,
  p99_ms: Figure,
  max_ms: Figure,
  over_budget: Type.Integer({
    minimum: 0,
    description:
      "longer than 5 ms (observation, simulation), 50 ms (event_loop, timeout_lateness), or the " +
      "match's tick (reply)",
  }),
});
export type TimingReport = Static<typeof TimingSchema>;

const window = {
  window_seconds: Count,
  observed_seconds: Type.Integer({
    minimum: 0,
    description: "of the window; less while the server is younger",
  }),
};

const play = {
  timings: Type.Object({
    observation: TimingSchema,
    simulation: TimingSchema,
    reply: TimingSchema,
    event_loop: TimingSchema,
    timeout_lateness: TimingSchema,
  } satisfies Record<HealthTiming, typeof TimingSchema>),
  turns: Type.Object(
    { valid: Count, invalid: Count, timeouts: Count, disconnected: Count } satisfies Record<
      TurnKind,
      typeof Count
    >,
    { description: "of bots in ranked matches" },
  ),
  sends: Type.Object({
    total: Count,
    backpressured: Type.Integer({
      minimum: 0,
      description: "while earlier bytes still waited for the other end",
    }),
    max_buffered_bytes: Count,
  }),
  games: Type.Object(
    {
      count: Count,
      mean_turns: Figure,
      mean_moves: Figure,
      mean_dashes: Figure,
      mean_duration_ms: Figure,
      max_duration_ms: Figure,
      ms_per_turn: Figure,
    },
    { description: "ranked games that were fought out; moves and dashes of both fighters" },
  ),
};

const Seconds = (description: string) => Nullable(Type.Number({ minimum: 0, description }));

const PairingSchema = Type.Object({
  ladder_id: Type.String(),
  waiting: Type.Integer({ minimum: 0, description: "bots in the queue, without house bots" }),
  waiting_house: Type.Integer({ minimum: 0, description: "house bots in the queue" }),
  longest_wait_s: Seconds("null while no bot is waiting"),
  since_start_s: Seconds("since the last match start; null if there was none in the last day"),
  blocked_by: Nullable(OneOf(PAIRING_BLOCKS, "why no match starts; null while matches can start")),
  reason: Nullable(Type.String({ description: "the same in words" })),
});
export type PairingView = Static<typeof PairingSchema>;

export const HealthSchema = Type.Object({
  generated: Instant,
  uptime_seconds: Count,
  ...window,
  tick_ms: Type.Integer({ minimum: 0, description: "a tick of the next match, at most" }),
  capacity: Type.Object({ running: Count, max: Count }),
  ...play,
  pairing: Type.Array(PairingSchema, { description: "one for each ladder that is open" }),
  floods: Type.Object(
    {
      last_hour: Type.Integer({ minimum: 0, description: "disconnections" }),
      bots: Type.Integer({ minimum: 0, description: "bots disconnected in the last hour" }),
      suspended: Type.Integer({ minimum: 0, description: "bots suspended now" }),
    },
    { description: "bots disconnected for too many messages (close code 4009)" },
  ),
});
export type HealthView = Static<typeof HealthSchema>;

/** What the running ladder counts by itself, over the latest minutes. */
export type HealthReport = Omit<
  HealthView,
  "generated" | "tick_ms" | "capacity" | "pairing" | "floods"
> & {
  /** All zeros on a healthy server. */
  house: HouseTroubles;
  /** Since the process started: results that bots were told of and that cannot be looked up. */
  lost_results: number;
  totals: PlayTotals;
};

export const HealthzSchema = Type.Object({
  ok: Type.Boolean({ description: "the store answers, and the server does not drain" }),
  store: Type.Boolean({
    description: "as it was when last asked, and no result waits for it: nothing is asked now",
  }),
  draining: Type.Boolean(),
});
export type Healthz = Static<typeof HealthzSchema>;
