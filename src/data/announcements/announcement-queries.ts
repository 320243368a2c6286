// Which query answers which method about announcements.

import { archivedAt, publishedAt, reworded } from "#core/operator/announcement.ts";
import type { OperatorAnnouncement } from "#core/operator/announcement.ts";
import type { AnnouncementId } from "#core/words/ids.ts";
import { noted } from "#data/accounts/account-queries.ts";
import { queueDeliveries } from "#data/mail/deliveries.ts";
import type { Backend } from "#data/queries/backend.ts";
import type { OpenTransaction } from "#data/queries/tables.ts";
import type { Write } from "#data/queries/writer.ts";
import type { AuditEntry } from "#data/store/audit.ts";
import type { Nouns } from "#data/store/store.ts";

import {
  addAnnouncement,
  announcementById,
  deleteAnnouncement,
  deliveriesOf,
  dropRecipients,
  keepStep,
  listAnnouncements,
  notices,
  readersOf,
  sweepDrafts,
} from "./announcements.ts";

export function announcementQueries(backend: Backend, write: Write): Nouns["announcements"] {
  const { database } = backend;
  /** Runs one step of an announcement at a time. */
  const inTurn = <T>(id: AnnouncementId, job: (open: OpenTransaction) => Promise<T>) =>
    write(async (open) => {
      await backend.lock(open, `announcement ${id}`);
      return job(open);
    });
  /** A step that gives the same announcement changes nothing. */
  const step = <Refusal extends string>(
    id: AnnouncementId,
    audit: AuditEntry,
    next: (before: OperatorAnnouncement) => OperatorAnnouncement | Refusal,
    follow?: (open: OpenTransaction, after: OperatorAnnouncement) => Promise<unknown>,
  ) =>
    inTurn(id, async (open) => {
      const before = await announcementById(open, id);
      if (before === null) return null;
      const after = next(before);
      if (typeof after === "string") return after;
      if (after !== before) {
        await keepStep(open, after);
        await follow?.(open, after);
      }
      return noted(open, after, after !== before, audit);
    });
  return {
    add: (draft, audit) =>
      inTurn(draft.id, async (open) => {
        const made = await addAnnouncement(open, draft);
        const detail = { ...audit.detail, ...made.audience };
        return noted(open, made, true, { ...audit, detail });
      }),
    list: (most) => listAnnouncements(database, most),
    byId: (id) => announcementById(database, id),
    notices: (most) => notices(database, most),
    reword: (id, text, letter, audit) =>
      step(id, audit, (before) => reworded(before, text, letter)),
    readers: (announcement) => readersOf(database, announcement),
    publish: (id, readers, audit) =>
      step(
        id,
        audit,
        (before) => publishedAt(before, audit.at),
        async (open, after) => {
          await queueDeliveries(open, deliveriesOf(after, readers, audit.at));
          await dropRecipients(open, id);
        },
      ),
    archive: (id, audit) => step<never>(id, audit, (before) => archivedAt(before, audit.at)),
    sweepDrafts: (before, most) => write((open) => sweepDrafts(open, before, most)),
    delete: (id, audit) =>
      inTurn(id, async (open) => {
        const isDeleted = await deleteAnnouncement(open, id);
        return noted(open, isDeleted, isDeleted, audit);
      }),
  };
}
