import { sql } from "kysely";
import type { Selectable } from "kysely";

import type { AccountId } from "#core/ids/ids.ts";
import { zeroDeliveryCounts } from "#core/mail/delivery.ts";
import type { DeliveryCounts, MailCategory } from "#core/mail/delivery.ts";
import type { EmailNotification } from "#core/mail/email-notification.ts";
import { readInChunks, toChunks } from "#data/queries/chunks.ts";
import type { Database, OpenTransaction } from "#data/queries/tables.ts";
import type { DeliveryRecord, MailMark, NewDelivery, QueueCounts } from "#data/store/delivery.ts";

import type { DeliveryTable } from "./mail-tables.ts";

const CHUNK_SIZE = 200;

export async function queueDeliveries(
  tx: OpenTransaction,
  rows: readonly NewDelivery[],
): Promise<number> {
  let queuedCount = 0;
  for (let start = 0; start < rows.length; start += CHUNK_SIZE)
    queuedCount += await queueChunk(tx, rows.slice(start, start + CHUNK_SIZE));
  return queuedCount;
}

async function queueChunk(tx: OpenTransaction, rows: readonly NewDelivery[]): Promise<number> {
  const accounts = await readInChunks(
    rows.map(({ accountId }) => accountId),
    (ids) =>
      tx
        .selectFrom("accounts")
        .select("id")
        .where("id", "in", [...ids])
        .execute(),
  );
  const existingIds = new Set(accounts.map(({ id }) => id));
  const values = rows.filter(({ accountId }) => existingIds.has(accountId)).map(toColumns);
  if (values.length === 0) return 0;
  const result = await tx
    .insertInto("deliveries")
    .values(values)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return Number(result.numInsertedOrUpdatedRows ?? 0n);
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

export async function setMarks(tx: OpenTransaction, marks: readonly MailMark[]): Promise<void> {
  for (const { name, value } of marks)
    await tx
      .insertInto("mail_marks")
      .values({ name, value })
      .onConflict((conflict) => conflict.column("name").doUpdateSet({ value }))
      .execute();
}

export async function findMark(database: Database, name: string): Promise<string | null> {
  const query = database.selectFrom("mail_marks").select("value").where("name", "=", name);
  return (await query.executeTakeFirst())?.value ?? null;
}

export async function retryFailed(
  tx: OpenTransaction,
  announcementId: string,
  at: string,
): Promise<number> {
  const result = await tx
    .updateTable("deliveries")
    .set({ state: "pending", due: at, ended: null, response_code: null, error: null })
    .where("announcement_id", "=", announcementId)
    .where("state", "=", "failed")
    // Excludes deliveries whose content has been deleted.
    .where("data", "!=", "")
    .executeTakeFirst();
  return Number(result.numUpdatedRows);
}

export async function sweepDeliveries(
  tx: OpenTransaction,
  endedBefore: string,
  limit: number,
): Promise<number> {
  const rows = await tx
    .selectFrom("deliveries")
    .select("id")
    .where("ended", "<", endedBefore)
    .where("data", "!=", "")
    .orderBy("ended")
    .orderBy("id")
    .limit(limit)
    .execute();
  for (const ids of toChunks(rows.map(({ id }) => id)))
    await tx
      .updateTable("deliveries")
      .set({ data: "", message_id: null })
      .where("id", "in", ids)
      .execute();
  return rows.length;
}

const deliveryCountQuery = (database: Database) =>
  database
    .selectFrom("deliveries")
    .select("state")
    .select(sql<number>`cast(count(*) as integer)`.as("rows"));

export async function deliveryCounts(database: Database, at: string): Promise<QueueCounts> {
  const counts = zeroDeliveryCounts();
  for (const { state, rows } of await deliveryCountQuery(database).groupBy("state").execute())
    counts[state] = rows;
  const { later: scheduledCount } = await database
    .selectFrom("deliveries")
    .select(sql<number>`cast(count(*) as integer)`.as("later"))
    .where("state", "=", "pending")
    .where("due", ">", at)
    .executeTakeFirstOrThrow();
  return { ...counts, pending: counts.pending - scheduledCount, scheduled: scheduledCount };
}

export async function countNotSentSince(database: Database, since: string): Promise<number> {
  const { rows } = await database
    .selectFrom("deliveries")
    .select(sql<number>`cast(count(*) as integer)`.as("rows"))
    .where("state", "in", ["failed", "unknown"])
    .where("ended", ">=", since)
    .executeTakeFirstOrThrow();
  return rows;
}

export async function countsByAnnouncement(
  database: Database,
  announcementIds: readonly string[],
): Promise<ReadonlyMap<string, DeliveryCounts>> {
  const countRows = await readInChunks(announcementIds, (ids) =>
    deliveryCountQuery(database)
      .select("announcement_id")
      .where("announcement_id", "in", [...ids])
      .groupBy(["announcement_id", "state"])
      .execute(),
  );
  const counts = new Map<string, ReturnType<typeof zeroDeliveryCounts>>();
  for (const { announcement_id: id, state, rows } of countRows)
    if (id !== null) counts.getOrInsertComputed(id, zeroDeliveryCounts)[state] = rows;
  return counts;
}

const newestDeliveries = (database: Database, limit: number) =>
  database
    .selectFrom("deliveries")
    .selectAll()
    .orderBy("created", "desc")
    .orderBy("id", "desc")
    .limit(limit);

export async function listDeliveries(database: Database, limit: number): Promise<DeliveryRecord[]> {
  return (await newestDeliveries(database, limit).execute()).map(toDelivery);
}

export async function listAccountDeliveries(
  database: Database,
  accountId: AccountId,
  limit: number,
): Promise<DeliveryRecord[]> {
  const accountDeliveries = newestDeliveries(database, limit).where("account_id", "=", accountId);
  return (await accountDeliveries.execute()).map(toDelivery);
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
    notice: toNotice(row),
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

const toNotice = ({ kind, data }: Selectable<DeliveryTable>): EmailNotification | null =>
  data === "" ? null : ({ kind, data: JSON.parse(data) as unknown } as EmailNotification);
