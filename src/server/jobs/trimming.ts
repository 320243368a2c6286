// The trim of replays: the job's and an operator's, one at a time.

import { oneAtATime } from "#base/units/one-at-a-time.ts";
import type { Ladders } from "#core/ladder/ladders.ts";
import type { Limits } from "#core/words/limits.ts";
import type { Settings } from "#core/words/settings.ts";
import type { Archives } from "#data/files/archives.ts";
import { heldLadders } from "#data/files/held-ladders.ts";
import { countBeyond, trimReplays } from "#data/files/replay-trim.ts";
import type { Allowances, TrimDeps, Trimmed } from "#data/files/replay-trim.ts";

type TrimmingDeps = TrimDeps & {
  ladders: Pick<Ladders, "all">;
  archives: Pick<Archives, "ladders">;
  settings: Pick<Settings, "current">;
};

/** How many replays may be kept. */
type ReplayKeep = Pick<Limits, "replays_per_bot" | "archive_replays" | "embedded_replays">;

export type Trimming = {
  /** Waits for those before it. Stops early when `signal` aborts, or at the end of all. */
  run(signal?: AbortSignal): Promise<Trimmed>;
  /** How many files a trim would remove now, if as many were kept. Changes nothing. */
  forecast(keep: ReplayKeep): Promise<number>;
  stop(): Promise<void>;
};

export function openTrimming(deps: TrimmingDeps): Trimming {
  const { store, settings, ladders } = deps;
  const ending = new AbortController();
  const [trims, forecasts] = [oneAtATime(), oneAtATime()];
  return {
    run: (signal = ending.signal) =>
      trims(async () => {
        const either = AbortSignal.any([signal, ending.signal]);
        return trimReplays(deps, await allowancesOf(deps, settings.current()), either);
      }),
    forecast: (keep) =>
      forecasts(async () => {
        const ladderIds = ladders.all().map(({ id }) => id);
        return countBeyond(store, await allowancesOf(deps, keep), ladderIds);
      }),
    stop: async () => {
      ending.abort();
      await trims(async () => {});
    },
  };
}

async function allowancesOf(
  { ladders, archives }: TrimmingDeps,
  { replays_per_bot, archive_replays, embedded_replays }: ReplayKeep,
): Promise<Allowances> {
  const held = heldLadders(ladders.all(), await archives.ladders(), archive_replays);
  return { perBot: replays_per_bot, held, embedded: embedded_replays };
}
