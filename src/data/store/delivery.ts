// Deliveries of optional email. Each row is one email to one account. Rows contain no address: the
// email goes to the account's address at the time of sending.

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
import { readsUncached, writes } from "./store-method.ts";

export type NewDelivery = {
  /** UUIDv7, also used in the Message-ID. */
  id: string;
  accountId: AccountId;
  category: MailCategory;
  /** What the email is about. An account gets at most one email per category and subject. */
  subject: string;
  notice: EmailNotification;
  announcementId: string | null;
  created: string;
  /** Earliest time to send the email. */
  due: string;
};

export type DeliveryRecord = Omit<NewDelivery, "notice"> & {
  /** Null after the content is deleted. */
  notice: EmailNotification | null;
  state: DeliveryState;
  attempt: number;
  started: string | null;
  ended: string | null;
  /** SMTP response code from the mail server, if any. */
  responseCode: number | null;
  /** Error code from this server, or the reason why the email was skipped. */
  error: string | null;
  messageId: string | null;
};

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

/** `scheduled` counts emails that aren't due yet. */
export type QueueCounts = DeliveryCounts & { scheduled: number };

/**
 * An account that gets no optional email, because the mail server has refused its address too
 * often.
 */
export type SuppressedAccount = { accountId: AccountId; handle: string | null; refusals: number };

export type MailMark = { name: string; value: string };

export const DELIVERIES = {
  /**
   * Queues deliveries that are new and whose account exists. Stores the marks in the same
   * transaction. Returns how many were queued.
   */
  queue: writes<(rows: readonly NewDelivery[], marks: readonly MailMark[]) => Promise<number>>(
    () => [],
  ),
  /**
   * Starts the oldest delivery that is due and not blocked by an incident. The delivery becomes
   * `sending` or `skipped`. `host` is the domain of the Message-ID. Returns null if no delivery is
   * due.
   */
  begin: writes<(at: string, host: string) => Promise<StartedDelivery | null>>(() => []),
  /**
   * Records the outcome of a delivery. Does nothing unless the delivery is `sending`. Returns the
   * incident if one opens, with the ID and time of the audit entry.
   */
  end: writes<
    (id: string, outcome: DeliveryOutcome, audit: AuditEntry) => Promise<NewIncident | null>
  >((incident) => (incident === null ? [] : ["audit"])),
  /** Marks deliveries that an ended process left as `sending` as `unknown`. Returns how many. */
  interrupt: writes<(at: string) => Promise<number>>(() => []),
  /** Queues the failed emails of an announcement again. Returns how many. */
  retry: writes<(announcementId: string, at: string, audit: AuditEntry) => Promise<number>>(() => [
    "audit",
  ]),
  /**
   * Deletes the content of up to `limit` emails that ended before the instant. Returns how many.
   */
  sweep: writes<(endedBefore: string, limit: number) => Promise<number>>(() => []),
  /** Counts emails that aren't due at the instant as `scheduled` instead of `pending`. */
  counts: readsUncached<(at: string) => Promise<QueueCounts>>(),
  /** Returns how many emails failed or had an unknown outcome since the instant. */
  notSentSince: readsUncached<(since: string) => Promise<number>>(),
  /** Returns counts by announcement. Omits announcements without deliveries. */
  countsByAnnouncement:
    readsUncached<
      (announcementIds: readonly string[]) => Promise<ReadonlyMap<string, DeliveryCounts>>
    >(),
  /** Returns deliveries, newest first. */
  list: readsUncached<(limit: number) => Promise<DeliveryRecord[]>>(),
  /** Returns deliveries, newest first. */
  listByAccount:
    readsUncached<(accountId: AccountId, limit: number) => Promise<DeliveryRecord[]>>(),
  /** Returns an account's latest delivery in a category whose subject starts with this prefix. */
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
  /** Returns how many accounts are suppressed, and the oldest `limit` of these accounts. */
  listSuppressed:
    readsUncached<(limit: number) => Promise<{ total: number; accounts: SuppressedAccount[] }>>(),
  /**
   * Clears an account's refusals, so that it gets optional email again. Returns false, without an
   * audit entry, if the account wasn't suppressed.
   */
  unsuppress: writes<(accountId: AccountId, audit: AuditEntry) => Promise<boolean>>((isCleared) =>
    isCleared ? ["audit"] : [],
  ),
};

/** Why optional email has stopped. An operator must resolve the incident. */
export type IncidentRecord = {
  id: string;
  scope: IncidentScope;
  opened: string;
  cause: IncidentCause;
  resolved: string | null;
  resolvedBy: string | null;
  resolution: string | null;
};

export const INCIDENTS = {
  /** Returns incidents, newest first. */
  list: readsUncached<(limit: number) => Promise<IncidentRecord[]>>(),
  /** Returns false if the scope already has an open incident. */
  open: writes<(incident: NewIncident, audit: AuditEntry) => Promise<boolean>>((isNew) =>
    isNew ? ["audit"] : [],
  ),
  /** Takes reason and time from the audit entry. Returns null if the scope has no open incident. */
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

/** `bots` are those that have played a ranked match, oldest first. */
export type RecipientWithBots = RecipientRecord & { bots: { id: BotId; name: string }[] };

export type BotResults = { games: number; wins: number; draws: number; losses: number };

/** Recipients are ordered by account ID. */
export type RecipientPage = { after: AccountId | null; limit: number };

export const EMAIL_RECIPIENTS = {
  /** Returns recipients whose bots played on one of these days (YYYY-MM-DD). */
  withPlayedBots:
    readsUncached<(days: readonly string[], page: RecipientPage) => Promise<RecipientWithBots[]>>(),
  /**
   * Returns the active members of a ladder. On ladders with seasons, returns accounts with a bot
   * that has played on the ladder.
   */
  onLadder:
    readsUncached<(ladderId: LadderId, page: RecipientPage) => Promise<RecipientRecord[]>>(),
  /** Returns results of matches that ended at or after `from` and before `until`. */
  results:
    readsUncached<(botId: BotId, span: { from: string; until: string }) => Promise<BotResults>>(),
  /**
   * Returns the latest match that ended after the instant and was voided because of a server fault.
   */
  latestServerFault:
    readsUncached<
      (
        ladderIds: readonly LadderId[],
        since: string,
      ) => Promise<{ id: string; ended: string } | null>
    >(),
};
