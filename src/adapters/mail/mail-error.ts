// Converts mail errors to codes. Error messages may quote addresses, links or text and must not be
// logged.

import type { RenderedEmail } from "#core/accounts/transactional-email.ts";
import type { RefusedPart } from "#core/mail/incident.ts";

/** If the outcome is `unknown`, the email may have arrived. */
export type MailError = {
  outcome: "failed" | "unknown";
  code: string;
  response: number | null;
  refused: RefusedPart;
};

/** Renders an email. Replaces errors with a code, because their messages may quote the email. */
export function renderSafely(render: () => RenderedEmail): RenderedEmail {
  try {
    return render();
  } catch {
    throw Object.assign(new Error("could not render email"), { code: "NOT_WRITTEN" });
  }
}

const CODE = /^[A-Z][A-Z0-9_]{1,39}$/;
/** Codes of emails that can't be sent. A retry would fail in the same way. */
const UNSENDABLE_CODES: ReadonlySet<string> = new Set(["NOT_WRITTEN", "EENVELOPE", "EMESSAGE"]);

export const canRetry = ({ code, response }: MailError): boolean =>
  response !== null || !UNSENDABLE_CODES.has(code);

/**
 * With these codes, the email certainly wasn't sent. With any other code, the cause may be a
 * network failure.
 */
const DEFINITE_FAILURE_CODES: ReadonlySet<string> = new Set([
  "NOT_WRITTEN",
  "EENVELOPE",
  "EMESSAGE",
  "EACCES",
  "EDQUOT",
  "ENOENT",
  "ENOSPC",
  "EROFS",
]);

/**
 * Converts an error to a MailError. An error with a mail server reply means that the email wasn't
 * accepted. Without a reply, the outcome is unknown unless the code is in `DEFINITE_FAILURE_CODES`.
 */
export function toMailError(error: unknown): MailError {
  const errorFields = (error ?? {}) as {
    code?: unknown;
    responseCode?: unknown;
    command?: unknown;
  };
  const { code, responseCode } = errorFields;
  const response = Number.isInteger(responseCode) ? (responseCode as number) : null;
  const knownCode = typeof code === "string" && CODE.test(code) ? code : "UNKNOWN";
  const isDefinite = response !== null || DEFINITE_FAILURE_CODES.has(knownCode);
  const refused = refusedPartOf(knownCode, errorFields.command, response);
  return { outcome: isDefinite ? "failed" : "unknown", code: knownCode, response, refused };
}

/** SMTP replies of 500 and above are permanent failures. */
const PERMANENT_REPLY = 500;

function refusedPartOf(code: string, command: unknown, response: number | null): RefusedPart {
  if (response === null || response < PERMANENT_REPLY) return null;
  if (code === "EAUTH") return "login";
  if (code !== "EENVELOPE") return null;
  return command === "MAIL FROM" ? "sender" : command === "RCPT TO" ? "recipient" : null;
}
