// The interface of optional email to the rest of the server.

import type { NamedCounts } from "#base/util/named-counts.ts";
import type { RenderedEmail } from "#core/accounts/transactional-email.ts";

import type { DeliveryResult } from "./delivery.ts";
import type { EmailNotification } from "./email-notification.ts";
import type { TransactionalReport } from "./transactional.ts";
import type { UnsubscribeRequest } from "./unsubscribe.ts";

export const MAIL_TRANSPORTS = ["smtp", "outbox"] as const;

export type MailService = {
  transport: (typeof MAIL_TRANSPORTS)[number];
  /** From address for outgoing email; null for the outbox. */
  from: string | null;
  /** Whether optional emails are created. Off for the outbox, where they'd only fill a file. */
  isEnabled: boolean;
  /** Of this process, which queues transactional email in memory. */
  transactional: () => TransactionalReport;
  /** Optional emails of this process by outcome. */
  optionalResults: NamedCounts<DeliveryResult | "skipped">;
  /** Renders an email as sent, without an unsubscribe link. */
  render: (notification: EmailNotification) => RenderedEmail;
  /** Returns the request in an unsubscribe link; null if it's invalid or expired. */
  parseUnsubscribeToken: (token: string) => UnsubscribeRequest | null;
};
