import { createMutex } from "#base/util/mutex.ts";
import type { LiveLadders } from "#core/ladder/live-ladders.ts";
import type { Limits } from "#core/limits/limits.ts";
import type { LiveSettings } from "#core/limits/settings.ts";
import type { Archives } from "#data/files/archives.ts";
import { ladderRetentions } from "#data/files/ladder-retention.ts";
import { countExcessReplays, trimReplays } from "#data/files/replay-retention.ts";
import type {
  ReplayAllowances,
  ReplayTrimDeps,
  ReplayTrimResult,
} from "#data/files/replay-retention.ts";

type ReplayTrimmingDeps = ReplayTrimDeps & {
  ladders: Pick<LiveLadders, "list">;
  archives: Pick<Archives, "ladders">;
  settings: Pick<LiveSettings, "current">;
};

type ReplayRetention = Pick<Limits, "replays_per_bot" | "archive_replays" | "embedded_replays">;

export type ReplayTrimming = {
  /**
   * Trims replays after earlier trims have finished. Stops early when `signal` aborts or at
   * shutdown.
   */
  run(signal?: AbortSignal): Promise<ReplayTrimResult>;
  /** Returns how many files a trim with this retention would remove now. Changes nothing. */
  forecast(retention: ReplayRetention): Promise<number>;
  stop(): Promise<void>;
};

export function openReplayTrimming(deps: ReplayTrimmingDeps): ReplayTrimming {
  const { store, settings, ladders } = deps;
  const shutdown = new AbortController();
  const [trimMutex, forecastMutex] = [createMutex(), createMutex()];
  return {
    run: (signal = shutdown.signal) =>
      trimMutex(async () => {
        const combinedSignal = AbortSignal.any([signal, shutdown.signal]);
        return trimReplays(deps, await allowancesOf(deps, settings.current()), combinedSignal);
      }),
    forecast: (retention) =>
      forecastMutex(async () => {
        const ladderIds = ladders.list().map(({ id }) => id);
        return countExcessReplays(store, await allowancesOf(deps, retention), ladderIds);
      }),
    stop: async () => {
      shutdown.abort();
      await trimMutex(async () => {});
    },
  };
}

async function allowancesOf(
  { ladders, archives }: ReplayTrimmingDeps,
  { replays_per_bot, archive_replays, embedded_replays }: ReplayRetention,
): Promise<ReplayAllowances> {
  const reservedLadders = ladderRetentions(
    ladders.list(),
    await archives.ladders(),
    archive_replays,
  );
  return { perBot: replays_per_bot, ladderRetentions: reservedLadders, embedded: embedded_replays };
}
