// Transactional email: when a failed email is retried, and which failures amount to an outage.

import { SECOND_MS } from "#base/units/time.ts";
import { FIXED } from "#core/words/limits.ts";

import type { IncidentCause, RefusedPart } from "./incident.ts";

/** Counts since the process started, except `waiting` and `retrying`, which are counts of now. */
export type TransactionalReport = {
  /** In memory, not sent yet. */
  waiting: number;
  /** Waiting emails that failed at least once. */
  retrying: number;
  sent: number;
  /** Not sent, and no retry could help: no valid address, the queue was full, the server stopped. */
  failed: number;
  /** Not sent after retries. */
  given_up: number;
  /** Not sent, because the mailbox got many emails of that type within the hour. */
  rate_limited: number;
  last_sent: string | null;
  /** An error code, and the mail server's reply code if it replied. */
  last_failure: { at: string; code: string; response: number | null } | null;
};

export const NO_EMAILS: Omit<TransactionalReport, "waiting" | "retrying"> = {
  sent: 0,
  failed: 0,
  given_up: 0,
  rate_limited: 0,
  last_sent: null,
  last_failure: null,
};

/** Returns the delay after the latest of the failed attempts; null if there is no further attempt. */
export function retryDelayMs(failedAttempts: number): number | null {
  if (failedAttempts > FIXED.mail_retries) return null;
  const seconds = FIXED.mail_retry_s * FIXED.mail_retry_factor ** (failedAttempts - 1);
  return seconds * SECOND_MS;
}

/** Failed attempts since the mail server last accepted an email. */
export type FailureRun = {
  /** Failures other than refused recipients. */
  failures: number;
  /** The refused addresses, each once, `mail_refused_row` at most. */
  refused: readonly string[];
};

export const NO_FAILURES: FailureRun = { failures: 0, refused: [] };

export function withFailure(run: FailureRun, to: string, part: RefusedPart): FailureRun {
  if (part !== "recipient") return { ...run, failures: run.failures + 1 };
  const isKnown = run.refused.includes(to) || run.refused.length >= FIXED.mail_refused_row;
  return isKnown ? run : { ...run, refused: [...run.refused, to] };
}

/**
 * Returns why transactional email counts as down after the latest failure; null if it doesn't. One
 * refused recipient says nothing about the server, many different ones do.
 */
export function outageOf(run: FailureRun, part: RefusedPart): IncidentCause | null {
  if (part === "login") return "login_refused";
  if (part === "sender") return "sender_refused";
  if (run.failures >= FIXED.mail_outage_failures) return "many_failures";
  return run.refused.length >= FIXED.mail_refused_row ? "recipients_refused" : null;
}
