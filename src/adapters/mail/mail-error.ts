// Mail errors as codes, because error messages may quote addresses, links or text.

import type { RenderedEmail } from "#core/accounts/transactional-email.ts";
import type { RefusedPart } from "#core/mail/incident.ts";

/** After `unknown` the email may have arrived nevertheless. */
export type MailError = {
  outcome: "failed" | "unknown";
  /** Our own, nodemailer's or the system's. */
  code: string;
  /** The reply code of the mail server, if it replied. */
  response: number | null;
  refused: RefusedPart;
};

/** Rendering errors may quote the email's text, so they become a code. */
export function renderSafely(render: () => RenderedEmail): RenderedEmail {
  try {
    return render();
  } catch {
    throw Object.assign(new Error("could not render email"), { code: "NOT_WRITTEN" });
  }
}

const CODE = /^[A-Z][A-Z0-9_]{1,39}$/;
/** Errors of the email itself: a retry would fail in the same way. */
const UNSENDABLE_CODES: ReadonlySet<string> = new Set(["NOT_WRITTEN", "EENVELOPE", "EMESSAGE"]);

/** Returns whether a retry can succeed. */
export const canRetry = ({ code, response }: MailError): boolean =>
  response !== null || !UNSENDABLE_CODES.has(code);

/** Errors of the email itself or of the file. All others may be caused by the network. */
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

/** With a reply, the mail server did not accept the email. Without one, the outcome is unknown. */
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

/** Replies from here on are permanent. */
const PERMANENT_REPLY = 500;

function refusedPartOf(code: string, command: unknown, response: number | null): RefusedPart {
  if (response === null || response < PERMANENT_REPLY) return null;
  if (code === "EAUTH") return "login";
  if (code !== "EENVELOPE") return null;
  return command === "MAIL FROM" ? "sender" : command === "RCPT TO" ? "recipient" : null;
}
