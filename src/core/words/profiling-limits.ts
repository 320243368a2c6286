// Limits of profiling. Part of the one table, in limits.ts.

import { fixed } from "./limit-row.ts";

const MIB = 1024 * 1024;

export const PROFILING_LIMITS = {
  profiling_samples: fixed("profiling", 120, "latest samples that are kept, one for each second"),
  capture_label_max: fixed("profiling", 80, "characters of a capture's label"),
  capture_min_s: fixed("profiling", 0.05, "seconds of a capture, at least"),
  capture_max_s: fixed("profiling", 60, "seconds of a capture, at most"),
  capture_sample_us: fixed("profiling", 1000, "microseconds between two looks of a capture"),
  capture_bytes: fixed("profiling", 32 * MIB, "bytes of a capture's file"),
  captures_kept: fixed("profiling", 10, "newest captures that are kept"),
} as const;
