// What the test of an evening needs besides people: time, and a picture.

import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";

const LOOK_EVERY_MS = 50;
/** Longer than anything takes on a busy machine. */
const PATIENCE_LOOKS = 600;

/** What a look finds once it finds anything. */
export async function until<T>(look: () => Promise<T | null | false>): Promise<T> {
  for (let looks = 0; looks < PATIENCE_LOOKS; looks += 1) {
    const found = await look();
    if (found !== null && found !== false) return found;
    await sleep(LOOK_EVERY_MS);
  }
  return assert.fail("it did not come to that");
}

/** A PNG of one pixel. */
export const POSTER = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
