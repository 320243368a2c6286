import type { Selectable } from "kysely";

import type { AddVersionOutcome, VersionRecord } from "#data/store/store.ts";

import type { Database, OpenTransaction, VersionTable } from "./tables.ts";

/** Adds a label unless the bot has it; the count of the limit is exact. */
export async function addVersion(
  transaction: OpenTransaction,
  version: VersionRecord,
  dayLimit: { count: number; since: string } | null,
): Promise<AddVersionOutcome> {
  const present = await versionOf(transaction, version.botId, version.label);
  if (present) return { outcome: "exists", version: present };
  if (dayLimit && (await countSince(transaction, version.botId, dayLimit.since)) >= dayLimit.count)
    return { outcome: "limit" };
  await transaction.insertInto("versions").values(toColumns(version)).execute();
  return { outcome: "added", version };
}

async function versionOf(
  database: Database,
  botId: string,
  label: string,
): Promise<VersionRecord | null> {
  const row = await database
    .selectFrom("versions")
    .selectAll()
    .where("bot_id", "=", botId)
    .where("label", "=", label)
    .executeTakeFirst();
  return row ? toRecord(row) : null;
}

async function countSince(database: Database, botId: string, since: string): Promise<number> {
  const { made } = await database
    .selectFrom("versions")
    .select((eb) => eb.fn.countAll<number>().as("made"))
    .where("bot_id", "=", botId)
    .where("created", ">=", since)
    .executeTakeFirstOrThrow();
  return made;
}

/** Retiring a retired version gives it again; null when the bot has no such version. */
export async function retireVersion(
  transaction: OpenTransaction,
  botId: string,
  label: string,
): Promise<VersionRecord | null> {
  await transaction
    .updateTable("versions")
    .set({ retired: 1 })
    .where("bot_id", "=", botId)
    .where("label", "=", label)
    .execute();
  return versionOf(transaction, botId, label);
}

/** Oldest first. */
export async function versionsOf(database: Database, botId: string): Promise<VersionRecord[]> {
  const rows = await byAge(database).where("bot_id", "=", botId).execute();
  return rows.map(toRecord);
}

/** Those of all bots, oldest first. */
export async function versions(database: Database): Promise<VersionRecord[]> {
  return (await byAge(database).execute()).map(toRecord);
}

function byAge(database: Database) {
  return database.selectFrom("versions").selectAll().orderBy("created").orderBy("id");
}

function toColumns(version: VersionRecord): Selectable<VersionTable> {
  const { id, botId, label, notes, created, retired } = version;
  return { id, bot_id: botId, label, notes, created, retired: Number(retired) };
}

function toRecord(row: Selectable<VersionTable>): VersionRecord {
  const { id, bot_id: botId, label, notes, created, retired } = row;
  return { id, botId, label, notes, created, retired: retired === 1 };
}
