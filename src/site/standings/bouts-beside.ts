// How long the list of ended bouts on the front page is.

/** Bouts of the right column, fought or ended: as high as the places next to them. */
const BOUTS_BESIDE = 8;
/** As high as a table with few rows. */
const YOUNG_BOUTS_BESIDE = 6;
/** Room that the ring has while nothing is fought in it. */
const LEAST_IN_RING = 2;
const LEAST_ENDED = 2;

/** How many ended bouts to show, so that both columns end together however many are fought. */
export function boutsBeside(running: number, isYoung: boolean): number {
  const rows = isYoung ? YOUNG_BOUTS_BESIDE : BOUTS_BESIDE;
  return Math.max(LEAST_ENDED, rows - Math.max(running, LEAST_IN_RING));
}
