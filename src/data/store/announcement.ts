// What operators tell everybody.

import type { WrittenLetter } from "#core/accounts/letter.ts";
import type {
  AnnouncementText,
  NewAnnouncement,
  OperatorAnnouncement,
} from "#core/operator/announcement.ts";
import type { AccountId, AnnouncementId } from "#core/words/ids.ts";

import type { AuditEntry } from "./audit.ts";
import { looks, reads, writes } from "./method.ts";

/** Somebody to whom an announcement goes as mail, with the id of the delivery. */
export type AnnouncementReader = { accountId: AccountId; deliveryId: string };

/** As it stands on the pages. */
export type AnnouncementNotice = AnnouncementText & { id: AnnouncementId; published: string };

const changed = (outcome: unknown) =>
  typeof outcome === "string" || outcome === null || outcome === false
    ? []
    : ["announcements", "audit"];

/** Steps that change nothing are not in the audit. Null when there is none of this id. */
export const ANNOUNCEMENTS = {
  /** Counts its audience. The id settles a repeated call. */
  add: writes<(draft: NewAnnouncement, audit: AuditEntry) => Promise<OperatorAnnouncement>>(
    changed,
  ),
  /** Newest first. */
  list: reads<(most: number) => Promise<OperatorAnnouncement[]>>(() => ["announcements"]),
  byId: reads<(id: AnnouncementId) => Promise<OperatorAnnouncement | null>>(() => [
    "announcements",
  ]),
  /** Those that are published, latest first. */
  notices: reads<(most: number) => Promise<AnnouncementNotice[]>>(() => ["announcements"]),
  /** `letter` is the mail in the new words. */
  reword:
    writes<
      (
        id: AnnouncementId,
        text: AnnouncementText,
        letter: WrittenLetter | null,
        audit: AuditEntry,
      ) => Promise<OperatorAnnouncement | "announcement_archived" | null>
    >(changed),
  /**
   * Returns the accounts that were subscribed when it was drafted and still exist, by age. Those
   * who opted out since are skipped when their email is due. Empty once it is published.
   */
  readers: looks<(announcement: OperatorAnnouncement) => Promise<AccountId[]>>(),
  /** At the instant of its entry; its mail to the readers is due then, in the same transaction. */
  publish:
    writes<
      (
        id: AnnouncementId,
        readers: readonly AnnouncementReader[],
        audit: AuditEntry,
      ) => Promise<OperatorAnnouncement | "preview_expired" | "announcement_archived" | null>
    >(changed),
  archive:
    writes<(id: AnnouncementId, audit: AuditEntry) => Promise<OperatorAnnouncement | null>>(
      changed,
    ),
  /** Forgets up to `most` that were never published and are older. Resolves with how many. */
  sweepDrafts: writes<(before: string, most: number) => Promise<number>>((swept) =>
    swept === 0 ? [] : ["announcements"],
  ),
  /** With all its delivery records; emails that are still queued are cancelled. */
  delete: writes<(id: AnnouncementId, audit: AuditEntry) => Promise<boolean>>(changed),
};
