// When boards are read, and how far each reading advances the pass that makes deviations exact. The
// reader keeps the time by its own clock; a pass continues until everything is exact.

/** A board follows a commit within this time, plus a share for each version. */
const READING_MS = 400;
const READING_MS_PER_VERSION = 0.1;

/** A pass over up to about a thousand versions; short, so that a reading may be missed. */
const SHORTEST_PASS_MS = 3800;

/**
 * A pass over LARGE_BOARD versions takes LARGE_PASS_MS; its work grows with the square of their
 * number.
 */
const LARGE_BOARD = 5000;
const LARGE_PASS_MS = 40_000;

/** Milliseconds between two readings of a board. */
export function readingMs(versions: number): number {
  return READING_MS + READING_MS_PER_VERSION * versions;
}

/** Deviations that one reading makes exact, so that the pass finishes in time. */
export function refreshedAtOnce(versions: number): number {
  const passMs = Math.max(SHORTEST_PASS_MS, LARGE_PASS_MS * (versions / LARGE_BOARD) ** 2);
  return Math.ceil((versions * readingMs(versions)) / passMs);
}
