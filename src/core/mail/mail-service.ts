import type { NamedCounts } from "#base/util/named-counts.ts";
import type { RenderedEmail } from "#core/accounts/transactional-email.ts";

import type { DeliveryResult } from "./delivery.ts";
import type { EmailNotification } from "./email-notification.ts";
import type { TransactionalReport } from "./transactional.ts";
import type { UnsubscribeRequest } from "./unsubscribe.ts";

export const MAIL_TRANSPORTS = ["smtp", "outbox"] as const;

export type MailService = {
  transport: (typeof MAIL_TRANSPORTS)[number];
  /** From address; null for the outbox. */
  from: string | null;
  /**
   * Whether optional emails are created. False for the outbox, where they would only fill a file.
   */
  isEnabled: boolean;
  /** Covers only this process, because transactional email is queued in memory. */
  transactional: () => TransactionalReport;
  /** Optional emails sent by this process, by outcome. */
  optionalResults: NamedCounts<DeliveryResult | "skipped">;
  /** Renders an email as it would be sent, but without an unsubscribe link. */
  render: (notification: EmailNotification) => RenderedEmail;
  /** Returns the request in an unsubscribe link, or null if the token is invalid or expired. */
  parseUnsubscribeToken: (token: string) => UnsubscribeRequest | null;
};
