import { sql } from "kysely";
import type { Selectable } from "kysely";

import type { RenderedEmail } from "#core/accounts/transactional-email.ts";
import type {
  AnnouncementAudience,
  NewAnnouncement,
  OperatorAnnouncement,
} from "#core/api/announcement-lifecycle.ts";
import type { AccountId, AnnouncementId } from "#core/ids/ids.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";
import type { Database, OpenTransaction } from "#data/queries/tables.ts";
import type { AnnouncementNotice, AnnouncementRecipient } from "#data/store/announcement.ts";
import type { NewDelivery } from "#data/store/delivery.ts";

import type { AnnouncementTable } from "./announcement-tables.ts";

type Row = Selectable<AnnouncementTable>;

export async function addAnnouncement(
  tx: OpenTransaction,
  draft: NewAnnouncement,
): Promise<OperatorAnnouncement> {
  const draftState = { state: "draft", published: null, archived: null } as const;
  const created = { ...draft, audience: await countAudience(tx), ...draftState };
  const result = await tx
    .insertInto("announcements")
    .values(toColumns(created))
    .onConflict((conflict) => conflict.column("id").doNothing())
    .executeTakeFirst();
  const isNew = (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
  if (isNew && created.email !== null) await addRecipients(tx, draft.id);
  return (await announcementById(tx, draft.id)) ?? created;
}

async function addRecipients(tx: OpenTransaction, id: AnnouncementId): Promise<void> {
  await tx
    .insertInto("announcement_recipients")
    .columns(["announcement_id", "account_id"])
    .expression((eb) =>
      eb
        .selectFrom("accounts")
        .select([sql.val(id).$castTo<string>().as("announcement_id"), "id"])
        .where("banned_at", "is", null)
        .where(sql<boolean>`${SUBSCRIBED} = 1`),
    )
    .execute();
}

async function countAudience(tx: OpenTransaction): Promise<AnnouncementAudience> {
  const { accounts, subscribed, suppressed } = await tx
    .selectFrom("accounts")
    .select([
      sql<number>`cast(count(*) as integer)`.as("accounts"),
      sql<number>`cast(coalesce(sum(${SUBSCRIBED}), 0) as integer)`.as("subscribed"),
      sql<number>`cast(coalesce(sum(${SUPPRESSED}), 0) as integer)`.as("suppressed"),
    ])
    .where("banned_at", "is", null)
    .executeTakeFirstOrThrow();
  return { accounts, subscribed, unsubscribed: accounts - subscribed, suppressed };
}

/** 1 for accounts with a confirmed email address that haven't opted out. */
const SUBSCRIBED = sql<number>`case when email is not null and email_confirmed_at is not null
  and mail not like '%"announcements":false%' then 1 else 0 end`;

/** 1 for subscribed accounts whose address the mail server has refused too often. */
const SUPPRESSED = sql<number>`case when ${SUBSCRIBED} = 1 and exists (
  select 1 from mail_refusals as r where r.account_id = accounts.id
    and r.confirmed_at = accounts.email_confirmed_at
    and r.count >= ${sql.lit(FIXED_LIMITS.mail_refusals)}
  ) then 1 else 0 end`;

export async function announcementRecipients(
  database: Database,
  { id }: OperatorAnnouncement,
): Promise<AccountId[]> {
  const rows = await database
    .selectFrom("announcement_recipients as r")
    .innerJoin("accounts as a", "a.id", "r.account_id")
    .select("a.id")
    .where("r.announcement_id", "=", id)
    .orderBy("a.created")
    .orderBy("a.id")
    .execute();
  return rows.map((row) => row.id);
}

/** Deletes the list of recipients, which isn't needed once the emails are queued. */
export async function deleteRecipients(tx: OpenTransaction, id: AnnouncementId): Promise<void> {
  await tx.deleteFrom("announcement_recipients").where("announcement_id", "=", id).execute();
}

export function announcementDeliveries(
  { id, title, body }: OperatorAnnouncement,
  recipients: readonly AnnouncementRecipient[],
  at: string,
): NewDelivery[] {
  return recipients.map(({ accountId, deliveryId }) => ({
    id: deliveryId,
    accountId,
    category: "announcements",
    subject: `announcement ${id}`,
    notice: { kind: "announcement", data: { title, body } },
    announcementId: id,
    created: at,
    due: at,
  }));
}

export async function announcementById(
  database: Database,
  id: AnnouncementId,
): Promise<OperatorAnnouncement | null> {
  const query = database.selectFrom("announcements").selectAll();
  const row = await query.where("id", "=", id).executeTakeFirst();
  return row === undefined ? null : toAnnouncement(row);
}

export async function listAnnouncements(
  database: Database,
  limit: number,
): Promise<OperatorAnnouncement[]> {
  const rows = await database
    .selectFrom("announcements")
    .selectAll()
    .orderBy("created", "desc")
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
  return rows.map(toAnnouncement);
}

export async function publishedNotices(
  database: Database,
  limit: number,
): Promise<AnnouncementNotice[]> {
  const rows = await database
    .selectFrom("announcements")
    .select(["id", "title", "body", "published"])
    .where(sql<boolean>`state = 'published' and in_game = 1`)
    .orderBy("published", "desc")
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
  return rows.map(({ published, ...row }) => ({ ...row, published: published ?? "" }));
}

export async function updateAnnouncement(
  tx: OpenTransaction,
  { id, ...announcement }: OperatorAnnouncement,
): Promise<void> {
  const { title, body, state, published, archived, email } = announcement;
  await tx
    .updateTable("announcements")
    .set({ title, body, state, published, archived, ...emailColumns(email) })
    .where("id", "=", id)
    .execute();
}

export async function deleteAnnouncement(
  tx: OpenTransaction,
  id: AnnouncementId,
): Promise<boolean> {
  await tx.deleteFrom("deliveries").where("announcement_id", "=", id).execute();
  const deletion = tx.deleteFrom("announcements").where("id", "=", id);
  return (await deletion.executeTakeFirst()).numDeletedRows === 1n;
}

/** Deletes old drafts, including drafts that were archived. */
export async function sweepDrafts(
  tx: OpenTransaction,
  createdBefore: string,
  limit: number,
): Promise<number> {
  const rows = await tx
    .selectFrom("announcements")
    .select("id")
    .where("created", "<", createdBefore)
    .where("published", "is", null)
    .orderBy("created")
    .orderBy("id")
    .limit(limit)
    .execute();
  const ids = rows.map(({ id }) => id);
  if (ids.length > 0) await tx.deleteFrom("announcements").where("id", "in", ids).execute();
  return ids.length;
}

const emailColumns = (email: RenderedEmail | null) => ({
  email_title: email?.subject ?? null,
  email_text: email?.text ?? null,
  email_html: email?.html ?? null,
});

function toColumns(announcement: OperatorAnnouncement): Row {
  const { id, title, body, state, created, published, archived, audience } = announcement;
  return {
    id,
    title,
    body,
    state,
    created,
    publish_by: announcement.publishBy,
    published,
    archived,
    in_game: Number(announcement.inGame),
    ...emailColumns(announcement.email),
    accounts: audience.accounts,
    subscribed: audience.subscribed,
    suppressed: audience.suppressed,
  };
}

function toAnnouncement(row: Row): OperatorAnnouncement {
  const { id, title, body, created, accounts, subscribed, suppressed } = row;
  return {
    id,
    title,
    body,
    created,
    publishBy: row.publish_by,
    inGame: row.in_game === 1,
    email: toEmail(row),
    audience: { accounts, subscribed, unsubscribed: accounts - subscribed, suppressed },
    ...toState(row),
  };
}

function toEmail({ email_title, email_text, email_html }: Row): RenderedEmail | null {
  if (email_title === null || email_text === null || email_html === null) return null;
  return { subject: email_title, text: email_text, html: email_html };
}

/** Unreachable: the table rejects any other combination. */
function toState({ state, published, archived }: Row) {
  if (state === "archived" && archived !== null) return { state, published, archived } as const;
  if (state === "published" && published !== null)
    return { state, published, archived: null } as const;
  return { state: "draft", published: null, archived: null } as const;
}
