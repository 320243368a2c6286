import { CpuProfileSchema } from "#core/api/clean-profile.ts";
import { CaptureSchema, ProfilingSchema, StartedCaptureSchema } from "#core/api/profiling.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";
import { parseSeconds, parseText } from "#server/configuration/flag-values.ts";

import { defineAction, createFlag, encodePathPart } from "./admin-action.ts";
import type { AdminAction, Parameter } from "./admin-action.ts";
import { printCapture, printProfiling } from "./profiling-print.ts";

const group = "profiling";
const DEFAULT_S = 10;

const CAPTURE_ID: Parameter = {
  name: "id",
  form: "<ID>",
  about: "capture id",
  parse: parseText,
};

export const PROFILING_ACTIONS: readonly AdminAction[] = [
  defineAction({
    group,
    name: "show",
    isDefault: true,
    about: "Show where the server spends its time, and list captures.",
    request: () => ({ method: "GET", path: "profiling" }),
    answer: ProfilingSchema,
    print: printProfiling,
  }),
  defineAction({
    group,
    name: "start",
    about: "Record a profile of the thread that serves matches.",
    takes: [{ name: "label", form: "<LABEL>", about: "label of the capture", parse: parseText }],
    flags: [
      createFlag(
        "seconds",
        "seconds <SECONDS>",
        `duration in seconds (default: ${DEFAULT_S})`,
        parseSeconds(FIXED_LIMITS.capture_min_s, FIXED_LIMITS.capture_max_s),
      ),
    ],
    request: ({ label, seconds: duration_seconds = DEFAULT_S }) => ({
      method: "POST",
      path: "profiling/captures",
      body: { label, duration_seconds },
    }),
    answer: StartedCaptureSchema,
    print: printCapture,
  }),
  defineAction({
    group,
    name: "capture",
    about: "Show a capture, even while it is being recorded.",
    takes: [CAPTURE_ID],
    request: ({ id }) => ({ method: "GET", path: `profiling/captures/${encodePathPart(id)}` }),
    answer: CaptureSchema,
    print: printCapture,
  }),
  defineAction({
    group,
    name: "download",
    about: "Print a capture's profile, for a .cpuprofile file.",
    takes: [CAPTURE_ID],
    request: ({ id }) => ({
      method: "GET",
      path: `profiling/captures/${encodePathPart(id)}/download`,
    }),
    answer: CpuProfileSchema,
    print: (profile) => [JSON.stringify(profile)],
  }),
];
