// Deliveries of optional email: each row is one email to one account. Rows have no address: the
// account's current address is used when the email is sent.

import type { EmailSettings } from "#core/accounts/account.ts";
import type { AccountId, BotId, LadderId } from "#core/ids/ids.ts";
import type {
  DeliveryCounts,
  DeliveryResult,
  DeliveryState,
  MailCategory,
} from "#core/mail/delivery.ts";
import type { EmailNotification, NotificationKind } from "#core/mail/email-notification.ts";
import type {
  IncidentCause,
  IncidentScope,
  NewIncident,
  RefusedPart,
} from "#core/mail/incident.ts";
import type { SkipReason } from "#core/mail/skip-reason.ts";

import type { AuditEntry } from "./audit.ts";
import { readsUncached, writes } from "./method.ts";

export type NewDelivery = {
  /** A UUIDv7, also used in its Message-ID. */
  id: string;
  accountId: AccountId;
  category: MailCategory;
  /** Subject of the email. An account gets only one email per category and subject, ever. */
  subject: string;
  notice: EmailNotification;
  announcementId: string | null;
  created: string;
  /** Earliest time to send. */
  due: string;
};

export type DeliveryRecord = Omit<NewDelivery, "notice"> & {
  /** Null once its content is deleted. */
  notice: EmailNotification | null;
  state: DeliveryState;
  /** Number of attempts to hand it to the mail server. */
  attempt: number;
  started: string | null;
  ended: string | null;
  /** Response of the mail server, if any. */
  responseCode: number | null;
  /** Our code for the error, or for the reason it was skipped. */
  error: string | null;
  messageId: string | null;
};

/** An email to send now, or one that was skipped. */
export type StartedDelivery =
  | {
      id: string;
      to: string;
      accountId: AccountId;
      category: MailCategory;
      notice: EmailNotification;
    }
  | { id: string; skipped: SkipReason };

export type DeliveryOutcome = {
  at: string;
  state: DeliveryResult;
  responseCode: number | null;
  error: string | null;
  refused: RefusedPart;
};

/** `scheduled` emails aren't due yet. */
export type QueueCounts = DeliveryCounts & { scheduled: number };

/**
 * An account that gets no optional email because the mail server repeatedly refused its address.
 */
export type SuppressedAccount = { accountId: AccountId; handle: string | null; refusals: number };

/** Marks an item as processed. */
export type MailMark = { name: string; value: string };

export const DELIVERIES = {
  /**
   * Queues the deliveries that are new and whose account exists; returns how many. Stores the marks
   * in the same transaction.
   */
  queue: writes<(rows: readonly NewDelivery[], marks: readonly MailMark[]) => Promise<number>>(
    () => [],
  ),
  /**
   * Starts the oldest delivery that is due at that instant and not blocked by an incident: it
   * becomes `sending` or `skipped`. `host` is the domain of its Message-ID. Null if there is none.
   */
  begin: writes<(at: string, host: string) => Promise<StartedDelivery | null>>(() => []),
  /**
   * Records the end of a delivery that is `sending`; does nothing otherwise. Returns the incident
   * that it opens, with the ID and time of the audit entry.
   */
  end: writes<
    (id: string, outcome: DeliveryOutcome, audit: AuditEntry) => Promise<NewIncident | null>
  >((incident) => (incident === null ? [] : ["audit"])),
  /** Marks deliveries left `sending` by an ended process as `unknown`. Returns how many. */
  interrupt: writes<(at: string) => Promise<number>>(() => []),
  /** Queues the failed emails of an announcement again. Returns how many. */
  retry: writes<(announcementId: string, at: string, audit: AuditEntry) => Promise<number>>(() => [
    "audit",
  ]),
  /** Deletes the content of up to `limit` emails that ended before. Returns how many. */
  sweep: writes<(endedBefore: string, limit: number) => Promise<number>>(() => []),
  /** Emails that aren't due yet at that instant count as `scheduled`, not `pending`. */
  counts: readsUncached<(at: string) => Promise<QueueCounts>>(),
  /** Returns how many failed or got an unknown outcome from that instant on. */
  notSentSince: readsUncached<(since: string) => Promise<number>>(),
  /** By announcement; omits announcements without deliveries. */
  countsByAnnouncement:
    readsUncached<
      (announcementIds: readonly string[]) => Promise<ReadonlyMap<string, DeliveryCounts>>
    >(),
  /** Newest first. */
  list: readsUncached<(limit: number) => Promise<DeliveryRecord[]>>(),
  /** Newest first. */
  listByAccount:
    readsUncached<(accountId: AccountId, limit: number) => Promise<DeliveryRecord[]>>(),
  /** An account's latest delivery in a category whose subject has this prefix. */
  latest: readsUncached<
    (
      accountId: AccountId,
      category: MailCategory,
      subject: string,
    ) => Promise<
      | (Pick<NewDelivery, "created"> & {
          kind: NotificationKind;
          state: DeliveryState;
        })
      | null
    >
  >(),
  findMark: readsUncached<(name: string) => Promise<string | null>>(),
  /** Returns how many accounts are suppressed, and the oldest `limit` of them. */
  listSuppressed:
    readsUncached<(limit: number) => Promise<{ total: number; accounts: SuppressedAccount[] }>>(),
  /**
   * Clears the refusals of an account, so that it gets optional email again. Returns false, without
   * an audit entry, if the account wasn't suppressed.
   */
  unsuppress: writes<(accountId: AccountId, audit: AuditEntry) => Promise<boolean>>((isCleared) =>
    isCleared ? ["audit"] : [],
  ),
};

