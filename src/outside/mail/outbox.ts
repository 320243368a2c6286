// Where letters go without an SMTP server: lines of a file that only its owner can read. Programs
// follow it, so each line is whole or not there.

import { open } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import { join } from "node:path";

import type { LetterType } from "#core/accounts/letter.ts";
import type { NoticeKind } from "#core/mail/notice.ts";

import type { Carrier, Mail } from "./carrier.ts";

/** In the data folder. */
export const OUTBOX_FILE = "outbox.jsonl";
const OWNER_ONLY = 0o600;

/** One line of the file. */
export type OutboxLine = {
  to: string;
  type: LetterType | NoticeKind;
  subject: string;
  /** Where the letter asks its reader to go with a secret; null in letters that only tell. */
  link: string | null;
  code: string | null;
  text: string;
};

/** `print` is told of each link, on servers that nobody else can reach. */
export function outboxCarrier(folder: string, print: ((line: string) => void) | null): Carrier {
  const path = join(folder, OUTBOX_FILE);
  let last: Promise<void> = Promise.resolve();
  return (mail) => {
    const line = lineOf(mail);
    // One after another, in the order in which they came.
    const written = last.then(() => append(path, `${JSON.stringify(line)}\n`));
    last = written.catch(() => {});
    return written.then(() => {
      if (line.link !== null) print?.(noticeOf(line));
      return null;
    });
  };
}

function lineOf({ to, letter, written }: Mail): OutboxLine {
  const { link, code } = "link" in letter ? letter : { link: null, code: null };
  const { subject, text } = written;
  return { to, type: letter.type, subject, link, code, text };
}

/** As JSON, so that no address can do anything to a terminal. */
const noticeOf = ({ to, type, link, code }: OutboxLine): string =>
  `mail ${type} ${JSON.stringify(to)} ${link} ${code}`;

async function append(path: string, line: string): Promise<void> {
  const file = await open(path, "a", OWNER_ONLY);
  try {
    // The file may have been made by somebody else.
    await file.chmod(OWNER_ONLY);
    await appendWhole(file, line);
  } finally {
    await file.close();
  }
}

/** Leaves nothing of a line that a full disk cuts short. */
async function appendWhole(file: FileHandle, line: string): Promise<void> {
  const { size } = await file.stat();
  try {
    await file.writeFile(line);
  } catch (error) {
    await file.truncate(size);
    throw error;
  }
}
