import { sql } from "kysely";
import type { Selectable } from "kysely";

import { noDeliveries } from "#core/mail/delivery.ts";
import type { DeliveryCounts, MailCategory } from "#core/mail/delivery.ts";
import type { MailNotice } from "#core/mail/notice.ts";
import type { AccountId } from "#core/words/ids.ts";
import { inPortions, portionsOf } from "#data/queries/portions.ts";
import type { Database, OpenTransaction } from "#data/queries/tables.ts";
import type { DeliveryRecord, MailMark, NewDelivery, QueueCounts } from "#data/store/delivery.ts";

import type { DeliveryTable } from "./mail-tables.ts";

/** Rows in one statement. */
const PORTION = 200;

/**
 * Takes those whose account is there and was not told yet, in the transaction of whatever they tell
 * of. Resolves with how many.
 */
export async function queueDeliveries(
  open: OpenTransaction,
  rows: readonly NewDelivery[],
): Promise<number> {
  let queued = 0;
  for (let at = 0; at < rows.length; at += PORTION)
    queued += await queuePortion(open, rows.slice(at, at + PORTION));
  return queued;
}

async function queuePortion(open: OpenTransaction, rows: readonly NewDelivery[]): Promise<number> {
  const accounts = await inPortions(
    rows.map(({ accountId }) => accountId),
    (ids) =>
      open
        .selectFrom("accounts")
        .select("id")
        .where("id", "in", [...ids])
        .execute(),
  );
  const known = new Set(accounts.map(({ id }) => id));
  const values = rows.filter(({ accountId }) => known.has(accountId)).map(toColumns);
  if (values.length === 0) return 0;
  const added = await open
    .insertInto("deliveries")
    .values(values)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return Number(added.numInsertedOrUpdatedRows ?? 0n);
}

function toColumns(row: NewDelivery): Selectable<DeliveryTable> {
  const { id, accountId, category, subject, notice, announcementId, created, due } = row;
  return {
    id,
    account_id: accountId,
    category,
    subject,
    kind: notice.kind,
    data: JSON.stringify(notice.data),
    announcement_id: announcementId,
    created,
    due,
    state: "pending",
    attempt: 0,
    started: null,
    ended: null,
    response_code: null,
    error: null,
    message_id: null,
  };
}

export async function setMarks(open: OpenTransaction, marks: readonly MailMark[]): Promise<void> {
  for (const { name, value } of marks)
    await open
      .insertInto("mail_marks")
      .values({ name, value })
      .onConflict((conflict) => conflict.column("name").doUpdateSet({ value }))
      .execute();
}

export async function markNamed(database: Database, name: string): Promise<string | null> {
  const found = database.selectFrom("mail_marks").select("value").where("name", "=", name);
  return (await found.executeTakeFirst())?.value ?? null;
}

export async function retryFailed(
  open: OpenTransaction,
  announcementId: string,
  at: string,
): Promise<number> {
  const retried = await open
    .updateTable("deliveries")
    .set({ state: "pending", due: at, ended: null, response_code: null, error: null })
    .where("announcement_id", "=", announcementId)
    .where("state", "=", "failed")
    // Its content is gone.
    .where("data", "!=", "")
    .executeTakeFirst();
  return Number(retried.numUpdatedRows);
}

export async function sweepDeliveries(
  open: OpenTransaction,
  before: string,
  most: number,
): Promise<number> {
  const rows = await open
    .selectFrom("deliveries")
    .select("id")
    .where("ended", "<", before)
    .where("data", "!=", "")
    .orderBy("ended")
    .orderBy("id")
    .limit(most)
    .execute();
  for (const ids of portionsOf(rows.map(({ id }) => id)))
    await open
      .updateTable("deliveries")
      .set({ data: "", message_id: null })
      .where("id", "in", ids)
      .execute();
  return rows.length;
}

const countRows = (database: Database) =>
  database
    .selectFrom("deliveries")
    .select("state")
    .select(sql<number>`cast(count(*) as integer)`.as("rows"));

export async function deliveryCounts(database: Database, at: string): Promise<QueueCounts> {
  const counts = noDeliveries();
  for (const { state, rows } of await countRows(database).groupBy("state").execute())
    counts[state] = rows;
  const { later } = await database
    .selectFrom("deliveries")
    .select(sql<number>`cast(count(*) as integer)`.as("later"))
    .where("state", "=", "pending")
    .where("due", ">", at)
    .executeTakeFirstOrThrow();
  return { ...counts, pending: counts.pending - later, scheduled: later };
}

export async function notSentSince(database: Database, since: string): Promise<number> {
  const { rows } = await database
    .selectFrom("deliveries")
    .select(sql<number>`cast(count(*) as integer)`.as("rows"))
    .where("state", "in", ["failed", "unknown"])
    .where("ended", ">=", since)
    .executeTakeFirstOrThrow();
  return rows;
}

export async function countsOf(
  database: Database,
  announcementIds: readonly string[],
): Promise<ReadonlyMap<string, DeliveryCounts>> {
  const found = await inPortions(announcementIds, (ids) =>
    countRows(database)
      .select("announcement_id")
      .where("announcement_id", "in", [...ids])
      .groupBy(["announcement_id", "state"])
      .execute(),
  );
  const counts = new Map<string, ReturnType<typeof noDeliveries>>();
  for (const { announcement_id: id, state, rows } of found)
    if (id !== null) counts.getOrInsertComputed(id, noDeliveries)[state] = rows;
  return counts;
}

const newestOf = (database: Database, most: number) =>
  database
    .selectFrom("deliveries")
    .selectAll()
    .orderBy("created", "desc")
    .orderBy("id", "desc")
    .limit(most);

export async function listDeliveries(database: Database, most: number): Promise<DeliveryRecord[]> {
  return (await newestOf(database, most).execute()).map(toDelivery);
}

export async function deliveriesOf(
  database: Database,
  accountId: AccountId,
  most: number,
): Promise<DeliveryRecord[]> {
  const own = newestOf(database, most).where("account_id", "=", accountId);
  return (await own.execute()).map(toDelivery);
}

export async function latestDelivery(
  database: Database,
  accountId: AccountId,
  category: MailCategory,
  subject: string,
) {
  const row = await database
    .selectFrom("deliveries")
    .select(["kind", "created", "state"])
    .where("account_id", "=", accountId)
    .where("category", "=", category)
    .where("subject", "like", `${subject}%`)
    .orderBy("created", "desc")
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

export function toDelivery(row: Selectable<DeliveryTable>): DeliveryRecord {
  const { id, category, subject, created, due, state, attempt, started, ended, error } = row;
  return {
    id,
    accountId: row.account_id,
    category,
    subject,
    notice: noticeOf(row),
    announcementId: row.announcement_id,
    created,
    due,
    state,
    attempt,
    started,
    ended,
    responseCode: row.response_code,
    error,
    messageId: row.message_id,
  };
}

const noticeOf = ({ kind, data }: Selectable<DeliveryTable>): MailNotice | null =>
  data === "" ? null : ({ kind, data: JSON.parse(data) as unknown } as MailNotice);
