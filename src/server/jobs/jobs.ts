// Background work of the server, in small portions: removes replays that nobody keeps, adds the
// statistics of older matches to their versions' health, and forgets what is kept for some time only.

import type { Clock } from "#base/clock/clock.ts";
import { pause } from "#base/clock/pause.ts";
import { DAY_MS, SECOND_MS } from "#base/units/time.ts";
import type { Ladders } from "#core/ladder/ladders.ts";
import { FIXED } from "#core/words/limits.ts";
import type { Settings } from "#core/words/settings.ts";
import type { Archives } from "#data/files/archives.ts";
import type { Store } from "#data/store/store.ts";
import type { Log } from "#live/arena/deps.ts";

import { archiveFinished } from "./archiving.ts";
import type { ArchivingDeps } from "./archiving.ts";
import type { LetterRounds } from "./letters.ts";
import type { Trimming } from "./trimming.ts";

export type UpkeepDeps = Pick<ArchivingDeps, "events" | "shown"> & {
  store: Pick<
    Store,
    | "bots"
    | "replays"
    | "figures"
    | "accounts"
    | "audit"
    | "matches"
    | "ladders"
    | "announcements"
    | "deliveries"
  >;
  trimming: Pick<Trimming, "run">;
  ladders: Pick<Ladders, "all">;
  archives: Pick<Archives, "ladders" | "make" | "sumOf">;
  clock: Pick<Clock, "after" | "wall">;
  log: Log;
  settings: Pick<Settings, "current">;
  /** Forgets what nobody can use any more of embedded accounts; null without any. */
  sweep: (() => Promise<void>) | null;
  /** Makes letters that people may refuse; null where there are none. */
  letters: LetterRounds | null;
};

export type Upkeep = {
  /** Resolves once nothing is under way any more. */
  stop(): Promise<void>;
};

/** Matches whose statistics are read in one step, and the pause after it. */
const CARRIED_AT_ONCE = 50;
const CARRY_PAUSE_MS = 100;

/** Between two looks for ladders that are over. */
const ARCHIVING_MS = 60_000;

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
    await deps.sweep?.();
    await forget(deps, signal);
    return deps.settings.current().identity_sweep_every_s * 1000;
  });
  const archiving = repeat(deps, signal, async () => {
    await archiveFinished(deps, signal);
    return ARCHIVING_MS;
  });
  const letters = repeat(deps, signal, async () => {
    await deps.letters?.look(signal);
    return deps.letters === null ? null : FIXED.mail_rounds_s * SECOND_MS;
  });
  return {
    stop: async () => {
      ending.abort();
      await Promise.all([trims, carrying, sweeps, archiving, letters]);
    },
  };
}

async function trim({ log, trimming }: UpkeepDeps, signal: AbortSignal) {
  const { removed } = await trimming.run(signal);
  if (removed > 0) log.info({ removed }, "old replays were removed");
}

/** Entries of the audit, drafts, or contents of letters, that are forgotten in one step. */
const FORGOTTEN_AT_ONCE = 500;

/** What is kept for some time only, whoever has accounts. */
async function forget({ store, clock, settings }: UpkeepDeps, signal: AbortSignal): Promise<void> {
  const { audit_days, audit_throttled_days } = settings.current();
  const now = clock.wall();
  const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS).toISOString();
  await store.accounts.sweepNames(now.toISOString());
  const before = { throttled: daysAgo(audit_throttled_days), all: daysAgo(audit_days) };
  const drafts = daysAgo(FIXED.announcement_draft_days);
  await store.announcements.sweepDrafts(drafts, FORGOTTEN_AT_ONCE);
  const letters = daysAgo(FIXED.mail_details_days);
  await inSteps(signal, () => store.deliveries.sweep(letters, FORGOTTEN_AT_ONCE));
  await inSteps(signal, () => store.audit.sweep(before, FORGOTTEN_AT_ONCE));
}

/** Until a step forgets less than it may. */
async function inSteps(signal: AbortSignal, step: () => Promise<number>): Promise<void> {
  while (!signal.aborted) if ((await step()) < FORGOTTEN_AT_ONCE) return;
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
      if (!signal.aborted) log.error({ error }, "upkeep failed and is tried again");
      return RETRY_MS;
    });
    if (wait === null) return;
    await pause(clock, signal, wait);
  }
}
