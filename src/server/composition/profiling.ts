// Profiling, on a server that is started with it.

import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { measured } from "#live/profiling/measured.ts";
import { openOperations } from "#live/profiling/operations.ts";
import { openProfiling } from "#live/profiling/profiling.ts";
import type { Profiling } from "#live/profiling/profiling.ts";
import type { ServeOptions } from "#server/configuration/flags.ts";

import { PROJECT } from "./project.ts";

type Parts = Parameters<typeof measured>[0] &
  Pick<Parameters<typeof openProfiling>[0], "clock" | "newId" | "log">;

type Measuring<P> = {
  /** The same parts; with profiling, their calls are timed. */
  deps: P;
  /** Null without profiling. `running` counts matches. */
  open: (running: () => number, parts: AsyncDisposableStack) => Promise<Profiling | null>;
};

export function measuring<P extends Parts>(
  { profiling, data }: Pick<ServeOptions, "profiling" | "data">,
  given: P,
): Measuring<P> {
  if (!profiling) return { deps: given, open: async () => null };
  const { clock, newId, log } = given;
  const operations = openOperations();
  const folder = join(data, "profiles");
  const root = pathToFileURL(`${PROJECT}/`).href;
  return {
    deps: measured(given, operations, clock),
    open: async (running, parts) => {
      const opening = openProfiling({ folder, root, clock, newId, log, operations, running });
      return parts.adopt(await opening, (profiling) => profiling.stop());
    },
  };
}
