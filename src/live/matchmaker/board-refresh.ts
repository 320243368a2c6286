// When boards are read, and how far each read advances the pass that makes deviations exact. The
// reader uses its own clock; a pass continues until everything is exact.

/** A board reflects a commit within this time, plus a share for each version. */
const READ_INTERVAL_MS = 400;
const READ_INTERVAL_MS_PER_VERSION = 0.1;

/** A pass over up to about a thousand versions. Short enough that a read may be missed. */
const MIN_PASS_MS = 3800;

/**
 * A pass over LARGE_BOARD versions takes LARGE_PASS_MS. Its work grows with the square of their
 * number.
 */
const LARGE_BOARD = 5000;
const LARGE_PASS_MS = 40_000;

/** Returns the ms between two reads of a board. */
export function readIntervalMs(versions: number): number {
  return READ_INTERVAL_MS + READ_INTERVAL_MS_PER_VERSION * versions;
}

/** Returns the deviations that one read must make exact for the pass to finish in time. */
export function deviationsPerRead(versions: number): number {
  const passMs = Math.max(MIN_PASS_MS, LARGE_PASS_MS * (versions / LARGE_BOARD) ** 2);
  return Math.ceil((versions * readIntervalMs(versions)) / passMs);
}
