import { sql } from "kysely";
import type { Selectable } from "kysely";

import type { WrittenLetter } from "#core/accounts/letter.ts";
import type {
  Audience,
  NewAnnouncement,
  OperatorAnnouncement,
} from "#core/operator/announcement.ts";
import type { AccountId, AnnouncementId } from "#core/words/ids.ts";
import { FIXED } from "#core/words/limits.ts";
import type { Database, OpenTransaction } from "#data/queries/tables.ts";
import type { AnnouncementNotice, AnnouncementReader } from "#data/store/announcement.ts";
import type { NewDelivery } from "#data/store/delivery.ts";

import type { AnnouncementTable } from "./announcement-tables.ts";

type Row = Selectable<AnnouncementTable>;

/** One that exists is left as it is. */
export async function addAnnouncement(
  open: OpenTransaction,
  draft: NewAnnouncement,
): Promise<OperatorAnnouncement> {
  const fate = { state: "draft", published: null, archived: null } as const;
  const made = { ...draft, audience: await audienceNow(open), ...fate };
  const added = await open
    .insertInto("announcements")
    .values(toColumns(made))
    .onConflict((conflict) => conflict.column("id").doNothing())
    .executeTakeFirst();
  const isNew = (added.numInsertedOrUpdatedRows ?? 0n) > 0n;
  if (isNew && made.email !== null) await addRecipients(open, draft.id);
  return (await announcementById(open, draft.id)) ?? made;
}

/** Stores the accounts that are subscribed now, for when the draft is published. */
async function addRecipients(open: OpenTransaction, id: AnnouncementId): Promise<void> {
  await open
    .insertInto("announcement_recipients")
    .columns(["announcement_id", "account_id"])
    .expression((eb) =>
      eb
        .selectFrom("accounts")
        .select([sql.val(id).$castTo<string>().as("announcement_id"), "id"])
        .where("banned_at", "is", null)
        .where(sql<boolean>`${isSubscribed} = 1`),
    )
    .execute();
}

/** As of the accounts that there are. */
async function audienceNow(open: OpenTransaction): Promise<Audience> {
  const { accounts, subscribed, suppressed } = await open
    .selectFrom("accounts")
    .select([
      sql<number>`cast(count(*) as integer)`.as("accounts"),
      sql<number>`cast(coalesce(sum(${isSubscribed}), 0) as integer)`.as("subscribed"),
      sql<number>`cast(coalesce(sum(${isSuppressed}), 0) as integer)`.as("suppressed"),
    ])
    .where("banned_at", "is", null)
    .executeTakeFirstOrThrow();
  return { accounts, subscribed, unsubscribed: accounts - subscribed, suppressed };
}

/** Whose address is confirmed, and who has not said no. */
const isSubscribed = sql<number>`case when email is not null and email_confirmed_at is not null
  and mail not like '%"announcements":false%' then 1 else 0 end`;

/** Subscribed accounts whose address the mail server refused too often. */
const isSuppressed = sql<number>`case when ${isSubscribed} = 1 and exists (
  select 1 from mail_refusals as r where r.account_id = accounts.id
    and r.confirmed_at = accounts.email_confirmed_at and r.count >= ${sql.lit(FIXED.mail_refusals)}
  ) then 1 else 0 end`;

/** The accounts that were subscribed when it was drafted, and still exist, by age. */
export async function readersOf(
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

/** Its emails are queued: the snapshot is no longer needed. */
export async function dropRecipients(open: OpenTransaction, id: AnnouncementId): Promise<void> {
  await open.deleteFrom("announcement_recipients").where("announcement_id", "=", id).execute();
}

/** Its mail, one letter to each reader, due at an instant. */
export function deliveriesOf(
  { id, title, body }: OperatorAnnouncement,
  readers: readonly AnnouncementReader[],
  at: string,
): NewDelivery[] {
  return readers.map(({ accountId, deliveryId }) => ({
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
  const all = database.selectFrom("announcements").selectAll();
  const row = await all.where("id", "=", id).executeTakeFirst();
  return row === undefined ? null : fromRow(row);
}

/** Newest first. */
export async function listAnnouncements(
  database: Database,
  most: number,
): Promise<OperatorAnnouncement[]> {
  const rows = await database
    .selectFrom("announcements")
    .selectAll()
    .orderBy("created", "desc")
    .orderBy("id", "desc")
    .limit(most)
    .execute();
  return rows.map(fromRow);
}

/** Those on the pages, latest first. */
export async function notices(database: Database, most: number): Promise<AnnouncementNotice[]> {
  const rows = await database
    .selectFrom("announcements")
    .select(["id", "title", "body", "published"])
    .where(sql<boolean>`state = 'published' and in_game = 1`)
    .orderBy("published", "desc")
    .orderBy("id", "desc")
    .limit(most)
    .execute();
  return rows.map(({ published, ...row }) => ({ ...row, published: published ?? "" }));
}

/** Writes what a step changes. */
export async function keepStep(
  open: OpenTransaction,
  { id, ...announcement }: OperatorAnnouncement,
): Promise<void> {
  const { title, body, state, published, archived, email } = announcement;
  await open
    .updateTable("announcements")
    .set({ title, body, state, published, archived, ...mailColumns(email) })
    .where("id", "=", id)
    .execute();
}

/** Deletes it with all its delivery records; false when there is none. */
export async function deleteAnnouncement(
  open: OpenTransaction,
  id: AnnouncementId,
): Promise<boolean> {
  await open.deleteFrom("deliveries").where("announcement_id", "=", id).execute();
  const deletion = open.deleteFrom("announcements").where("id", "=", id);
  return (await deletion.executeTakeFirst()).numDeletedRows === 1n;
}

/** Drafts, and those that were archived as drafts. */
export async function sweepDrafts(
  open: OpenTransaction,
  before: string,
  most: number,
): Promise<number> {
  const rows = await open
    .selectFrom("announcements")
    .select("id")
    .where("created", "<", before)
    .where("published", "is", null)
    .orderBy("created")
    .orderBy("id")
    .limit(most)
    .execute();
  const ids = rows.map(({ id }) => id);
  if (ids.length > 0) await open.deleteFrom("announcements").where("id", "in", ids).execute();
  return ids.length;
}

const mailColumns = (email: WrittenLetter | null) => ({
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
    ...mailColumns(announcement.email),
    accounts: audience.accounts,
    subscribed: audience.subscribed,
    suppressed: audience.suppressed,
  };
}

function fromRow(row: Row): OperatorAnnouncement {
  const { id, title, body, created, accounts, subscribed, suppressed } = row;
  return {
    id,
    title,
    body,
    created,
    publishBy: row.publish_by,
    inGame: row.in_game === 1,
    email: letterOf(row),
    audience: { accounts, subscribed, unsubscribed: accounts - subscribed, suppressed },
    ...fateOf(row),
  };
}

function letterOf({ email_title, email_text, email_html }: Row): WrittenLetter | null {
  if (email_title === null || email_text === null || email_html === null) return null;
  return { subject: email_title, text: email_text, html: email_html };
}

/** The table allows no other combination. */
function fateOf({ state, published, archived }: Row) {
  if (state === "archived" && archived !== null) return { state, published, archived } as const;
  if (state === "published" && published !== null)
    return { state, published, archived: null } as const;
  return { state: "draft", published: null, archived: null } as const;
}
