import type { CaptureError } from "#core/api/profiling.ts";

export type CaptureData = {
  folder: string;
  id: string;
  /** URL of the project folder. This prefix is removed from paths in the profile. */
  root: string;
};

/**
 * The response to `begin` is sent once the profiler is running. `end` stops the profiler and writes
 * the profile. `leave` discards it.
 */
export type CaptureCommand = "begin" | "end" | "leave";

export type CaptureResult = { bytes: number } | { error: CaptureError };
