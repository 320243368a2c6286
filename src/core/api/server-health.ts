import { Type } from "typebox";
import type { Static } from "typebox";

import type { HealthTiming } from "#core/ids/health-timings.ts";
import { PAIRING_BLOCKS } from "#core/pairing/pairing-block.ts";
import { Nullable, OneOf } from "#core/protocol/schema-fight.ts";

import { CountSchema, InstantSchema } from "./common-schemas.ts";
import type { HouseBotFailures, MatchTotals, TurnKind } from "./process-totals.ts";

const OptionalMetric = Nullable(
  Type.Number({ minimum: 0, description: "Null without measurements." }),
);

const TimingSchema = Type.Object({
  count: CountSchema,
  mean_ms: OptionalMetric,
  p50_ms: OptionalMetric,
  p95_ms: OptionalMetric,
  p99_ms: OptionalMetric,
  max_ms: OptionalMetric,
  over_budget: Type.Integer({
    minimum: 0,
    description:
      "Timings longer than 5 ms (observation, simulation), 50 ms (event_loop, timeout_lateness), or the " +
      "match's tick (reply).",
  }),
});
export type TimingReport = Static<typeof TimingSchema>;

const windowProperties = {
  window_seconds: CountSchema,
  observed_seconds: Type.Integer({
    minimum: 0,
    description: "Length of the window. Shorter if the server started within it.",
  }),
};

const matchProperties = {
  timings: Type.Object({
    observation: TimingSchema,
    simulation: TimingSchema,
    reply: TimingSchema,
    event_loop: TimingSchema,
    timeout_lateness: TimingSchema,
  } satisfies Record<HealthTiming, typeof TimingSchema>),
  turns: Type.Object(
    {
      valid: CountSchema,
      invalid: CountSchema,
      timeouts: CountSchema,
      disconnected: CountSchema,
    } satisfies Record<TurnKind, typeof CountSchema>,
    { description: "Turns in ranked matches, by outcome." },
  ),
  sends: Type.Object({
    total: CountSchema,
    backpressured: Type.Integer({
      minimum: 0,
      description: "Messages sent before the bot had read earlier ones.",
    }),
    max_buffered_bytes: CountSchema,
  }),
  games: Type.Object(
    {
      count: CountSchema,
      mean_turns: OptionalMetric,
      mean_moves: OptionalMetric,
      mean_dashes: OptionalMetric,
      mean_duration_ms: OptionalMetric,
      max_duration_ms: OptionalMetric,
      ms_per_turn: OptionalMetric,
    },
    {
      description:
        "Ranked matches in which at least one tick was played, excluding void matches. Moves and dashes count both fighters.",
    },
  ),
};

const optionalSeconds = (description: string) => Nullable(Type.Number({ minimum: 0, description }));

const PairingSchema = Type.Object({
  ladder_id: Type.String(),
  waiting: Type.Integer({ minimum: 0, description: "Bots in the queue, excluding house bots." }),
  waiting_house: Type.Integer({ minimum: 0, description: "House bots in the queue." }),
  longest_wait_s: optionalSeconds("Null while no bot is waiting."),
  since_start_s: optionalSeconds(
    "Time since the last match start; null if there was none in the last day.",
  ),
  blocked_by: Nullable(OneOf(PAIRING_BLOCKS, "Why no match starts; null while matches can start.")),
  reason: Nullable(Type.String({ description: "Reason in words." })),
});
export type PairingView = Static<typeof PairingSchema>;

export const HealthSchema = Type.Object({
  generated: InstantSchema,
  uptime_seconds: CountSchema,
  ...windowProperties,
  tick_ms: Type.Integer({
    minimum: 0,
    description: "Maximum duration of a tick in the next match.",
  }),
  capacity: Type.Object({ running: CountSchema, max: CountSchema }),
  ...matchProperties,
  pairing: Type.Array(PairingSchema, { description: "One entry per open ladder." }),
  floods: Type.Object(
    {
      last_hour: Type.Integer({ minimum: 0, description: "disconnections" }),
      bots: Type.Integer({ minimum: 0, description: "Bots disconnected in the last hour." }),
      suspended: Type.Integer({ minimum: 0, description: "Bots that are currently suspended." }),
    },
    { description: "Bots disconnected for sending too many messages (close code 4009)." },
  ),
});
export type HealthView = Static<typeof HealthSchema>;

/** Health metrics of a running server over the last few minutes. */
export type HealthReport = Omit<
  HealthView,
  "generated" | "tick_ms" | "capacity" | "pairing" | "floods"
> & {
  /** All zero on a healthy server. */
  house: HouseBotFailures;
  /** Results that were sent to bots but not stored, since the process started. */
  lost_results: number;
  totals: MatchTotals;
};

export const HealthzSchema = Type.Object({
  ok: Type.Boolean({
    description: "Whether the database responds and the server is not shutting down.",
  }),
  store: Type.Boolean({
    description:
      "Whether the database responded last time and no result is waiting for it. No query is made.",
  }),
  draining: Type.Boolean(),
});
export type Healthz = Static<typeof HealthzSchema>;
