import type { Selectable } from "kysely";

import type { LadderId } from "#core/ids/ids.ts";
import type { LadderDefinition } from "#core/ladder/ladder.ts";
import { writeStandings } from "#data/queries/season.ts";
import type { Database, OpenTransaction } from "#data/queries/tables.ts";
import type { LadderArchive, LadderChange, LadderRecord } from "#data/store/ladder.ts";
import type { FinalStanding } from "#data/store/season.ts";

import type { LadderTable } from "./ladder-tables.ts";

type LadderRow = Selectable<LadderTable>;

export async function listLadders(database: Database): Promise<LadderRecord[]> {
  const query = database.selectFrom("ladders").selectAll().orderBy("created").orderBy("id");
  return (await query.execute()).map(toRecord);
}

const findRow = (database: Database, id: LadderId): Promise<LadderRow | undefined> =>
  database.selectFrom("ladders").selectAll().where("id", "=", id).executeTakeFirst();

export async function ladderById(database: Database, id: LadderId): Promise<LadderRecord | null> {
  const row = await findRow(database, id);
  return row ? toRecord(row) : null;
}

export async function passwordHashOf(database: Database, id: LadderId): Promise<string | null> {
  return (await findRow(database, id))?.password_hash ?? null;
}

export async function addLadder(
  tx: OpenTransaction,
  ladder: LadderDefinition,
  passwordHash: string | null,
  created: string,
): Promise<boolean> {
  const { id, ...rest } = ladder;
  const initialColumns = { id, created, finished_at: null, archive: null };
  const result = await tx
    .insertInto("ladders")
    .values({ ...initialColumns, ...toColumns({ ...rest, passwordHash }) })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

export async function updateLadder(
  tx: OpenTransaction,
  id: LadderId,
  changes: LadderChange,
): Promise<LadderRecord | null> {
  const row = await findRow(tx, id);
  if (row === undefined) return null;
  const updated = { ...toRecord(row), passwordHash: row.password_hash, ...changes };
  await tx.updateTable("ladders").set(toColumns(updated)).where("id", "=", id).execute();
  return ladderById(tx, id);
}

/** Also deletes the ladder's memberships, settings overrides and daily standings. */
export async function deleteLadder(
  tx: OpenTransaction,
  id: LadderId,
): Promise<"deleted" | "used" | null> {
  if ((await findRow(tx, id)) === undefined) return null;
  if (await isUsed(tx, id)) return "used";
  for (const table of DEPENDENT_TABLES)
    await tx.deleteFrom(table).where("ladder_id", "=", id).execute();
  await tx.deleteFrom("ladders").where("id", "=", id).execute();
  return "deleted";
}

const DEPENDENT_TABLES = [
  "ladder_members",
  "ladder_bounds",
  "final_standings",
  "noted_places",
] as const;

async function isUsed(tx: OpenTransaction, id: LadderId): Promise<boolean> {
  const matchQuery = tx.selectFrom("matches").select("id").where("ladder_id", "=", id);
  const match = await matchQuery.where("mode", "=", "ranked").limit(1).executeTakeFirst();
  const events = tx.selectFrom("events").select("id").where("ladder_id", "=", id);
  return match !== undefined || (await events.limit(1).executeTakeFirst()) !== undefined;
}

export async function finishLadder(
  tx: OpenTransaction,
  id: LadderId,
  finished_at: string,
  places: readonly FinalStanding[],
): Promise<boolean> {
  const result = await tx
    .updateTable("ladders")
    .set({ finished_at })
    .where("id", "=", id)
    .where("finished_at", "is", null)
    .executeTakeFirst();
  if (result.numUpdatedRows === 0n) return false;
  await writeStandings(tx, { ladderId: id, season: null }, places);
  return true;
}

export async function setArchive(
  tx: OpenTransaction,
  id: LadderId,
  archive: LadderArchive,
): Promise<boolean> {
  const columns = { archive: JSON.stringify(archive) };
  const update = tx.updateTable("ladders").set(columns).where("id", "=", id);
  return (await update.executeTakeFirst()).numUpdatedRows === 1n;
}

type LadderColumnsInput = Omit<LadderDefinition, "id"> & { passwordHash: string | null };

function toColumns(
  ladder: LadderColumnsInput,
): Omit<LadderRow, "id" | "created" | "finished_at" | "archive"> {
  const { name, description, access, opensAt, closesAt, maxConcurrent, ownerConcurrency } = ladder;
  return {
    name,
    description,
    access,
    password_hash: ladder.passwordHash,
    visible: Number(ladder.visible),
    enabled: Number(ladder.enabled),
    opens_at: opensAt,
    closes_at: closesAt,
    maps: JSON.stringify(ladder.maps),
    house: JSON.stringify(ladder.house),
    max_concurrent: maxConcurrent,
    owner_concurrency: ownerConcurrency,
  };
}

function toRecord(row: LadderRow): LadderRecord {
  const { id, name, description, access, created } = row;
  return {
    id,
    name,
    description,
    access,
    visible: row.visible === 1,
    enabled: row.enabled === 1,
    opensAt: row.opens_at,
    closesAt: row.closes_at,
    maps: JSON.parse(row.maps) as LadderRecord["maps"],
    house: JSON.parse(row.house) as LadderRecord["house"],
    maxConcurrent: row.max_concurrent,
    ownerConcurrency: row.owner_concurrency,
    created,
    passwordSet: row.password_hash !== null,
    finishedAt: row.finished_at,
    archive: row.archive === null ? null : (JSON.parse(row.archive) as LadderArchive),
  };
}
