// Where mails go when no mail server is configured: one JSON line each, in a file that only its
// owner can read.

import { chmod, open } from "node:fs/promises";

/** What a line tells. A null code or link is one that the mail does not have. */
export type OutboxLine = {
  to: string;
  type: string;
  subject: string;
  link: string | null;
  code: string | null;
  text: string;
};

export type MailFile = {
  /** Adds a line after those of before. */
  add: (line: OutboxLine) => Promise<void>;
};

const PRIVATE_FILE = 0o600;

/** Lines are written one after the other, so that none is torn by another. */
export function openOutbox(path: string): MailFile {
  let last: Promise<void> = Promise.resolve();
  return {
    add: (line) => {
      const written = last.then(() => append(path, line));
      last = written.catch(() => {});
      return written;
    },
  };
}

async function append(
  path: string,
  { to, type, subject, link, code, text }: OutboxLine,
): Promise<void> {
  const file = await open(path, "a", PRIVATE_FILE);
  try {
    // Copying the folder may have opened it to others.
    await chmod(path, PRIVATE_FILE);
    await file.appendFile(`${JSON.stringify({ to, type, subject, link, code, text })}\n`);
  } finally {
    await file.close();
  }
}
