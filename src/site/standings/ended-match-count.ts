// Length of the match list on the home page.

/** Number of matches, running or ended, that is as high as the standings beside them. */
const HOME_MATCH_ROWS = 8;
/** Height of a table with few rows. */
const NEW_LADDER_MATCH_ROWS = 6;
/** Height of the empty ring, in matches. */
const MIN_RUNNING_ROWS = 2;
const MIN_ENDED_ROWS = 2;

/** Number of ended matches to show, so that both columns have equal height. */
export function endedMatchCount(running: number, isNewLadder: boolean): number {
  const rows = isNewLadder ? NEW_LADDER_MATCH_ROWS : HOME_MATCH_ROWS;
  return Math.max(MIN_ENDED_ROWS, rows - Math.max(running, MIN_RUNNING_ROWS));
}
