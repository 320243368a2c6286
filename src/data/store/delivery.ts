// Letters of the second lane on their way: each row is one letter to one account. No row has an
// address: that is the account's, as it is when the letter goes out.

import type { MailChoice } from "#core/accounts/account.ts";
import type {
  DeliveryCounts,
  DeliveryEnd,
  DeliveryState,
  MailCategory,
} from "#core/mail/delivery.ts";
import type { Skip } from "#core/mail/gate.ts";
import type {
  IncidentCause,
  IncidentScope,
  NewIncident,
  RefusedPart,
} from "#core/mail/incident.ts";
import type { MailNotice, NoticeKind } from "#core/mail/notice.ts";
import type { AccountId, BotId, LadderId } from "#core/words/ids.ts";

import type { AuditEntry } from "./audit.ts";
import { looks, writes } from "./method.ts";

export type NewDelivery = {
  /** A UUIDv7; also of its Message-ID. */
  id: string;
  accountId: AccountId;
  category: MailCategory;
  /** What it is about. An account gets one letter of a category about a subject, ever. */
  subject: string;
  notice: MailNotice;
  announcementId: string | null;
  created: string;
  /** It does not go out before. */
  due: string;
};

export type DeliveryRecord = Omit<NewDelivery, "notice"> & {
  /** Null once its content is forgotten. */
  notice: MailNotice | null;
  state: DeliveryState;
  /** How often it was handed to the mail server. */
  attempt: number;
  started: string | null;
  ended: string | null;
  /** What the mail server answered, if it did. */
  responseCode: number | null;
  /** Our word for what went wrong, or why it was skipped. */
  error: string | null;
  messageId: string | null;
};

/** A letter that must be handed over now, or one that was not to be. */
export type Begun =
  | { id: string; to: string; accountId: AccountId; category: MailCategory; notice: MailNotice }
  | { id: string; skipped: Skip };

export type DeliveryOutcome = {
  at: string;
  state: DeliveryEnd;
  responseCode: number | null;
  error: string | null;
  refused: RefusedPart;
};

/** `scheduled` emails wait for their time. */
export type QueueCounts = DeliveryCounts & { scheduled: number };

/** An account that gets no optional email, because the mail server refused its address repeatedly. */
export type SuppressedAccount = { accountId: AccountId; handle: string | null; refusals: number };

/** Something that was looked at, so that it is not looked at again. */
export type MailMark = { name: string; value: string };

