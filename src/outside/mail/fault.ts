// Why an email was not sent, as codes: error messages may quote addresses, links or text.

import type { WrittenLetter } from "#core/accounts/letter.ts";
import type { RefusedPart } from "#core/mail/incident.ts";

/** After `unknown` the email may have arrived nevertheless. */
export type MailFault = {
  outcome: "failed" | "unknown";
  /** Ours, nodemailer's or the system's. */
  code: string;
  /** The reply code of the mail server, if it replied. */
  response: number | null;
  refused: RefusedPart;
};

/** Rendering errors may quote the email's text, so they become a code. */
export function wordsOf(write: () => WrittenLetter): WrittenLetter {
  try {
    return write();
  } catch {
    throw Object.assign(new Error("a letter could not be written"), { code: "NOT_WRITTEN" });
  }
}

const CODE = /^[A-Z][A-Z0-9_]{1,39}$/;
/** Faults of the email itself: the next attempt would fail in the same way. */
const NEVER_SENT: ReadonlySet<string> = new Set(["NOT_WRITTEN", "EENVELOPE", "EMESSAGE"]);

/** Whether a later attempt can succeed. */
export const canRetry = ({ code, response }: MailFault): boolean =>
  response !== null || !NEVER_SENT.has(code);

/** Faults of the letter itself, or of the file; of all others a network may be the cause. */
const NOTHING_SENT: ReadonlySet<string> = new Set([
  "NOT_WRITTEN",
  "EENVELOPE",
  "EMESSAGE",
  "EACCES",
  "EDQUOT",
  "ENOENT",
  "ENOSPC",
  "EROFS",
]);

/** An answer of the mail server says that it did not take the letter; without one nobody knows. */
export function faultOf(error: unknown): MailFault {
  const given = (error ?? {}) as { code?: unknown; responseCode?: unknown; command?: unknown };
  const { code, responseCode } = given;
  const response = Number.isInteger(responseCode) ? (responseCode as number) : null;
  const known = typeof code === "string" && CODE.test(code) ? code : "UNKNOWN";
  const isSure = response !== null || NOTHING_SENT.has(known);
  const refused = refusedBy(known, given.command, response);
  return { outcome: isSure ? "failed" : "unknown", code: known, response, refused };
}

/** Answers from here on are for good. */
const REFUSED_FOR_GOOD = 500;

function refusedBy(code: string, command: unknown, response: number | null): RefusedPart {
  if (response === null || response < REFUSED_FOR_GOOD) return null;
  if (code === "EAUTH") return "login";
  if (code !== "EENVELOPE") return null;
  return command === "MAIL FROM" ? "sender" : command === "RCPT TO" ? "recipient" : null;
}
