// What the rest of the server is given of the second lane.

import type { NamedCounts } from "#base/units/named-counts.ts";
import type { WrittenLetter } from "#core/accounts/letter.ts";

import type { DeliveryEnd } from "./delivery.ts";
import type { MailNotice } from "./notice.ts";
import type { TransactionalReport } from "./transactional.ts";
import type { Unsubscribing } from "./unsubscribe.ts";

export const TRANSPORTS = ["smtp", "outbox"] as const;

export type MailSide = {
  transport: (typeof TRANSPORTS)[number];
  /** The mailbox that letters come from; null for the outbox. */
  from: string | null;
  /** Whether letters that people may refuse are made: not where they would wait in a file. */
  isOn: boolean;
  /** Of this process, which keeps transactional email in memory. */
  transactional: () => TransactionalReport;
  /** Optional emails of this process by outcome. */
  optionalEnds: NamedCounts<DeliveryEnd | "skipped">;
  /** As its readers get it, without a link to refuse it. */
  write: (notice: MailNotice) => WrittenLetter;
  /** What a link says that refuses a category; null if it is not one of ours, or has run out. */
  readUnsubscribe: (token: string) => Unsubscribing | null;
};
