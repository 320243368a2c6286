import type { Readable } from "node:stream";

import type { Capture, ProfilingStats } from "#core/api/profiling.ts";
import { openProfiles } from "#data/files/profiles.ts";

import { openCaptures } from "./captures.ts";
import type { CaptureDeps, Captures } from "./captures.ts";
import type { OperationTimings } from "./operation-timings.ts";
import { openVitals } from "./process-vitals.ts";

export type Profiling = Omit<Captures, "close"> &
  Pick<OperationTimings, "record"> & {
    metrics(): ProfilingStats;
    read(capture: Capture): Readable;
    stop(): Promise<void>;
  };

type ProfilingDeps = Omit<CaptureDeps, "profiles"> & {
  operations: OperationTimings;
  runningMatches: () => number;
};

export async function openProfiling(deps: ProfilingDeps): Promise<Profiling> {
  const { operations, clock } = deps;
  const profiles = openProfiles(deps.folder);
  const captures = await openCaptures({ ...deps, profiles });
  const vitals = openVitals(clock, deps.runningMatches);
  return {
    list: () => captures.list(),
    byId: (id) => captures.byId(id),
    start: (label, seconds) => captures.start(label, seconds),
    record: (name, duration) => operations.record(name, duration),
    metrics: () => ({ operations: operations.report(), ...vitals.read() }),
    read: ({ id }) => profiles.read(id),
    stop: async () => {
      vitals.stop();
      await captures.close();
    },
  };
}
