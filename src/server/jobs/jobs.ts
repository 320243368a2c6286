// Background work of the server, in small portions: removes replays that nobody keeps, adds the
// statistics of older matches to their versions' health, and forgets ended sessions and links.

import type { Clock } from "#base/clock/clock.ts";
import { pause } from "#base/clock/pause.ts";
import type { Settings } from "#core/words/settings.ts";
import { trimReplays } from "#data/files/replay-trim.ts";
import type { Replays } from "#data/files/replays.ts";
import type { Store } from "#data/store/store.ts";
import type { Log } from "#live/arena/deps.ts";

export type UpkeepDeps = {
  store: Pick<Store, "bots" | "replays" | "figures">;
  replays: Pick<Replays, "remove">;
  clock: Pick<Clock, "after">;
  log: Log;
  settings: Pick<Settings, "current">;
  /** Forgets what nobody can use any more of embedded accounts; null without any. */
  sweep: (() => Promise<void>) | null;
};

export type Upkeep = {
  /** Resolves once nothing is under way any more. */
  stop(): Promise<void>;
};

/** Matches whose statistics are read in one step, and the pause after it. */
const CARRIED_AT_ONCE = 50;
const CARRY_PAUSE_MS = 100;

/** The first trim starts at once, each later one a fixed time after the previous one ended. */
export function openUpkeep(deps: UpkeepDeps): Upkeep {
  const ending = new AbortController();
  const { signal } = ending;
  const trims = repeat(deps, signal, async () => {
    await trim(deps, signal);
    return deps.settings.current().replay_trim_every_s * 1000;
  });
  const carrying = repeat(deps, signal, async () => {
    const carried = await deps.store.figures.carryTurns(CARRIED_AT_ONCE);
    return carried === 0 ? null : CARRY_PAUSE_MS;
  });
  const sweeps = repeat(deps, signal, async () => {
    if (deps.sweep === null) return null;
    await deps.sweep();
    return deps.settings.current().identity_sweep_every_s * 1000;
  });
  return {
    stop: async () => {
      ending.abort();
      await Promise.all([trims, carrying, sweeps]);
    },
  };
}

async function trim({ store, replays, log, settings }: UpkeepDeps, signal: AbortSignal) {
  const { replays_per_bot } = settings.current();
  const removed = await trimReplays({ store, replays }, replays_per_bot, signal);
  if (removed > 0) log.info({ removed }, "old replays were removed");
}

/** How long to wait after a failure, since the store may be unreachable. */
const RETRY_MS = 10_000;

/** Repeats a job that returns how many ms to wait for the next time, or null if it is done. */
async function repeat(
  { clock, log }: Pick<UpkeepDeps, "clock" | "log">,
  signal: AbortSignal,
  job: () => Promise<number | null>,
): Promise<void> {
  while (!signal.aborted) {
    const wait = await job().catch((error: unknown) => {
      log.error({ error }, "upkeep failed and is tried again");
      return RETRY_MS;
    });
    if (wait === null) return;
    await pause(clock, signal, wait);
  }
}
