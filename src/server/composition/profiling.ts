import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { instrumented } from "#live/profiling/instrumented.ts";
import { openOperationTimings } from "#live/profiling/operation-timings.ts";
import { openProfiling } from "#live/profiling/profiling.ts";
import type { Profiling } from "#live/profiling/profiling.ts";
import type { ServeOptions } from "#server/configuration/flags.ts";

import { PROJECT_ROOT } from "./project-paths.ts";

type ProfiledParts = Parameters<typeof instrumented>[0] &
  Pick<Parameters<typeof openProfiling>[0], "clock" | "newId" | "log">;

type ProfilingSetup<P> = {
  deps: P;
  /**
   * Resolves with null if profiling is disabled. `runningMatches` returns the number of running
   * matches.
   */
  open: (runningMatches: () => number, parts: AsyncDisposableStack) => Promise<Profiling | null>;
};

export function withProfiling<P extends ProfiledParts>(
  { profiling, data }: Pick<ServeOptions, "profiling" | "data">,
  baseParts: P,
): ProfilingSetup<P> {
  if (!profiling) return { deps: baseParts, open: async () => null };
  const { clock, newId, log } = baseParts;
  const operations = openOperationTimings();
  const folder = join(data, "profiles");
  const root = pathToFileURL(`${PROJECT_ROOT}/`).href;
  return {
    deps: instrumented(baseParts, operations, clock),
    open: async (runningMatches, parts) => {
      const pendingProfiling = openProfiling({
        folder,
        root,
        clock,
        newId,
        log,
        operations,
        runningMatches,
      });
      return parts.adopt(await pendingProfiling, (profiling) => profiling.stop());
    },
  };
}