export const DELIVERIES = {
  /**
   * Takes those whose account is there and was not told yet; resolves with how many. With the marks
   * it is one transaction.
   */
  queue: writes<(rows: readonly NewDelivery[], marks: readonly MailMark[]) => Promise<number>>(
    () => [],
  ),
  /**
   * Begins the oldest that is due at that instant and that no incident holds: it is `sending` from
   * now on, or `skipped`. `host` ends its Message-ID. Null if there is none.
   */
  begin: writes<(at: string, host: string) => Promise<Begun | null>>(() => []),
  /**
   * Notes the end of one that is `sending`; else nothing. Resolves with the incident that it opens,
   * which has the id and time of the entry in the audit.
   */
  end: writes<
    (id: string, outcome: DeliveryOutcome, audit: AuditEntry) => Promise<NewIncident | null>
  >((incident) => (incident === null ? [] : ["audit"])),
  /** What was `sending` when a process ended is `unknown`. Resolves with how many there were. */
  interrupt: writes<(at: string) => Promise<number>>(() => []),
  /** The failed ones of an announcement are pending again. Resolves with how many. */
  retry: writes<(announcementId: string, at: string, audit: AuditEntry) => Promise<number>>(() => [
    "audit",
  ]),
  /** Forgets the content of up to `most` that ended before. Resolves with how many. */
  sweep: writes<(before: string, most: number) => Promise<number>>(() => []),
  /** Emails that are not due yet at that instant count as `scheduled`, not as `pending`. */
  counts: looks<(at: string) => Promise<QueueCounts>>(),
  /** Returns how many failed or got an unknown outcome from that instant on. */
  notSentSince: looks<(since: string) => Promise<number>>(),
  /** By announcement; those without deliveries have none. */
  countsOf:
    looks<(announcementIds: readonly string[]) => Promise<ReadonlyMap<string, DeliveryCounts>>>(),
  /** Newest first. */
  list: looks<(most: number) => Promise<DeliveryRecord[]>>(),
  /** Newest first. */
  ofAccount: looks<(accountId: AccountId, most: number) => Promise<DeliveryRecord[]>>(),
  /** The latest of an account in a category whose subject begins like this. */
  latest: looks<
    (
      accountId: AccountId,
      category: MailCategory,
      subject: string,
    ) => Promise<
      | (Pick<NewDelivery, "created"> & {
          kind: NoticeKind;
          state: DeliveryState;
        })
      | null
    >
  >(),
  mark: looks<(name: string) => Promise<string | null>>(),
  /** Returns how many accounts are suppressed, and the oldest `most` of them. */
  suppressed: looks<(most: number) => Promise<{ total: number; accounts: SuppressedAccount[] }>>(),
  /**
   * Forgets the refusals of an account, so that it gets optional email again. Returns false, and
   * writes no audit entry, if the account was not suppressed.
   */
  unsuppress: writes<(accountId: AccountId, audit: AuditEntry) => Promise<boolean>>((isCleared) =>
    isCleared ? ["audit"] : [],
  ),
};

/** What stopped mail that can be refused, until an operator resolves it. */
export type IncidentRecord = {
  id: string;
  scope: IncidentScope;
  opened: string;
  cause: IncidentCause;
  /** Null while it is open. */
  resolved: string | null;
  /** The handle of who resolved it. */
  resolvedBy: string | null;
  /** What they said of it. */
  resolution: string | null;
};

export const INCIDENTS = {
  /** Newest first. */
  list: looks<(most: number) => Promise<IncidentRecord[]>>(),
  /** Returns false if an incident of that scope is open already. */
  open: writes<(incident: NewIncident, audit: AuditEntry) => Promise<boolean>>((isNew) =>
    isNew ? ["audit"] : [],
  ),
  /** The reason and the time are the entry's. Null if none of that scope is open. */
  resolve: writes<
    (scope: IncidentScope, by: string | null, audit: AuditEntry) => Promise<IncidentRecord | null>
  >((incident) => (incident === null ? [] : ["audit"])),
};

/** Somebody with a confirmed address, who is not banned. */
export type LetterReader = { accountId: AccountId; mail: MailChoice };

/** With their bots that played a ranked game, the oldest first. */
export type PlayingReader = LetterReader & { bots: { id: BotId; name: string }[] };

/** Of a bot, in rated matches. */
export type BotResults = { games: number; wins: number; draws: number; losses: number };

/** Part of all readers, by account id, after that of a page before. */
export type ReaderPage = { after: AccountId | null; most: number };

/** What letters are made from: who may get one, and what their bots did. */
export const READERS = {
  /** Those whose bots played on one of these days, such as `2026-01-05`. */
  playing: looks<(days: readonly string[], page: ReaderPage) => Promise<PlayingReader[]>>(),
  /** Active members of a ladder; on one with seasons, those with a bot that has played there. */
  onLadder: looks<(ladderId: LadderId, page: ReaderPage) => Promise<LetterReader[]>>(),
  /** Of games that ended at `from` or later, and before `until`. */
  results: looks<(botId: BotId, span: { from: string; until: string }) => Promise<BotResults>>(),
  /** The latest match that a fault of the server voided, and that ended after an instant. */
  latestFault:
    looks<
      (
        ladderIds: readonly LadderId[],
        since: string,
      ) => Promise<{ id: string; ended: string } | null>
    >(),
};
