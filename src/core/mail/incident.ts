// When the mail server's answers stop the sending, and of what.

import { FIXED } from "#core/words/limits.ts";

import type { DeliveryEnd, MailCategory } from "./delivery.ts";

/** All mail that can be refused. */
export const ALL_MAIL = "*";
export type IncidentScope = typeof ALL_MAIL | MailCategory;

/** Whether it also keeps warnings from admins. */
export const holdsWarnings = (scope: IncidentScope): boolean =>
  scope === ALL_MAIL || scope === "admin_warnings";

/** Our words; those of a mail server may quote addresses. */
export const INCIDENT_CAUSES = ["login_refused", "sender_refused", "many_failures"] as const;
export type IncidentCause = (typeof INCIDENT_CAUSES)[number];

/** What a mail server refused, if it said so. */
const REFUSED_PARTS = ["login", "sender", "recipient"] as const;
export type RefusedPart = (typeof REFUSED_PARTS)[number] | null;

/** How the end of a letter is noted whose address was refused: that tells of no trouble of the server's. */
export const RECIPIENT_REFUSED = "recipient_refused";

export type NewIncident = { scope: IncidentScope; cause: IncidentCause };

/**
 * What an end opens. `recent` are the ends since the last incident of all mail was resolved, this
 * one included, newest first, and as many as `mail_failures` at most; without those of letters whose
 * address was refused, which anybody can bring about.
 */
export function incidentAfter(
  category: MailCategory,
  refused: RefusedPart,
  recent: readonly DeliveryEnd[],
): NewIncident | null {
  if (refused === "login") return { scope: ALL_MAIL, cause: "login_refused" };
  if (refused === "sender") return { scope: category, cause: "sender_refused" };
  if (refused === "recipient") return null;
  const isRun = recent.length >= FIXED.mail_failures && recent.every((end) => end !== "accepted");
  return isRun ? { scope: ALL_MAIL, cause: "many_failures" } : null;
}
