import type { Selectable } from "kysely";

import type { LadderDefinition } from "#core/ladder/ladder.ts";
import type { LadderId } from "#core/words/ids.ts";
import { writePlaces } from "#data/queries/season.ts";
import type { Database, OpenTransaction } from "#data/queries/tables.ts";
import type { LadderArchive, LadderChange, LadderRecord } from "#data/store/ladder.ts";
import type { FinalStanding } from "#data/store/season.ts";

import type { LadderTable } from "./ladder-tables.ts";

type Row = Selectable<LadderTable>;

/** By age. */
export async function listLadders(database: Database): Promise<LadderRecord[]> {
  const all = database.selectFrom("ladders").selectAll().orderBy("created").orderBy("id");
  return (await all.execute()).map(toRecord);
}

const rowOf = (database: Database, id: LadderId): Promise<Row | undefined> =>
  database.selectFrom("ladders").selectAll().where("id", "=", id).executeTakeFirst();

export async function ladderById(database: Database, id: LadderId): Promise<LadderRecord | null> {
  const row = await rowOf(database, id);
  return row ? toRecord(row) : null;
}

export async function passwordHashOf(database: Database, id: LadderId): Promise<string | null> {
  return (await rowOf(database, id))?.password_hash ?? null;
}

/** False when there is one of this id. */
export async function addLadder(
  open: OpenTransaction,
  ladder: LadderDefinition,
  passwordHash: string | null,
  created: string,
): Promise<boolean> {
  const { id, ...rest } = ladder;
  const own = { id, created, finished_at: null, archive: null };
  const added = await open
    .insertInto("ladders")
    .values({ ...own, ...toColumns({ ...rest, passwordHash }) })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .executeTakeFirst();
  return added.numInsertedOrUpdatedRows === 1n;
}

export async function changeLadder(
  open: OpenTransaction,
  id: LadderId,
  change: LadderChange,
): Promise<LadderRecord | null> {
  const row = await rowOf(open, id);
  if (row === undefined) return null;
  const whole = { ...toRecord(row), passwordHash: row.password_hash, ...change };
  await open.updateTable("ladders").set(toColumns(whole)).where("id", "=", id).execute();
  return ladderById(open, id);
}

/** Memberships go with it, what settings say of it, and what was noted of its standings. */
export async function deleteLadder(
  open: OpenTransaction,
  id: LadderId,
): Promise<"deleted" | "used" | null> {
  if ((await rowOf(open, id)) === undefined) return null;
  if (await isUsed(open, id)) return "used";
  for (const table of GO_ALONG) await open.deleteFrom(table).where("ladder_id", "=", id).execute();
  await open.deleteFrom("ladders").where("id", "=", id).execute();
  return "deleted";
}

const GO_ALONG = ["ladder_members", "ladder_bounds", "final_standings", "noted_places"] as const;

async function isUsed(open: OpenTransaction, id: LadderId): Promise<boolean> {
  const played = open.selectFrom("matches").select("id").where("ladder_id", "=", id);
  const match = await played.where("mode", "=", "ranked").limit(1).executeTakeFirst();
  const events = open.selectFrom("events").select("id").where("ladder_id", "=", id);
  return match !== undefined || (await events.limit(1).executeTakeFirst()) !== undefined;
}

/** False, changing nothing, when its final standings are written or it does not exist. */
export async function finishLadder(
  open: OpenTransaction,
  id: LadderId,
  finished_at: string,
  places: readonly FinalStanding[],
): Promise<boolean> {
  const marked = await open
    .updateTable("ladders")
    .set({ finished_at })
    .where("id", "=", id)
    .where("finished_at", "is", null)
    .executeTakeFirst();
  if (marked.numUpdatedRows === 0n) return false;
  await writePlaces(open, { ladderId: id, season: null }, places);
  return true;
}

export async function noteArchive(
  open: OpenTransaction,
  id: LadderId,
  archive: LadderArchive,
): Promise<boolean> {
  const columns = { archive: JSON.stringify(archive) };
  const note = open.updateTable("ladders").set(columns).where("id", "=", id);
  return (await note.executeTakeFirst()).numUpdatedRows === 1n;
}

type Changeable = Omit<LadderDefinition, "id"> & { passwordHash: string | null };

function toColumns(ladder: Changeable): Omit<Row, "id" | "created" | "finished_at" | "archive"> {
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

function toRecord(row: Row): LadderRecord {
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
