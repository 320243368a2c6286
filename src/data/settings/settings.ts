import type { Selectable } from "kysely";

import { DEFAULT_LADDER } from "#core/ladder/ladder.ts";
import type { Database, OpenTransaction } from "#data/queries/tables.ts";
import type {
  KeptSettings,
  NewPreset,
  NextSettings,
  Preset,
  SettingChange,
  SettingsRevision,
  StoredOverrides,
} from "#data/store/settings.ts";

import type { PresetTable } from "./settings-tables.ts";

export const UNCHANGED: KeptSettings = {
  revision: 0,
  overrides: {},
  bounds: {},
};

const newestOf = (database: Database) =>
  database
    .selectFrom("settings_revisions")
    .selectAll()
    .orderBy("revision", "desc")
    .limit(1)
    .executeTakeFirst();

/** In one statement: a change between two would mix its parts. */
export async function currentSettings(database: Database): Promise<KeptSettings> {
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
  if (row === undefined) return UNCHANGED;
  const bounds = rows.flatMap(({ ladder_id, max_concurrent, owner_concurrency }) => {
    const bound = { maxConcurrent: max_concurrent, ownerConcurrency: owner_concurrency };
    return ladder_id === null ? [] : [[ladder_id, bound] as const];
  });
  const overrides = JSON.parse(row.overrides) as StoredOverrides;
  return { revision: row.revision, overrides, bounds: Object.fromEntries(bounds) };
}

/** Newest first. */
export async function settingsHistory(
  database: Database,
  most: number,
): Promise<SettingsRevision[]> {
  const rows = await database
    .selectFrom("settings_revisions as r")
    .leftJoin("accounts as a", "a.id", "r.account_id")
    .select(["r.revision", "r.at", "r.changes", "a.handle as by"])
    .orderBy("r.revision", "desc")
    .limit(most)
    .execute();
  return rows.map(({ revision, at, by, changes }) => {
    return { revision, at, by, changes: JSON.parse(changes) as SettingChange[] };
  });
}

/** Under the locks of the settings and of the ladders. */
export async function changeSettings(
  open: OpenTransaction,
  { from, overrides, bounds, changes, accountId }: NextSettings,
  kept: number,
  { id, at }: { id: string; at: string },
): Promise<"changed" | "repeated" | "conflict"> {
  const newest = await newestOf(open);
  if (newest?.id === id) return "repeated";
  if ((newest?.revision ?? 0) !== from) return "conflict";
  if (!(await areThere(open, Object.keys(bounds)))) return "conflict";
  await writeBounds(open, bounds);
  const row = {
    revision: from + 1,
    id,
    at,
    account_id: accountId,
    overrides: JSON.stringify(overrides),
    changes: JSON.stringify(changes),
  };
  await open.insertInto("settings_revisions").values(row).execute();
  const past = open.deleteFrom("settings_revisions").where("revision", "<=", from + 1 - kept);
  await past.execute();
  return "changed";
}

/** Public always is; it may have no row. */
async function areThere(open: OpenTransaction, ladderIds: readonly string[]): Promise<boolean> {
  const others = ladderIds.filter((id) => id !== DEFAULT_LADDER);
  if (others.length === 0) return true;
  const known = open.selectFrom("ladders").select("id").where("id", "in", others);
  return (await known.execute()).length === others.length;
}

async function writeBounds(open: OpenTransaction, bounds: NextSettings["bounds"]): Promise<void> {
  await open.deleteFrom("ladder_bounds").execute();
  for (const [ladder_id, { maxConcurrent, ownerConcurrency }] of Object.entries(bounds)) {
    const bound = { max_concurrent: maxConcurrent, owner_concurrency: ownerConcurrency };
    await open
      .insertInto("ladder_bounds")
      .values({ ladder_id, ...bound })
      .execute();
  }
}

const presetsIn = (database: Database) =>
  database
    .selectFrom("settings_presets as p")
    .leftJoin("accounts as a", "a.id", "p.account_id")
    .selectAll("p")
    .select("a.handle as by");

/** By name. */
export async function listPresets(database: Database): Promise<Preset[]> {
  return (await presetsIn(database).orderBy("p.name").execute()).map(toPreset);
}

/** Under the lock of the settings. */
export async function savePreset(
  open: OpenTransaction,
  { id, name, revision, accountId }: NewPreset,
  most: number,
  created: string,
): Promise<Preset | "conflict" | "limit"> {
  const current = await currentSettings(open);
  if (current.revision !== revision) return "conflict";
  const names = await open.selectFrom("settings_presets").select("name").execute();
  if (names.length >= most && names.every((row) => row.name !== name)) return "limit";
  const overrides = JSON.stringify(current.overrides);
  const changed = { created, account_id: accountId, overrides };
  await open
    .insertInto("settings_presets")
    .values({ id, name, ...changed })
    .onConflict((conflict) => conflict.column("name").doUpdateSet(changed))
    .execute();
  return toPreset(await presetsIn(open).where("p.name", "=", name).executeTakeFirstOrThrow());
}

export async function deletePreset(open: OpenTransaction, id: string): Promise<boolean> {
  const deletion = open.deleteFrom("settings_presets").where("id", "=", id);
  return (await deletion.executeTakeFirst()).numDeletedRows === 1n;
}

function toPreset(row: Selectable<PresetTable> & { by: string | null }): Preset {
  const { id, name, created, by, overrides } = row;
  return { id, name, created, by, overrides: JSON.parse(overrides) as StoredOverrides };
}