/** Why optional email is stopped, until an operator resolves the incident. */
export type IncidentRecord = {
  id: string;
  scope: IncidentScope;
  opened: string;
  cause: IncidentCause;
  /** Null while it is open. */
  resolved: string | null;
  /** Handle of the operator who resolved it. */
  resolvedBy: string | null;
  /** The operator's note. */
  resolution: string | null;
};

export const INCIDENTS = {
  /** Newest first. */
  list: readsUncached<(limit: number) => Promise<IncidentRecord[]>>(),
  /** Returns false if an incident of that scope is already open. */
  open: writes<(incident: NewIncident, audit: AuditEntry) => Promise<boolean>>((isNew) =>
    isNew ? ["audit"] : [],
  ),
  /** Takes reason and time from the audit entry. Null if no incident of that scope is open. */
  resolve: writes<
    (
      scope: IncidentScope,
      resolvedBy: string | null,
      audit: AuditEntry,
    ) => Promise<IncidentRecord | null>
  >((incident) => (incident === null ? [] : ["audit"])),
};

/** A person with a confirmed address who isn't banned. */
export type RecipientRecord = { accountId: AccountId; mail: EmailSettings };

/** With their bots that played a ranked match, oldest first. */
export type RecipientWithBots = RecipientRecord & { bots: { id: BotId; name: string }[] };

/** Of a bot, in rated matches. */
export type BotResults = { games: number; wins: number; draws: number; losses: number };

/** A page of recipients, ordered by account ID. */
export type RecipientPage = { after: AccountId | null; limit: number };

/** Data for optional emails: recipients and their bots' results. */
export const EMAIL_RECIPIENTS = {
  /** Recipients whose bots played on one of these days, such as `2026-01-05`. */
  withPlayedBots:
    readsUncached<(days: readonly string[], page: RecipientPage) => Promise<RecipientWithBots[]>>(),
  /**
   * Active members of a ladder; on a ladder with seasons, those with a bot that has played there.
   */
  onLadder:
    readsUncached<(ladderId: LadderId, page: RecipientPage) => Promise<RecipientRecord[]>>(),
  /** Matches that ended at `from` or later, and before `until`. */
  results:
    readsUncached<(botId: BotId, span: { from: string; until: string }) => Promise<BotResults>>(),
  /** The latest match voided by a server fault that ended after an instant. */
  latestServerFault:
    readsUncached<
      (
        ladderIds: readonly LadderId[],
        since: string,
      ) => Promise<{ id: string; ended: string } | null>
    >(),
};
