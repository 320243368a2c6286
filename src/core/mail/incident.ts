// Decides when failed deliveries pause sending, and for which categories.

import { FIXED_LIMITS } from "#core/limits/limits.ts";

import type { DeliveryResult, MailCategory } from "./delivery.ts";

export const ALL_OPTIONAL_EMAIL = "*";
/**
 * Scope of transactional email. Incidents don't pause it: failed emails are retried, and the next
 * success resolves the incident.
 */
export const TRANSACTIONAL_SCOPE = "transactional";
export type IncidentScope = typeof ALL_OPTIONAL_EMAIL | typeof TRANSACTIONAL_SCOPE | MailCategory;

export const blocksWarnings = (scope: IncidentScope): boolean =>
  scope === ALL_OPTIONAL_EMAIL || scope === "admin_warnings";

/** Our own wording, because text from a mail server may quote addresses. */
export const INCIDENT_CAUSES = [
  "login_refused",
  "sender_refused",
  "many_failures",
  "recipients_refused",
] as const;
export type IncidentCause = (typeof INCIDENT_CAUSES)[number];

/** What the mail server refused; null if unknown. */
const REFUSED_PARTS = ["login", "sender", "recipient"] as const;
export type RefusedPart = (typeof REFUSED_PARTS)[number] | null;

/** Stored as the error of a refused recipient. A single refusal says nothing about the server. */
export const RECIPIENT_REFUSED = "recipient_refused";

export type NewIncident = { scope: IncidentScope; cause: IncidentCause };

/**
 * Returns the incident that a failed delivery opens, or null. `recentResults` are the results since
 * the last incident for all optional email was resolved, including this one: newest first, up to
 * `mail_failures`, excluding refused recipients. `refusals` contains the number of refusals of each
 * account since the server last accepted an email.
 */
export function detectIncident(
  category: MailCategory,
  refusedPart: RefusedPart,
  recentResults: readonly DeliveryResult[],
  refusals: readonly number[],
): NewIncident | null {
  if (refusedPart === "login") return { scope: ALL_OPTIONAL_EMAIL, cause: "login_refused" };
  if (refusedPart === "sender") return { scope: category, cause: "sender_refused" };
  if (refusedPart === "recipient")
    return isServerProblem(refusals)
      ? { scope: ALL_OPTIONAL_EMAIL, cause: "recipients_refused" }
      : null;
  const isFailureRun =
    recentResults.length >= FIXED_LIMITS.mail_failures &&
    recentResults.every((result) => result !== "accepted");
  return isFailureRun ? { scope: ALL_OPTIONAL_EMAIL, cause: "many_failures" } : null;
}

/**
 * Returns whether consecutive refusals are caused by the server (a blocked IP address, denied
 * relaying) rather than by the mailboxes. `refusals` contains one number per recipient.
 */
function isServerProblem(refusals: readonly number[]): boolean {
  const total = refusals.reduce((sum, count) => sum + count, 0);
  return refusals.length > 1 && total >= FIXED_LIMITS.mail_refused_row;
}
