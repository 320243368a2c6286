// Share of failed ticks that loses a match. Not in the limit table, because the engine uses it to
// check replays and browsers load the engine.

export const FAILED_TICK_SHARE_MIN_TICKS = 40;
/** In percent of all ticks played so far. */
export const FAILED_TICK_SHARE_PERCENT = 50;

/** Returns whether a fighter that failed `failed` of `ticks` ticks loses the match. */
export const exceedsFailedTickShare = (failed: number, ticks: number): boolean =>
  ticks >= FAILED_TICK_SHARE_MIN_TICKS && failed * 100 >= ticks * FAILED_TICK_SHARE_PERCENT;
