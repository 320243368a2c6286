// Transport of emails: an SMTP server or a file for the operator.

import type { TransactionalEmail, RenderedEmail } from "#core/accounts/transactional-email.ts";
import type { NotificationKind } from "#core/mail/email-notification.ts";

/** An email ready to be sent. */
export type OutgoingEmail = {
  /** A UUID. */
  id: string;
  to: string;
  content: TransactionalEmail | { type: NotificationKind };
  rendered: RenderedEmail;
  at: Date;
  /** Unsubscribe link; absent for transactional email. */
  unsubscribe?: string;
};

/**
 * Returns the mail server's reply code, or null without one. Rejects if the email did not arrive or
 * the outcome is unknown.
 */
export type MailTransport = (email: OutgoingEmail, signal: AbortSignal) => Promise<number | null>;
