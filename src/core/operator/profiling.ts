// What profiling measures, and its captures, as operators are shown them.

import { Type } from "typebox";
import type { Static } from "typebox";

import { Nullable, OneOf } from "#core/protocol/schema-fight.ts";
import { NAME } from "#core/resources/admin-ladder.ts";
import { Count, Id, Instant } from "#core/resources/common.ts";
import { FIXED } from "#core/words/limits.ts";

const CAPTURE_STATES = ["recording", "ready", "failed"] as const;

/**
 * disk_full, disk_failed: the file could not be written. too_large: it would have been larger than
 * is kept. profiler_failed: the runtime gave no profile. server_stopped: the server was stopped.
 * interrupted: it ended otherwise. file_lost: the file is gone, or is another one.
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
      maxLength: FIXED.capture_label_max,
      pattern: NAME,
      description: "what it is about, for people",
    }),
    duration_seconds: Type.Number({
      minimum: FIXED.capture_min_s,
      maximum: FIXED.capture_max_s,
    }),
  },
  { additionalProperties: false },
);

const started = {
  id: Id,
  label: Type.String(),
  started: Instant,
  endsAt: Instant,
  state: OneOf(CAPTURE_STATES, "ready or failed once it is over"),
};

export const StartedCaptureSchema = Type.Object(started);
export type StartedCapture = Static<typeof StartedCaptureSchema>;

export const CaptureSchema = Type.Object({
  ...started,
  finished: Nullable(Instant),
  size_bytes: Nullable(Type.Integer({ minimum: 0, description: "of the file; null without one" })),
  error: Nullable(OneOf(CAPTURE_ERRORS, "why it failed; null if it did not")),
});
export type Capture = Static<typeof CaptureSchema>;

const Ms = Type.Number({ minimum: 0 });
const Figure = Nullable(Type.Number({ minimum: 0, description: "null without any" }));

const OperationSchema = Type.Object({
  name: Type.String({ description: "a route, a method of the store, or a part of play" }),
  count: Count,
  mean_ms: Figure,
  p50_ms: Figure,
  p95_ms: Figure,
  p99_ms: Figure,
  max_ms: Figure,
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
  kind: OneOf(GC_KINDS, "what the garbage collector of the serving thread did"),
  count: Count,
  total_ms: Ms,
  max_ms: Ms,
});

const ProcessSchema = Type.Object({
  cpu_user_ms: Ms,
  cpu_system_ms: Ms,
  rss_bytes: Count,
  heap_used_bytes: Count,
  heap_total_bytes: Count,
  external_bytes: Count,
  event_loop: Type.Object(
    {
      active_ms: Ms,
      idle_ms: Ms,
      utilization: Type.Number({ minimum: 0, maximum: 1 }),
      p50_ms: Ms,
      p99_ms: Ms,
      max_ms: Ms,
    },
    { description: "of the serving thread; the last three say how late its timers were" },
  ),
});

const SampleSchema = Type.Object({
  at: Instant,
  cpu_pct: Type.Number({ minimum: 0, description: "100 is one core; all threads count" }),
  rss_bytes: Count,
  heap_used_bytes: Count,
  event_loop_p99_ms: Ms,
  running: Type.Integer({ minimum: 0, description: "matches" }),
});
export type ProfilingSample = Static<typeof SampleSchema>;

export const ProfilingSchema = Type.Object({
  captures: Type.Array(CaptureSchema, { description: "newest first" }),
  operations: Type.Array(OperationSchema, { description: "since the start, most time first" }),
  gc: Type.Array(GcSchema),
  process: ProcessSchema,
  samples: Type.Array(SampleSchema, { description: "one for each second, oldest first" }),
});
export type ProfilingView = Static<typeof ProfilingSchema>;

/** All but the captures. */
export type ProfilingFigures = Omit<ProfilingView, "captures">;
