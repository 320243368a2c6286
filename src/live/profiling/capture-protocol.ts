// Messages to and from the capture thread.

import type { CaptureError } from "#core/api/profiling.ts";

export type CaptureData = {
  /** Folder of profiles. */
  folder: string;
  /** Base name of the file. */
  id: string;
  /** URL of the project folder, which is removed from the profile. */
  root: string;
};

/**
 * begin: answered once the profiler runs. end: stops it and writes the profile. leave: discards it.
 */
export type CaptureCommand = "begin" | "end" | "leave";

export type CaptureResult = { bytes: number } | { error: CaptureError };
