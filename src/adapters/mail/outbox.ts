// Writes emails to a file when no SMTP server is configured. Only the file's owner can read it.
// Lines are appended whole, because other programs follow the file.

import { open } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import { join } from "node:path";

import type { TransactionalEmailType } from "#core/accounts/transactional-email.ts";
import type { NotificationKind } from "#core/mail/email-notification.ts";

import type { MailTransport, OutgoingEmail } from "./mail-transport.ts";

export const OUTBOX_FILE = "outbox.jsonl";
const OWNER_ONLY = 0o600;

export type OutboxLine = {
  to: string;
  type: TransactionalEmailType | NotificationKind;
  subject: string;
  link: string | null;
  code: string | null;
  text: string;
};

/**
 * Creates the file transport. `printLine` is called with each link, and is null unless the server
 * is local.
 */
export function outboxTransport(
  folder: string,
  printLine: ((line: string) => void) | null,
): MailTransport {
  const path = join(folder, OUTBOX_FILE);
  let lastWrite: Promise<void> = Promise.resolve();
  return (email) => {
    const line = lineOf(email);
    // Each write starts after the previous one, so lines keep their order.
    const pendingWrite = lastWrite.then(() => append(path, `${JSON.stringify(line)}\n`));
    lastWrite = pendingWrite.catch(() => {});
    return pendingWrite.then(() => {
      if (line.link !== null) printLine?.(printedLineOf(line));
      return null;
    });
  };
}

function lineOf({ to, content, rendered }: OutgoingEmail): OutboxLine {
  const { link, code } = "link" in content ? content : { link: null, code: null };
  const { subject, text } = rendered;
  return { to, type: content.type, subject, link, code, text };
}

/** JSON escapes terminal control characters in the address. */
const printedLineOf = ({ to, type, link, code }: OutboxLine): string =>
  `mail ${type} ${JSON.stringify(to)} ${link} ${code}`;

async function append(path: string, line: string): Promise<void> {
  const file = await open(path, "a", OWNER_ONLY);
  try {
    // An existing file may have looser permissions.
    await file.chmod(OWNER_ONLY);
    await appendWhole(file, line);
  } finally {
    await file.close();
  }
}

/** Appends a line. If the write fails, for example on a full disk, removes the partial line. */
async function appendWhole(file: FileHandle, line: string): Promise<void> {
  const { size } = await file.stat();
  try {
    await file.writeFile(line);
  } catch (error) {
    await file.truncate(size);
    throw error;
  }
}
