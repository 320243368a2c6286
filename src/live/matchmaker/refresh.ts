// When boards are read, and how far each reading carries the pass that makes deviations exact. The
// reader keeps the time, by its own clock; a pass goes on until nothing is left to make exact.

/** A board follows a commit within this time, and the larger it is the more of it. */
const READING_MS = 400;
const READING_MS_PER_VERSION = 0.1;

/** A pass over a board of up to about a thousand versions; a reading may fall out, so it hurries. */
const SHORTEST_PASS_MS = 3800;

/** A pass over so many versions takes so long; its work grows with the square of their number. */
const LARGE_BOARD = 5000;
const LARGE_PASS_MS = 40_000;

/** Milliseconds from one reading of a board of so many versions to the next. */
export function readingMs(versions: number): number {
  return READING_MS + READING_MS_PER_VERSION * versions;
}

/** Deviations that one reading makes exact, so that the pass is over in time. */
export function refreshedAtOnce(versions: number): number {
  const passMs = Math.max(SHORTEST_PASS_MS, LARGE_PASS_MS * (versions / LARGE_BOARD) ** 2);
  return Math.ceil((versions * readingMs(versions)) / passMs);
}
