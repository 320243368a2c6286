import {
  archiveAnnouncement,
  publishAnnouncement,
  updateAnnouncementText,
} from "#core/api/announcement-lifecycle.ts";
import type { OperatorAnnouncement } from "#core/api/announcement-lifecycle.ts";
import type { AnnouncementId } from "#core/ids/ids.ts";
import { withAudit } from "#data/accounts/account-queries.ts";
import { queueDeliveries } from "#data/mail/deliveries.ts";
import type { Backend } from "#data/queries/database-backend.ts";
import type { Write } from "#data/queries/group-writer.ts";
import type { OpenTransaction } from "#data/queries/tables.ts";
import type { AuditEntry } from "#data/store/audit.ts";
import type { Repositories } from "#data/store/store.ts";

import {
  addAnnouncement,
  announcementById,
  deleteAnnouncement,
  announcementDeliveries,
  deleteRecipients,
  updateAnnouncement,
  listAnnouncements,
  publishedNotices,
  announcementRecipients,
  sweepDrafts,
} from "./announcements.ts";

export function announcementQueries(backend: Backend, write: Write): Repositories["announcements"] {
  const { database } = backend;
  const runExclusively = <T>(id: AnnouncementId, work: (tx: OpenTransaction) => Promise<T>) =>
    write(async (tx) => {
      await backend.lock(tx, `announcement ${id}`);
      return work(tx);
    });
  /** Applies a transition. Writes nothing if the announcement would stay the same. */
  const applyStep = <Refusal extends string>(
    id: AnnouncementId,
    auditEntry: AuditEntry,
    transition: (current: OperatorAnnouncement) => OperatorAnnouncement | Refusal,
    afterChange?: (tx: OpenTransaction, updated: OperatorAnnouncement) => Promise<unknown>,
  ) =>
    runExclusively(id, async (tx) => {
      const current = await announcementById(tx, id);
      if (current === null) return null;
      const updated = transition(current);
      if (typeof updated === "string") return updated;
      if (updated !== current) {
        await updateAnnouncement(tx, updated);
        await afterChange?.(tx, updated);
      }
      return withAudit(tx, updated, updated !== current, auditEntry);
    });
  return {
    add: (draft, auditEntry) =>
      runExclusively(draft.id, async (tx) => {
        const created = await addAnnouncement(tx, draft);
        const detail = { ...auditEntry.detail, ...created.audience };
        return withAudit(tx, created, true, { ...auditEntry, detail });
      }),
    list: (limit) => listAnnouncements(database, limit),
    byId: (id) => announcementById(database, id),
    notices: (limit) => publishedNotices(database, limit),
    reword: (id, text, email, auditEntry) =>
      applyStep(id, auditEntry, (current) => updateAnnouncementText(current, text, email)),
    readers: (announcement) => announcementRecipients(database, announcement),
    publish: (id, recipients, auditEntry) =>
      applyStep(
        id,
        auditEntry,
        (current) => publishAnnouncement(current, auditEntry.at),
        async (tx, updated) => {
          await queueDeliveries(tx, announcementDeliveries(updated, recipients, auditEntry.at));
          await deleteRecipients(tx, id);
        },
      ),
    archive: (id, auditEntry) =>
      applyStep<never>(id, auditEntry, (current) => archiveAnnouncement(current, auditEntry.at)),
    sweepDrafts: (current, limit) => write((tx) => sweepDrafts(tx, current, limit)),
    delete: (id, auditEntry) =>
      runExclusively(id, async (tx) => {
        const isDeleted = await deleteAnnouncement(tx, id);
        return withAudit(tx, isDeleted, isDeleted, auditEntry);
      }),
  };
}
