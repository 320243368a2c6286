import type { RenderedEmail } from "#core/accounts/transactional-email.ts";
import type {
  AnnouncementText,
  NewAnnouncement,
  OperatorAnnouncement,
} from "#core/api/announcement-lifecycle.ts";
import type { AccountId, AnnouncementId } from "#core/ids/ids.ts";

import type { AuditEntry } from "./audit.ts";
import { readsUncached, reads, writes } from "./store-method.ts";

export type AnnouncementRecipient = { accountId: AccountId; deliveryId: string };

export type AnnouncementNotice = AnnouncementText & { id: AnnouncementId; published: string };

const changedSubjects = (outcome: unknown) =>
  typeof outcome === "string" || outcome === null || outcome === false
    ? []
    : ["announcements", "audit"];

/**
 * Changes that have no effect aren't audited. Methods return null if the announcement doesn't
 * exist.
 */
export const ANNOUNCEMENTS = {
  /** Adds a draft, recording its audience. Safe to repeat with the same ID. */
  add: writes<(draft: NewAnnouncement, audit: AuditEntry) => Promise<OperatorAnnouncement>>(
    changedSubjects,
  ),
  /** Returns announcements, newest first. */
  list: reads<(limit: number) => Promise<OperatorAnnouncement[]>>(() => ["announcements"]),
  byId: reads<(id: AnnouncementId) => Promise<OperatorAnnouncement | null>>(() => [
    "announcements",
  ]),
  /** Returns published announcements, latest first. */
  notices: reads<(limit: number) => Promise<AnnouncementNotice[]>>(() => ["announcements"]),
  /** Changes the text. `email` is the email rendered with the new text. */
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
   * Returns accounts that were subscribed when the announcement was drafted and still exist, oldest
   * first. Emails to accounts that have opted out since are skipped when due. Empty after
   * publication.
   */
  readers: readsUncached<(announcement: OperatorAnnouncement) => Promise<AccountId[]>>(),
  /**
   * Publishes at the time of the audit entry. Queues the emails, due at that time, in the same
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
   * Deletes up to `limit` announcements that were created earlier and never published. Returns how
   * many.
   */
  sweepDrafts: writes<(createdBefore: string, limit: number) => Promise<number>>((sweptCount) =>
    sweptCount === 0 ? [] : ["announcements"],
  ),
  /**
   * Deletes an announcement with its delivery records. Emails that are still queued aren't sent.
   */
  delete: writes<(id: AnnouncementId, audit: AuditEntry) => Promise<boolean>>(changedSubjects),
};
