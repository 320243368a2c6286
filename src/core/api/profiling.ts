import { Type } from "typebox";
import type { Static } from "typebox";

import { FIXED_LIMITS } from "#core/limits/limits.ts";
import { Nullable, OneOf } from "#core/protocol/schema-fight.ts";

import { NAME_PATTERN } from "./admin-ladder.ts";
import { CountSchema, IdSchema, InstantSchema } from "./common-schemas.ts";

const CAPTURE_STATES = ["recording", "ready", "failed"] as const;

/**
 * disk_full, disk_failed: the file could not be written. too_large: the file would exceed the size
 * limit. profiler_failed: the runtime returned no profile. server_stopped: the server was shut
 * down. interrupted: the server ended otherwise. file_lost: the file is missing or was replaced.
 */
const CAPTURE_ERRORS = [
  "disk_full",
  "disk_failed",
  "too_large",
  "profiler_failed",
  "server_stopped",
  "interrupted",
  "file_lost",
] as const;
export type CaptureError = (typeof CAPTURE_ERRORS)[number];

export const NewCaptureSchema = Type.Object(
  {
    label: Type.String({
      minLength: 1,
      maxLength: FIXED_LIMITS.capture_label_max,
      pattern: NAME_PATTERN,
      description: "Purpose of the capture, for display.",
    }),
    duration_seconds: Type.Number({
      minimum: FIXED_LIMITS.capture_min_s,
      maximum: FIXED_LIMITS.capture_max_s,
    }),
  },
  { additionalProperties: false },
);

const started = {
  id: IdSchema,
  label: Type.String(),
  started: InstantSchema,
  endsAt: InstantSchema,
  state: OneOf(CAPTURE_STATES, "`ready` or `failed` once the capture is over."),
};

export const StartedCaptureSchema = Type.Object(started);
export type StartedCapture = Static<typeof StartedCaptureSchema>;

export const CaptureSchema = Type.Object({
  ...started,
  finished: Nullable(InstantSchema),
  size_bytes: Nullable(
    Type.Integer({ minimum: 0, description: "Size of the file; null if there is no file." }),
  ),
  error: Nullable(OneOf(CAPTURE_ERRORS, "Why the capture failed; null if it did not.")),
});
export type Capture = Static<typeof CaptureSchema>;

const MillisecondsSchema = Type.Number({ minimum: 0 });
const OptionalMetric = Nullable(
  Type.Number({ minimum: 0, description: "Null without measurements." }),
);

const OperationSchema = Type.Object({
  name: Type.String({
    description: "A route, a store method, or a part of the match engine.",
  }),
  count: CountSchema,
  mean_ms: OptionalMetric,
  p50_ms: OptionalMetric,
  p95_ms: OptionalMetric,
  p99_ms: OptionalMetric,
  max_ms: OptionalMetric,
});
export type TimedOperation = Static<typeof OperationSchema>;

export const GC_KINDS = [
  "scavenge",
  "mark_sweep_compact",
  "incremental_marking",
  "weak_callbacks",
] as const;
export type GcKind = (typeof GC_KINDS)[number];

const GcSchema = Type.Object({
  kind: OneOf(GC_KINDS, "Garbage collection in the serving thread."),
  count: CountSchema,
  total_ms: MillisecondsSchema,
  max_ms: MillisecondsSchema,
});

const ProcessSchema = Type.Object({
  cpu_user_ms: MillisecondsSchema,
  cpu_system_ms: MillisecondsSchema,
  rss_bytes: CountSchema,
  heap_used_bytes: CountSchema,
  heap_total_bytes: CountSchema,
  external_bytes: CountSchema,
  event_loop: Type.Object(
    {
      active_ms: MillisecondsSchema,
      idle_ms: MillisecondsSchema,
      utilization: Type.Number({ minimum: 0, maximum: 1 }),
      p50_ms: MillisecondsSchema,
      p99_ms: MillisecondsSchema,
      max_ms: MillisecondsSchema,
    },
    { description: "Event loop of the serving thread. The last three fields are timer delays." },
  ),
});

const SampleSchema = Type.Object({
  at: InstantSchema,
  cpu_pct: Type.Number({ minimum: 0, description: "CPU use of all threads. 100 is one core." }),
  rss_bytes: CountSchema,
  heap_used_bytes: CountSchema,
  event_loop_p99_ms: MillisecondsSchema,
  running: Type.Integer({ minimum: 0, description: "matches" }),
});
export type ProfilingSample = Static<typeof SampleSchema>;

export const ProfilingSchema = Type.Object({
  captures: Type.Array(CaptureSchema, { description: "Newest first." }),
  operations: Type.Array(OperationSchema, {
    description: "Totals since startup, longest time first.",
  }),
  gc: Type.Array(GcSchema),
  process: ProcessSchema,
  samples: Type.Array(SampleSchema, { description: "One sample per second, oldest first." }),
});
export type ProfilingView = Static<typeof ProfilingSchema>;

export type ProfilingStats = Omit<ProfilingView, "captures">;
