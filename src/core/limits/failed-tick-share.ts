// The share of failed ticks that loses a match. Separate from the table of limits because the
// engine checks replays with it and browsers load the engine.

/** Ticks that must be played before the share counts. */
export const FAILED_TICK_SHARE_MIN_TICKS = 40;
/** Percent of all ticks played so far. */
export const FAILED_TICK_SHARE_PERCENT = 50;

/** Returns whether failing `failed` of `ticks` ticks exceeds the allowed share. */
export const exceedsFailedTickShare = (failed: number, ticks: number): boolean =>
  ticks >= FAILED_TICK_SHARE_MIN_TICKS && failed * 100 >= ticks * FAILED_TICK_SHARE_PERCENT;
