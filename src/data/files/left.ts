// Accounts that are gone for good: a restored backup must not bring them back.

import { join } from "node:path";

import type { AccountId } from "#core/words/ids.ts";

import { appendDurably, parseLines } from "./append-line.ts";
import type { ParsedLines } from "./append-line.ts";

export const LEFT_FILE = "left.jsonl";

/** Who left, and when: a UTC instant. */
export type LeftNote = { account: AccountId; at: string };

const ACCOUNT = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Adds an account to the list in the data folder, durably. */
export const noteLeft = (folder: string, account: AccountId, at: string): Promise<void> =>
  appendDurably(join(folder, LEFT_FILE), printLeft([{ account, at }]));

export const printLeft = (notes: readonly LeftNote[]): string =>
  notes.map(({ account, at }) => `${JSON.stringify({ account, at })}\n`).join("");

/** Reads such a list. A crash may have cut a line short. */
export const parseLeft = (text: string): ParsedLines<LeftNote> => parseLines(text, readNote);

function readNote(value: unknown): LeftNote | null {
  const { account = "", at = "" } = value as Partial<LeftNote>;
  const isRight = ACCOUNT.test(account) && !Number.isNaN(Date.parse(at));
  return isRight ? { account, at: new Date(at).toISOString() } : null;
}
