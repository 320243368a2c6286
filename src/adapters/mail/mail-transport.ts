import type { TransactionalEmail, RenderedEmail } from "#core/accounts/transactional-email.ts";
import type { NotificationKind } from "#core/mail/email-notification.ts";

export type OutgoingEmail = {
  id: string;
  to: string;
  content: TransactionalEmail | { type: NotificationKind };
  rendered: RenderedEmail;
  at: Date;
  /** One-click unsubscribe link. Not set for transactional email. */
  unsubscribe?: string;
};

/**
 * Sends an email. Resolves with the mail server's reply code, or null for a transport without
 * replies. Rejects if the email wasn't accepted or the outcome is unknown.
 */
export type MailTransport = (email: OutgoingEmail, signal: AbortSignal) => Promise<number | null>;
