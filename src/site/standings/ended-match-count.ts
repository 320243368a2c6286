/** Number of matches, running and ended, that makes the list as tall as the standings beside it. */
const HOME_MATCH_ROWS = 8;
/** The same for a new ladder, whose table has few rows. */
const NEW_LADDER_MATCH_ROWS = 6;
/** Height of the empty ring, in rows of the match list. */
const MIN_RUNNING_ROWS = 2;
const MIN_ENDED_ROWS = 2;

/** Returns how many ended matches to show, so that both columns have the same height. */
export function endedMatchCount(running: number, isNewLadder: boolean): number {
  const rows = isNewLadder ? NEW_LADDER_MATCH_ROWS : HOME_MATCH_ROWS;
  return Math.max(MIN_ENDED_ROWS, rows - Math.max(running, MIN_RUNNING_ROWS));
}
