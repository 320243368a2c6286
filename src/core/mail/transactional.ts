// Decides when transactional email is retried, and which failures count as an outage.

import { SECOND_MS } from "#base/util/time.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";

import type { IncidentCause, RefusedPart } from "./incident.ts";

/** Counts since the process started. `waiting` and `retrying` are current values. */
export type TransactionalReport = {
  /** Queued in memory. */
  waiting: number;
  /** Queued emails that failed at least once. */
  retrying: number;
  sent: number;
  /** Failed without a retry: invalid address, full queue, or server shutdown. */
  failed: number;
  /** Failed after all retries. */
  given_up: number;
  /** Not sent because the mailbox exceeded the hourly limit for that type. */
  rate_limited: number;
  last_sent: string | null;
  /** `code` is an error code. `response` is the mail server's reply code, if it replied. */
  last_failure: { at: string; code: string; response: number | null } | null;
};

export const EMPTY_TRANSACTIONAL_REPORT: Omit<TransactionalReport, "waiting" | "retrying"> = {
  sent: 0,
  failed: 0,
  given_up: 0,
  rate_limited: 0,
  last_sent: null,
  last_failure: null,
};

/** Returns the delay until the next attempt, or null if there is none. */
export function retryDelayMs(failedAttempts: number): number | null {
  if (failedAttempts > FIXED_LIMITS.mail_retries) return null;
  const seconds =
    FIXED_LIMITS.mail_retry_s * FIXED_LIMITS.mail_retry_factor ** (failedAttempts - 1);
  return seconds * SECOND_MS;
}

/** Failed attempts since the mail server last accepted an email. */
export type FailureRun = {
  /** Failures other than refused recipients. */
  failures: number;
  /** Refused addresses without duplicates, up to `mail_refused_row`. */
  refusedAddresses: readonly string[];
};

export const EMPTY_FAILURE_RUN: FailureRun = { failures: 0, refusedAddresses: [] };

export function addFailure(run: FailureRun, to: string, refusedPart: RefusedPart): FailureRun {
  if (refusedPart !== "recipient") return { ...run, failures: run.failures + 1 };
  const isAlreadyCounted =
    run.refusedAddresses.includes(to) ||
    run.refusedAddresses.length >= FIXED_LIMITS.mail_refused_row;
  return isAlreadyCounted ? run : { ...run, refusedAddresses: [...run.refusedAddresses, to] };
}

/**
 * Returns why transactional email counts as down after the latest failure, or null if it doesn't. A
 * single refused recipient says nothing about the server, but refusals of many recipients do.
 */
export function outageCause(run: FailureRun, refusedPart: RefusedPart): IncidentCause | null {
  if (refusedPart === "login") return "login_refused";
  if (refusedPart === "sender") return "sender_refused";
  if (run.failures >= FIXED_LIMITS.mail_outage_failures) return "many_failures";
  return run.refusedAddresses.length >= FIXED_LIMITS.mail_refused_row ? "recipients_refused" : null;
}
