// What the thread of a capture is asked, and what it answers.

import type { CaptureError } from "#core/operator/profiling.ts";

export type CaptureData = {
  /** Where profiles are. */
  folder: string;
  /** Names the file. */
  id: string;
  /** The address of the project's folder, which the profile must not show. */
  root: string;
};

/** begin: the profiler runs when it is answered. end: stops it, and writes. leave: throws it away. */
export type CaptureQuestion = "begin" | "end" | "leave";

export type CaptureEnd = { bytes: number } | { error: CaptureError };
