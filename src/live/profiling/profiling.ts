// Profiling as operators have it: figures, and captures of the thread that serves matches.

import type { Readable } from "node:stream";

import type { Capture, ProfilingFigures } from "#core/operator/profiling.ts";
import { openProfiles } from "#data/files/profiles.ts";

import { openCaptures } from "./captures.ts";
import type { CaptureDeps, Captures } from "./captures.ts";
import type { Operations } from "./operations.ts";
import { openVitals } from "./vitals.ts";

export type Profiling = Omit<Captures, "close"> &
  Pick<Operations, "note"> & {
    figures(): ProfilingFigures;
    /** A profile that is ready. */
    read(capture: Capture): Readable;
    stop(): Promise<void>;
  };

type ProfilingDeps = Omit<CaptureDeps, "profiles"> & {
  operations: Operations;
  /** Counts matches. */
  running: () => number;
};

export async function openProfiling(deps: ProfilingDeps): Promise<Profiling> {
  const { operations, clock } = deps;
  const profiles = openProfiles(deps.folder);
  const captures = await openCaptures({ ...deps, profiles });
  const vitals = openVitals(clock, deps.running);
  return {
    list: () => captures.list(),
    byId: (id) => captures.byId(id),
    start: (label, seconds) => captures.start(label, seconds),
    note: (name, duration) => operations.note(name, duration),
    figures: () => ({ operations: operations.report(), ...vitals.read() }),
    read: ({ id }) => profiles.read(id),
    stop: async () => {
      vitals.stop();
      await captures.close();
    },
  };
}
