// When the mail server's answers stop the sending, and of what.

import { FIXED } from "#core/words/limits.ts";

import type { DeliveryEnd, MailCategory } from "./delivery.ts";

/** All mail that can be refused. */
export const ALL_MAIL = "*";
/** Transactional email, which no incident holds back: it is retried, and the next success resolves. */
export const TRANSACTIONAL = "transactional";
export type IncidentScope = typeof ALL_MAIL | typeof TRANSACTIONAL | MailCategory;

/** Whether it also keeps warnings from admins. */
export const holdsWarnings = (scope: IncidentScope): boolean =>
  scope === ALL_MAIL || scope === "admin_warnings";

/** Our words; those of a mail server may quote addresses. */
export const INCIDENT_CAUSES = [
  "login_refused",
  "sender_refused",
  "many_failures",
  "recipients_refused",
] as const;
export type IncidentCause = (typeof INCIDENT_CAUSES)[number];

/** What a mail server refused, if it said so. */
const REFUSED_PARTS = ["login", "sender", "recipient"] as const;
export type RefusedPart = (typeof REFUSED_PARTS)[number] | null;

/** The stored error of a refused recipient. One alone says nothing about the server. */
export const RECIPIENT_REFUSED = "recipient_refused";

export type NewIncident = { scope: IncidentScope; cause: IncidentCause };

/**
 * Returns the incident that a failed delivery opens, if any. `recent` are the results since the last
 * incident of all mail was resolved, this one included, newest first, `mail_failures` at most, without
 * refused recipients. `refusals` are the refused recipients since the server last accepted an email,
 * as a number for each account.
 */
export function incidentAfter(
  category: MailCategory,
  refused: RefusedPart,
  recent: readonly DeliveryEnd[],
  refusals: readonly number[],
): NewIncident | null {
  if (refused === "login") return { scope: ALL_MAIL, cause: "login_refused" };
  if (refused === "sender") return { scope: category, cause: "sender_refused" };
  if (refused === "recipient")
    return isServerFault(refusals) ? { scope: ALL_MAIL, cause: "recipients_refused" } : null;
  const isRun = recent.length >= FIXED.mail_failures && recent.every((end) => end !== "accepted");
  return isRun ? { scope: ALL_MAIL, cause: "many_failures" } : null;
}

/**
 * Whether refusals in a row, as a number for each recipient, point to the server (a blocked IP
 * address, relaying denied) rather than to the mailboxes.
 */
function isServerFault(refusals: readonly number[]): boolean {
  const total = refusals.reduce((sum, count) => sum + count, 0);
  return refusals.length > 1 && total >= FIXED.mail_refused_row;
}
