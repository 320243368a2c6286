// The share of failed ticks that loses a match. Apart from the table of limits, because the engine
// checks replays with it and browsers load the engine.

/** Ticks that must have been played before the share counts. */
export const FAILED_SHARE_TICKS = 40;
/** Percent of all ticks played so far. */
export const FAILED_SHARE_PERCENT = 50;

/** Whether a fighter that failed `failed` of `ticks` ticks has failed too many of them. */
export const failsTooOften = (failed: number, ticks: number): boolean =>
  ticks >= FAILED_SHARE_TICKS && failed * 100 >= ticks * FAILED_SHARE_PERCENT;
