// How often boards are read, and how many deviations each read refreshes. Successive reads form a
// pass that ends when every deviation is exact.

/** Base interval between reads. READ_INTERVAL_MS_PER_VERSION is added for each version. */
const READ_INTERVAL_MS = 400;
const READ_INTERVAL_MS_PER_VERSION = 0.1;

/** Duration of a pass over up to about 1,000 versions. It leaves room for one missed read. */
const MIN_PASS_MS = 3800;

/**
 * A pass over LARGE_BOARD versions takes LARGE_PASS_MS. Work grows with the square of the number of
 * versions.
 */
const LARGE_BOARD = 5000;
const LARGE_PASS_MS = 40_000;

/** Returns the interval between two reads of a board, in ms. */
export function readIntervalMs(versions: number): number {
  return READ_INTERVAL_MS + READ_INTERVAL_MS_PER_VERSION * versions;
}

/** Returns how many deviations each read must refresh for a pass to finish on time. */
export function deviationsPerRead(versions: number): number {
  const passMs = Math.max(MIN_PASS_MS, LARGE_PASS_MS * (versions / LARGE_BOARD) ** 2);
  return Math.ceil((versions * readIntervalMs(versions)) / passMs);
}
