// When a bot's owner is told that it is not well, from the latest matches of its newest version.

import { FIXED } from "#core/words/limits.ts";

/** Sums over the latest matches. */
export type HealthSums = {
  matches: number;
  turns: number;
  /** Turns that were idle or refused. */
  failed: number;
  disqualifications: number;
};

/** What its owner was told last. */
export type ToldHealth = { isUnwell: boolean; atMs: number } | null;

/** In whole percent, rounded down. */
export const failedPercent = ({ turns, failed }: HealthSums): number =>
  turns === 0 ? 0 : Math.floor((failed * 100) / turns);

export const isUnwell = (sums: HealthSums): boolean =>
  sums.disqualifications >= FIXED.unwell_disqualifications ||
  failedPercent(sums) >= FIXED.unwell_failed_percent;

/** What to tell at `nowMs`, if anything: what has changed, and at most once a day. */
export function healthNews(
  sums: HealthSums,
  told: ToldHealth,
  nowMs: number,
): "bot_unwell" | "bot_well" | null {
  const isNow = isUnwell(sums);
  if (isNow === (told?.isUnwell ?? false)) return null;
  if (told !== null && nowMs - told.atMs < FIXED.health_mail_every_h * 3_600_000) return null;
  return isNow ? "bot_unwell" : "bot_well";
}
