import { sql } from "kysely";
import type { NotNull, Selectable } from "kysely";

import { accountIdOfOwner } from "#core/accounts/name-rules.ts";
import { HOUSE_OWNER } from "#core/ids/house-bots.ts";
import type { BotId, LadderId } from "#core/ids/ids.ts";
import { countCreation } from "#data/accounts/daily-creations.ts";
import { countDailyVersion } from "#data/daily-stats/daily-counts.ts";
import type {
  AddVersionOutcome,
  RetireOutcome,
  VersionEntry,
  VersionPage,
  VersionRecord,
} from "#data/store/version.ts";

import { readInChunks } from "./chunks.ts";
import { isRanked } from "./match-mode.ts";
import { rankedLadders } from "./match.ts";
import type { Database, OpenTransaction, VersionTable } from "./tables.ts";

/** Adds a label unless the bot has it. The limit also holds for concurrent calls. */
export async function insertVersion(
  tx: OpenTransaction,
  version: VersionRecord,
  dailyLimit: { count: number; since: string } | null,
): Promise<AddVersionOutcome> {
  const existing = await selectVersion(tx, version.botId, version.label);
  if (existing) return { outcome: "exists", version: existing };
  if (
    dailyLimit &&
    (await countVersionsSince(tx, version.botId, dailyLimit.since)) >= dailyLimit.count
  )
    return { outcome: "limit" };
  if (!(await countNoteBytes(tx, version))) return { outcome: "notes_limit" };
  await tx.insertInto("versions").values(toColumns(version)).execute();
  await countDailyVersion(tx, version);
  return { outcome: "added", version };
}

async function countNoteBytes(
  tx: OpenTransaction,
  { botId, notes, created }: VersionRecord,
): Promise<boolean> {
  if (notes === "") return true;
  const owner = tx.selectFrom("bots").select("owner_id").where("id", "=", botId);
  const accountId = accountIdOfOwner((await owner.executeTakeFirst())?.owner_id ?? HOUSE_OWNER);
  const bytes = Buffer.byteLength(notes);
  return accountId === null || countCreation(tx, accountId, "notes_byte", created, bytes);
}

