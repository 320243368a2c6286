// Records deleted accounts outside the database, so that restoring a backup doesn't bring them
// back.

import { join } from "node:path";

import type { AccountId } from "#core/ids/ids.ts";

import { appendDurably, parseLines } from "./append-line.ts";
import type { ParsedLines } from "./append-line.ts";

export const DELETED_ACCOUNTS_FILE = "left.jsonl";

/** `at` is the time of deletion as a UTC instant. */
export type DeletedAccountEntry = { account: AccountId; at: string };

const ACCOUNT = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Appends an account to the list in the data folder and syncs the file. */
export const recordDeletedAccount = (
  folder: string,
  account: AccountId,
  at: string,
): Promise<void> =>
  appendDurably(join(folder, DELETED_ACCOUNTS_FILE), serializeDeletedAccounts([{ account, at }]));

export const serializeDeletedAccounts = (entries: readonly DeletedAccountEntry[]): string =>
  entries.map(({ account, at }) => `${JSON.stringify({ account, at })}\n`).join("");

/** Parses the list. A crash may have truncated its last line. */
export const parseDeletedAccounts = (text: string): ParsedLines<DeletedAccountEntry> =>
  parseLines(text, parseEntry);

function parseEntry(value: unknown): DeletedAccountEntry | null {
  const { account = "", at = "" } = value as Partial<DeletedAccountEntry>;
  const isValid = ACCOUNT.test(account) && !Number.isNaN(Date.parse(at));
  return isValid ? { account, at: new Date(at).toISOString() } : null;
}
