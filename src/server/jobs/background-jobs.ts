import { abortableDelay } from "#base/clock/abortable-delay.ts";
import type { Clock } from "#base/clock/clock.ts";
import { DAY_MS, SECOND_MS } from "#base/util/time.ts";
import type { LiveLadders } from "#core/ladder/live-ladders.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";
import type { LiveSettings } from "#core/limits/settings.ts";
import type { Archives } from "#data/files/archives.ts";
import type { Store } from "#data/store/store.ts";
import type { Log } from "#live/arena/arena-deps.ts";

import { archiveFinishedLadders } from "./archive-finished-ladders.ts";
import type { ArchivingDeps } from "./archive-finished-ladders.ts";
import type { OptionalEmailRounds } from "./optional-emails.ts";
import type { ReplayTrimming } from "./replay-trimming.ts";

export type BackgroundJobDeps = Pick<ArchivingDeps, "events" | "toPublicView"> & {
  store: Pick<
    Store,
    | "bots"
    | "replays"
    | "stats"
    | "accounts"
    | "audit"
    | "matches"
    | "ladders"
    | "announcements"
    | "deliveries"
  >;
  trimming: Pick<ReplayTrimming, "run">;
  ladders: Pick<LiveLadders, "list">;
  archives: Pick<Archives, "ladders" | "make" | "checksum">;
  clock: Pick<Clock, "after" | "wall">;
  log: Log;
  settings: Pick<LiveSettings, "current">;
  /** Deletes expired data from embedded accounts; null without embedded accounts. */
  sweep: (() => Promise<void>) | null;
  /** Queues optional emails; null if the server doesn't send any. */
  optionalEmails: OptionalEmailRounds | null;
};

export type BackgroundJobs = {
  /** Stops all jobs. Resolves when no job is running. */
  stop(): Promise<void>;
};

/** Number of matches whose statistics are read per step. */
const BACKFILL_BATCH = 50;
const BACKFILL_PAUSE_MS = 100;

const ARCHIVE_CHECK_MS = 60_000;

/**
 * Starts all jobs. The first trim runs immediately, and each later trim runs a fixed time after the
 * previous trim ended.
 */
export function startBackgroundJobs(deps: BackgroundJobDeps): BackgroundJobs {
  const shutdown = new AbortController();
  const { signal } = shutdown;
  const trims = repeat(deps, signal, async () => {
    await trim(deps, signal);
    return deps.settings.current().replay_trim_every_s * 1000;
  });
  const backfill = repeat(deps, signal, async () => {
    const matchCount = await deps.store.stats.backfillTurns(BACKFILL_BATCH);
    return matchCount === 0 ? null : BACKFILL_PAUSE_MS;
  });
  const sweeps = repeat(deps, signal, async () => {
    await deps.sweep?.();
    await deleteExpired(deps, signal);
    return deps.settings.current().identity_sweep_every_s * 1000;
  });
  const archiving = repeat(deps, signal, async () => {
    await archiveFinishedLadders(deps, signal);
    return ARCHIVE_CHECK_MS;
  });
  const emailRounds = repeat(deps, signal, async () => {
    await deps.optionalEmails?.runRound(signal);
    return deps.optionalEmails === null ? null : FIXED_LIMITS.mail_rounds_s * SECOND_MS;
  });
  return {
    stop: async () => {
      shutdown.abort();
      await Promise.all([trims, backfill, sweeps, archiving, emailRounds]);
    },
  };
}

async function trim({ log, trimming }: BackgroundJobDeps, signal: AbortSignal) {
  const { removed } = await trimming.run(signal);
  if (removed > 0) log.info({ removed }, "old replays removed");
}

/** Number of audit entries, drafts or email contents deleted per step. */
const DELETE_BATCH = 500;

async function deleteExpired(
  { store, clock, settings }: BackgroundJobDeps,
  signal: AbortSignal,
): Promise<void> {
  const { audit_days, audit_throttled_days } = settings.current();
  const now = clock.wall();
  const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS).toISOString();
  await store.accounts.sweepNames(now.toISOString());
  const auditCutoffs = { throttled: daysAgo(audit_throttled_days), all: daysAgo(audit_days) };
  const draftCutoff = daysAgo(FIXED_LIMITS.announcement_draft_days);
  await store.announcements.sweepDrafts(draftCutoff, DELETE_BATCH);
  const emailCutoff = daysAgo(FIXED_LIMITS.mail_details_days);
  await repeatUntilDone(signal, () => store.deliveries.sweep(emailCutoff, DELETE_BATCH));
  await repeatUntilDone(signal, () => store.audit.sweep(auditCutoffs, DELETE_BATCH));
}

async function repeatUntilDone(signal: AbortSignal, step: () => Promise<number>): Promise<void> {
  while (!signal.aborted) if ((await step()) < DELETE_BATCH) return;
}

const RETRY_MS = 10_000;

/** Repeats a job that returns the delay until its next run in ms, or null when it is done. */
async function repeat(
  { clock, log }: Pick<BackgroundJobDeps, "clock" | "log">,
  signal: AbortSignal,
  job: () => Promise<number | null>,
): Promise<void> {
  while (!signal.aborted) {
    const wait = await job().catch((error: unknown) => {
      if (!signal.aborted) log.error({ error }, "background job failed; retrying");
      return RETRY_MS;
    });
    if (wait === null) return;
    await abortableDelay(clock, signal, wait);
  }
}
