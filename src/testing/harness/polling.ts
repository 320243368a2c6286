import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";

const POLL_INTERVAL_MS = 50;
const MAX_POLLS = 600;

/**
 * Polls until the result is neither null nor false, and returns it. Throws after too many polls.
 */
export async function pollFor<T>(poll: () => Promise<T | null | false>): Promise<T> {
  for (let attempt = 0; attempt < MAX_POLLS; attempt += 1) {
    const result = await poll();
    if (result !== null && result !== false) return result;
    await sleep(POLL_INTERVAL_MS);
  }
  return assert.fail("the condition was not met in time");
}

export const ONE_PIXEL_PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
