import type { Selectable } from "kysely";

import { DEFAULT_LADDER } from "#core/ladder/ladder.ts";
import type { Database, OpenTransaction } from "#data/queries/tables.ts";
import type {
  StoredSettings,
  NewPreset,
  SettingsUpdate,
  Preset,
  SettingChange,
  SettingsRevision,
  StoredOverrides,
} from "#data/store/settings.ts";

import type { SettingsPresetTable } from "./settings-tables.ts";

export const DEFAULT_STORED_SETTINGS: StoredSettings = {
  revision: 0,
  overrides: {},
  bounds: {},
};

const newestRevision = (database: Database) =>
  database
    .selectFrom("settings_revisions")
    .selectAll()
    .orderBy("revision", "desc")
    .limit(1)
    .executeTakeFirst();

/** Uses a single statement, so that a concurrent change can't mix old and new values. */
export async function currentSettings(database: Database): Promise<StoredSettings> {
  const newest = database
    .selectFrom("settings_revisions")
    .select(["revision", "overrides"])
    .orderBy("revision", "desc")
    .limit(1);
  const rows = await database
    .selectFrom(newest.as("r"))
    .leftJoin("ladder_bounds as b", (join) => join.onTrue())
    .selectAll()
    .execute();
  const [row] = rows;
  if (row === undefined) return DEFAULT_STORED_SETTINGS;
  const bounds = rows.flatMap(({ ladder_id, max_concurrent, owner_concurrency }) => {
    const ladderBounds = { maxConcurrent: max_concurrent, ownerConcurrency: owner_concurrency };
    return ladder_id === null ? [] : [[ladder_id, ladderBounds] as const];
  });
  const overrides = JSON.parse(row.overrides) as StoredOverrides;
  return { revision: row.revision, overrides, bounds: Object.fromEntries(bounds) };
}

export async function settingsHistory(
  database: Database,
  limit: number,
): Promise<SettingsRevision[]> {
  const rows = await database
    .selectFrom("settings_revisions as r")
    .leftJoin("accounts as a", "a.id", "r.account_id")
    .select(["r.revision", "r.at", "r.changes", "a.handle as by"])
    .orderBy("r.revision", "desc")
    .limit(limit)
    .execute();
  return rows.map(({ revision, at, by, changes }) => {
    return { revision, at, by, changes: JSON.parse(changes) as SettingChange[] };
  });
}

/** Must run under the locks of the settings and the ladders. */
export async function changeSettings(
  tx: OpenTransaction,
  { from: baseRevision, overrides, bounds, changes, accountId }: SettingsUpdate,
  retainCount: number,
  { id, at }: { id: string; at: string },
): Promise<"changed" | "repeated" | "conflict"> {
  const newest = await newestRevision(tx);
  if (newest?.id === id) return "repeated";
  if ((newest?.revision ?? 0) !== baseRevision) return "conflict";
  if (!(await laddersExist(tx, Object.keys(bounds)))) return "conflict";
  await writeBounds(tx, bounds);
  const row = {
    revision: baseRevision + 1,
    id,
    at,
    account_id: accountId,
    overrides: JSON.stringify(overrides),
    changes: JSON.stringify(changes),
  };
  await tx.insertInto("settings_revisions").values(row).execute();
  const deletion = tx
    .deleteFrom("settings_revisions")
    .where("revision", "<=", baseRevision + 1 - retainCount);
  await deletion.execute();
  return "changed";
}

/** The public ladder always exists, though it may have no row. */
async function laddersExist(tx: OpenTransaction, ladderIds: readonly string[]): Promise<boolean> {
  const eventLadderIds = ladderIds.filter((id) => id !== DEFAULT_LADDER);
  if (eventLadderIds.length === 0) return true;
  const query = tx.selectFrom("ladders").select("id").where("id", "in", eventLadderIds);
  return (await query.execute()).length === eventLadderIds.length;
}

async function writeBounds(tx: OpenTransaction, bounds: SettingsUpdate["bounds"]): Promise<void> {
  await tx.deleteFrom("ladder_bounds").execute();
  for (const [ladder_id, { maxConcurrent, ownerConcurrency }] of Object.entries(bounds)) {
    const ladderBounds = { max_concurrent: maxConcurrent, owner_concurrency: ownerConcurrency };
    await tx
      .insertInto("ladder_bounds")
      .values({ ladder_id, ...ladderBounds })
      .execute();
  }
}

const presetQuery = (database: Database) =>
  database
    .selectFrom("settings_presets as p")
    .leftJoin("accounts as a", "a.id", "p.account_id")
    .selectAll("p")
    .select("a.handle as by");

export async function listPresets(database: Database): Promise<Preset[]> {
  return (await presetQuery(database).orderBy("p.name").execute()).map(toPreset);
}

/** Must run under the lock of the settings. */
export async function savePreset(
  tx: OpenTransaction,
  { id, name, revision, accountId }: NewPreset,
  limit: number,
  created: string,
): Promise<Preset | "conflict" | "limit"> {
  const current = await currentSettings(tx);
  if (current.revision !== revision) return "conflict";
  const existingNames = await tx.selectFrom("settings_presets").select("name").execute();
  if (existingNames.length >= limit && existingNames.every((row) => row.name !== name))
    return "limit";
  const overrides = JSON.stringify(current.overrides);
  const columns = { created, account_id: accountId, overrides };
  await tx
    .insertInto("settings_presets")
    .values({ id, name, ...columns })
    .onConflict((conflict) => conflict.column("name").doUpdateSet(columns))
    .execute();
  return toPreset(await presetQuery(tx).where("p.name", "=", name).executeTakeFirstOrThrow());
}

export async function deletePreset(tx: OpenTransaction, id: string): Promise<boolean> {
  const deletion = tx.deleteFrom("settings_presets").where("id", "=", id);
  return (await deletion.executeTakeFirst()).numDeletedRows === 1n;
}

function toPreset(row: Selectable<SettingsPresetTable> & { by: string | null }): Preset {
  const { id, name, created, by, overrides } = row;
  return { id, name, created, by, overrides: JSON.parse(overrides) as StoredOverrides };
}
