// What an operator can ask about where a server's time goes: rows for the commands.

import { CpuProfileSchema } from "#core/operator/clean-profile.ts";
import { CaptureSchema, ProfilingSchema, StartedCaptureSchema } from "#core/operator/profiling.ts";
import { FIXED } from "#core/words/limits.ts";
import { seconds, text } from "#server/configuration/flag-values.ts";
import { action, flag, part } from "#tools/cli/admin-action.ts";
import type { AdminAction, Parameter } from "#tools/cli/admin-action.ts";

import { printCapture, printProfiling } from "./profiling-print.ts";

const group = "profiling";
const DEFAULT_S = 10;

const CAPTURE: Parameter = { name: "id", form: "<ID>", about: "the capture's id", read: text };

export const PROFILING_ACTIONS: readonly AdminAction[] = [
  action({
    group,
    name: "show",
    isDefault: true,
    about: "Where the server's time goes, and its captures.",
    request: () => ({ method: "GET", path: "profiling" }),
    answer: ProfilingSchema,
    print: printProfiling,
  }),
  action({
    group,
    name: "start",
    about: "Records a profile of the thread that serves matches.",
    takes: [{ name: "label", form: "<LABEL>", about: "what it is about", read: text }],
    flags: [
      flag(
        "seconds",
        "seconds <SECONDS>",
        `how long (default ${DEFAULT_S})`,
        seconds(FIXED.capture_min_s, FIXED.capture_max_s),
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
  action({
    group,
    name: "capture",
    about: "One capture, also while it is recorded.",
    takes: [CAPTURE],
    request: ({ id }) => ({ method: "GET", path: `profiling/captures/${part(id)}` }),
    answer: CaptureSchema,
    print: printCapture,
  }),
  action({
    group,
    name: "download",
    about: "Prints the profile of a capture: the text of a .cpuprofile file.",
    takes: [CAPTURE],
    request: ({ id }) => ({ method: "GET", path: `profiling/captures/${part(id)}/download` }),
    answer: CpuProfileSchema,
    print: (profile) => [JSON.stringify(profile)],
  }),
];
