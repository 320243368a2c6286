// Accounts that are gone for good: a restored backup must not bring them back.

import { open } from "node:fs/promises";
import { join } from "node:path";

import type { AccountId } from "#core/words/ids.ts";

const FILE = "left.jsonl";

/** Adds an account to the list in the data folder, durably. */
export async function noteLeft(folder: string, account: AccountId, at: string): Promise<void> {
  const file = await open(join(folder, FILE), "a", 0o600);
  try {
    await file.write(`${JSON.stringify({ account, at })}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
}