export async function selectVersion(
  database: Database,
  botId: BotId,
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

async function countVersionsSince(
  database: Database,
  botId: BotId,
  since: string,
): Promise<number> {
  const { made: createdCount } = await database
    .selectFrom("versions")
    .select((eb) => eb.fn.countAll<number>().as("made"))
    .where("bot_id", "=", botId)
    .where("created", ">=", since)
    .executeTakeFirstOrThrow();
  return createdCount;
}

export async function retireVersion(
  tx: OpenTransaction,
  botId: BotId,
  label: string,
): Promise<RetireOutcome | null> {
  const result = await tx
    .updateTable("versions")
    .set({ retired: 1 })
    .where("bot_id", "=", botId)
    .where("label", "=", label)
    .where("retired", "=", 0)
    .executeTakeFirst();
  const version = await selectVersion(tx, botId, label);
  const outcome = result.numUpdatedRows === 0n ? "was_retired" : "retired";
  return version && { outcome, version };
}

export async function versionsById(
  database: Database,
  ids: readonly string[],
): Promise<VersionEntry[]> {
  const query = database
    .selectFrom("versions")
    .select(["id", "bot_id as botId", "label", "created", "retired"]);
  const rows = await readInChunks(ids, (chunk) => query.where("id", "in", chunk).execute());
  return rows.map((row) => ({ ...row, retired: row.retired === 1 }));
}

export async function listVersions(
  database: Database,
  botId: BotId,
  { before, limit }: VersionPage,
): Promise<VersionRecord[] | null> {
  const cursor = before === undefined ? undefined : await selectVersion(database, botId, before);
  if (cursor === null) return null;
  const { created, id } = cursor ?? {};
  const rows = await newestFirst(database, botId)
    .$if(cursor !== undefined, (query) =>
      query.where(sql<boolean>`(created, id) < (${created}, ${id})`),
    )
    .limit(limit)
    .execute();
  return rows.map(toRecord);
}

export async function latestVersions(
  database: Database,
  botId: BotId,
  limit: number,
  included: readonly string[],
): Promise<{ versions: VersionRecord[]; total: number }> {
  const total = await countVersionsSince(database, botId, "");
  const newestRows = await newestFirst(database, botId).limit(limit).execute();
  if (total <= limit) return { versions: newestRows.toReversed().map(toRecord), total };
  const lastPlayed = await lastPlayedVersions(database, botId, limit);
  const loadedIds = new Set(newestRows.map(({ id }) => id));
  const missingIds = [...lastPlayed.keys(), ...included].filter((id) => !loadedIds.has(id));
  const otherRows = await readInChunks(missingIds, (ids) => versionsWithIds(database, botId, ids));
  const sortKey = ({ id, created }: VersionRow) => {
    const lastActivity = [lastPlayed.get(id) ?? "", created].toSorted()[1];
    return `${Number(included.includes(id))} ${lastActivity} ${id}`;
  };
  const versions = [...newestRows, ...otherRows]
    .toSorted((a, b) => (sortKey(a) > sortKey(b) ? -1 : 1))
    .slice(0, limit)
    .toSorted((a, b) => (creationKey(a) < creationKey(b) ? -1 : 1));
  return { versions: versions.map(toRecord), total };
}

type VersionRow = Selectable<VersionTable>;

const creationKey = ({ created, id }: VersionRow): string => `${created} ${id}`;

function newestFirst(database: Database, botId: BotId) {
  return database
    .selectFrom("versions")
    .selectAll()
    .where("bot_id", "=", botId)
    .orderBy("created", "desc")
    .orderBy("id", "desc");
}

function versionsWithIds(
  database: Database,
  botId: BotId,
  ids: readonly string[],
): Promise<VersionRow[]> {
  const rows = database.selectFrom("versions").selectAll().where("id", "in", ids);
  return rows.where("bot_id", "=", botId).execute();
}

/** How many of a bot's latest matches on each ladder are searched for recently played versions. */
const MATCH_SCAN_LIMIT = 5000;

async function lastPlayedVersions(
  database: Database,
  botId: BotId,
  limit: number,
): Promise<Map<string, string>> {
  const lastEnds = new Map<string, string>();
  for (const ladderId of await rankedLadders(database, botId)) {
    const seats = database
      .selectFrom("seats")
      .select(["version_id", "ended"])
      .where("bot_id", "=", botId)
      .where("ladder_id", "=", ladderId)
      .where(isRanked("seats"))
      .$narrowType<{ version_id: NotNull }>()
      .orderBy("ended", "desc")
      .orderBy("match_id", "desc")
      .limit(MATCH_SCAN_LIMIT)
      .as("latest");
    const rows = await database
      .selectFrom(seats)
      .select((eb) => ["version_id as id", eb.fn.max("ended").as("last")])
      .groupBy("version_id")
      .orderBy("last", "desc")
      .limit(limit)
      .execute();
    for (const { id, last } of rows) if (last > (lastEnds.get(id) ?? "")) lastEnds.set(id, last);
  }
  return lastEnds;
}

/** Reads the last rated seat whose version isn't retired, which takes few reads. */
export async function currentVersion(
  database: Database,
  botId: BotId,
  ladderId: LadderId,
): Promise<VersionRecord | null> {
  const lastPlayed = await database
    .selectFrom("seats as s")
    .innerJoin("versions as v", "v.id", "s.version_id")
    .selectAll("v")
    .where("s.bot_id", "=", botId)
    .where("s.ladder_id", "=", ladderId)
    .where(isRanked("s"))
    .where("s.rating_after", "is not", null)
    .where("v.retired", "=", 0)
    .orderBy("s.ended", "desc")
    .orderBy("s.match_id", "desc")
    .limit(1)
    .executeTakeFirst();
  const newest = newestFirst(database, botId).where("retired", "=", 0).limit(1);
  const row = lastPlayed ?? (await newest.executeTakeFirst());
  return row ? toRecord(row) : null;
}

function toColumns(version: VersionRecord): VersionRow {
  const { id, botId, label, notes, created, retired } = version;
  return { id, bot_id: botId, label, notes, created, retired: Number(retired) };
}

function toRecord(row: VersionRow): VersionRecord {
  const { id, bot_id: botId, label, notes, created, retired } = row;
  return { id, botId, label, notes, created, retired: retired === 1 };
}
