// Accounts that are gone for good: a restored backup must not bring them back.

import { open } from "node:fs/promises";
import { join } from "node:path";

import type { AccountId } from "#core/words/ids.ts";

export const LEFT_FILE = "left.jsonl";

/** Who left, and when: a UTC instant. */
export type LeftNote = { account: AccountId; at: string };

export type LeftNotes = {
  notes: LeftNote[];
  /** Numbers of lines that say nothing, counted from 1. */
  unreadable: number[];
};

const ACCOUNT = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Adds an account to the list in the data folder, durably. */
export async function noteLeft(folder: string, account: AccountId, at: string): Promise<void> {
  const file = await open(join(folder, LEFT_FILE), "a", 0o600);
  try {
    await file.write(printLeft([{ account, at }]));
    await file.sync();
  } finally {
    await file.close();
  }
}

export const printLeft = (notes: readonly LeftNote[]): string =>
  notes.map(({ account, at }) => `${JSON.stringify({ account, at })}\n`).join("");

/** Reads such a list. A crash may have cut a line short. */
export function parseLeft(text: string): LeftNotes {
  const found: LeftNotes = { notes: [], unreadable: [] };
  for (const [place, line] of text.split("\n").entries()) {
    if (line === "") continue;
    const note = noteIn(line);
    if (note === null) found.unreadable.push(place + 1);
    else found.notes.push(note);
  }
  return found;
}

function noteIn(line: string): LeftNote | null {
  try {
    const { account = "", at = "" } = JSON.parse(line) as Partial<LeftNote>;
    const isRight = ACCOUNT.test(account) && !Number.isNaN(Date.parse(at));
    return isRight ? { account, at: new Date(at).toISOString() } : null;
  } catch {
    return null;
  }
}
