// Announcements by operators.

import type { RenderedEmail } from "#core/accounts/transactional-email.ts";
import type {
  AnnouncementText,
  NewAnnouncement,
  OperatorAnnouncement,
} from "#core/api/announcement-lifecycle.ts";
import type { AccountId, AnnouncementId } from "#core/ids/ids.ts";

import type { AuditEntry } from "./audit.ts";
import { readsUncached, reads, writes } from "./method.ts";

/** Recipient of an announcement email, with the delivery ID. */
export type AnnouncementRecipient = { accountId: AccountId; deliveryId: string };

/** As shown on the pages. */
export type AnnouncementNotice = AnnouncementText & { id: AnnouncementId; published: string };

const changedSubjects = (outcome: unknown) =>
  typeof outcome === "string" || outcome === null || outcome === false
    ? []
    : ["announcements", "audit"];

/** Steps that change nothing aren't audited. Null if the announcement doesn't exist. */
export const ANNOUNCEMENTS = {
  /** Counts its audience. Safe to repeat with the same ID. */
  add: writes<(draft: NewAnnouncement, audit: AuditEntry) => Promise<OperatorAnnouncement>>(
    changedSubjects,
  ),
  /** Newest first. */
  list: reads<(limit: number) => Promise<OperatorAnnouncement[]>>(() => ["announcements"]),
  byId: reads<(id: AnnouncementId) => Promise<OperatorAnnouncement | null>>(() => [
    "announcements",
  ]),
  /** Published announcements, latest first. */
  notices: reads<(limit: number) => Promise<AnnouncementNotice[]>>(() => ["announcements"]),
  /** `email` is the email with the new text. */
  reword:
    writes<
      (
        id: AnnouncementId,
        text: AnnouncementText,
        email: RenderedEmail | null,
        audit: AuditEntry,
      ) => Promise<OperatorAnnouncement | "announcement_archived" | null>
    >(changedSubjects),
  /**
   * Returns the accounts that were subscribed when it was drafted and still exist, oldest first.
   * Accounts that opted out since are skipped when their email is due. Empty once it is published.
   */
  readers: readsUncached<(announcement: OperatorAnnouncement) => Promise<AccountId[]>>(),
  /**
   * Publishes at the time of the audit entry and queues the emails, due at that time, in the same
   * transaction.
   */
  publish:
    writes<
      (
        id: AnnouncementId,
        recipients: readonly AnnouncementRecipient[],
        audit: AuditEntry,
      ) => Promise<OperatorAnnouncement | "preview_expired" | "announcement_archived" | null>
    >(changedSubjects),
  archive:
    writes<(id: AnnouncementId, audit: AuditEntry) => Promise<OperatorAnnouncement | null>>(
      changedSubjects,
    ),
  /**
   * Deletes up to `limit` announcements that are older and were never published. Returns how many.
   */
  sweepDrafts: writes<(createdBefore: string, limit: number) => Promise<number>>((sweptCount) =>
    sweptCount === 0 ? [] : ["announcements"],
  ),
  /** Deletes its delivery records too, and cancels emails that are still queued. */
  delete: writes<(id: AnnouncementId, audit: AuditEntry) => Promise<boolean>>(changedSubjects),
};
