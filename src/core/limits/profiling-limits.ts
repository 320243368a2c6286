import { fixedLimit } from "./limit-row.ts";

const MIB = 1024 * 1024;

export const PROFILING_LIMITS = {
  profiling_samples: fixedLimit("profiling", 120, "latest samples stored, one per second"),
  capture_label_max: fixedLimit("profiling", 80, "characters in a capture's label"),
  capture_min_s: fixedLimit("profiling", 0.05, "minimum seconds of a capture"),
  capture_max_s: fixedLimit("profiling", 60, "maximum seconds of a capture"),
  capture_sample_us: fixedLimit("profiling", 1000, "microseconds between two samples of a capture"),
  capture_bytes: fixedLimit("profiling", 32 * MIB, "bytes of a capture's file"),
  captures_kept: fixedLimit("profiling", 10, "newest captures stored"),
} as const;
