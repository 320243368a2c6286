// Outbox file used without an SMTP server, readable only by its owner. Programs follow it, so lines
// are written atomically.

import { open } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import { join } from "node:path";

import type { TransactionalEmailType } from "#core/accounts/transactional-email.ts";
import type { NotificationKind } from "#core/mail/email-notification.ts";

import type { MailTransport, OutgoingEmail } from "./mail-transport.ts";

/** In the data folder. */
export const OUTBOX_FILE = "outbox.jsonl";
const OWNER_ONLY = 0o600;

/** One line of the file. */
export type OutboxLine = {
  to: string;
  type: TransactionalEmailType | NotificationKind;
  subject: string;
  /** The link with a secret; null in notices. */
  link: string | null;
  code: string | null;
  text: string;
};

/** `printLine` gets each link, on servers that only this machine can reach. */
export function outboxTransport(
  folder: string,
  printLine: ((line: string) => void) | null,
): MailTransport {
  const path = join(folder, OUTBOX_FILE);
  let lastWrite: Promise<void> = Promise.resolve();
  return (email) => {
    const line = lineOf(email);
    // Writes are serialized in order of arrival.
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

/** As JSON, so that an address can't contain terminal control characters. */
const printedLineOf = ({ to, type, link, code }: OutboxLine): string =>
  `mail ${type} ${JSON.stringify(to)} ${link} ${code}`;

async function append(path: string, line: string): Promise<void> {
  const file = await open(path, "a", OWNER_ONLY);
  try {
    // The file may have been created by another user.
    await file.chmod(OWNER_ONLY);
    await appendWhole(file, line);
  } finally {
    await file.close();
  }
}

/** Removes a partial line if the disk is full. */
async function appendWhole(file: FileHandle, line: string): Promise<void> {
  const { size } = await file.stat();
  try {
    await file.writeFile(line);
  } catch (error) {
    await file.truncate(size);
    throw error;
  }
}
