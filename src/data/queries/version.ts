import { sql } from "kysely";
import type { NotNull, Selectable } from "kysely";

import { accountOf } from "#core/accounts/name.ts";
import { HOUSE_OWNER } from "#core/words/house.ts";
import type { BotId, LadderId } from "#core/words/ids.ts";
import { countCreation } from "#data/accounts/daily-creations.ts";
import { countVersion } from "#data/days/daily.ts";
import type {
  AddVersionOutcome,
  RetireOutcome,
  VersionEntry,
  VersionPage,
  VersionRecord,
} from "#data/store/version.ts";

import { rankedLadders } from "./match.ts";
import { isRanked } from "./mode.ts";
import { inPortions } from "./portions.ts";
import type { Database, OpenTransaction, VersionTable } from "./tables.ts";

/** Adds a label unless the bot has it; the limit is exact. */
export async function addVersion(
  transaction: OpenTransaction,
  version: VersionRecord,
  dayLimit: { count: number; since: string } | null,
): Promise<AddVersionOutcome> {
  const present = await versionOf(transaction, version.botId, version.label);
  if (present) return { outcome: "exists", version: present };
  if (dayLimit && (await countSince(transaction, version.botId, dayLimit.since)) >= dayLimit.count)
    return { outcome: "limit" };
  if (!(await countNotes(transaction, version))) return { outcome: "notes_limit" };
  await transaction.insertInto("versions").values(toColumns(version)).execute();
  await countVersion(transaction, version);
  return { outcome: "added", version };
}

/** Counts the notes for the account that owns the bot; false where that exceeds the daily limit. */
async function countNotes(
  open: OpenTransaction,
  { botId, notes, created }: VersionRecord,
): Promise<boolean> {
  if (notes === "") return true;
  const owner = open.selectFrom("bots").select("owner_id").where("id", "=", botId);
  const accountId = accountOf((await owner.executeTakeFirst())?.owner_id ?? HOUSE_OWNER);
  const bytes = Buffer.byteLength(notes);
  return accountId === null || countCreation(open, accountId, "notes_byte", created, bytes);
}

/** Null when the bot has no such version. */
export async function versionOf(
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

async function countSince(database: Database, botId: BotId, since: string): Promise<number> {
  const { made } = await database
    .selectFrom("versions")
    .select((eb) => eb.fn.countAll<number>().as("made"))
    .where("bot_id", "=", botId)
    .where("created", ">=", since)
    .executeTakeFirstOrThrow();
  return made;
}

/** Null when the bot has no such version. */
export async function retireVersion(
  transaction: OpenTransaction,
  botId: BotId,
  label: string,
): Promise<RetireOutcome | null> {
  const retired = await transaction
    .updateTable("versions")
    .set({ retired: 1 })
    .where("bot_id", "=", botId)
    .where("label", "=", label)
    .where("retired", "=", 0)
    .executeTakeFirst();
  const version = await versionOf(transaction, botId, label);
  const outcome = retired.numUpdatedRows === 0n ? "was_retired" : "retired";
  return version && { outcome, version };
}

/** In no particular order; ids that do not exist are left out. */
export async function versionsById(
  database: Database,
  ids: readonly string[],
): Promise<VersionEntry[]> {
  const all = database
    .selectFrom("versions")
    .select(["id", "bot_id as botId", "label", "created", "retired"]);
  const rows = await inPortions(ids, (portion) => all.where("id", "in", portion).execute());
  return rows.map((row) => ({ ...row, retired: row.retired === 1 }));
}

/** Newest first; null when `before` is not a label of the bot. */
export async function versionsOf(
  database: Database,
  botId: BotId,
  { before, limit }: VersionPage,
): Promise<VersionRecord[] | null> {
  const cursor = before === undefined ? undefined : await versionOf(database, botId, before);
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

/**
 * The `most` versions made or played last, including `always`, oldest first, and the number of all.
 */
export async function latestVersions(
  database: Database,
  botId: BotId,
  most: number,
  always: readonly string[],
): Promise<{ versions: VersionRecord[]; total: number }> {
  const total = await countSince(database, botId, "");
  const made = await newestFirst(database, botId).limit(most).execute();
  if (total <= most) return { versions: made.toReversed().map(toRecord), total };
  const played = await playedLast(database, botId, most);
  const known = new Set(made.map(({ id }) => id));
  const missing = [...played.keys(), ...always].filter((id) => !known.has(id));
  const others = await inPortions(missing, (ids) => withIds(database, botId, ids));
  const rank = ({ id, created }: Row) => {
    const last = [played.get(id) ?? "", created].toSorted()[1];
    return `${Number(always.includes(id))} ${last} ${id}`;
  };
  const versions = [...made, ...others]
    .toSorted((one, other) => (rank(one) > rank(other) ? -1 : 1))
    .slice(0, most)
    .toSorted((one, other) => (ageKey(one) < ageKey(other) ? -1 : 1));
  return { versions: versions.map(toRecord), total };
}

type Row = Selectable<VersionTable>;

const ageKey = ({ created, id }: Row): string => `${created} ${id}`;

function newestFirst(database: Database, botId: BotId) {
  return database
    .selectFrom("versions")
    .selectAll()
    .where("bot_id", "=", botId)
    .orderBy("created", "desc")
    .orderBy("id", "desc");
}

function withIds(database: Database, botId: BotId, ids: readonly string[]): Promise<Row[]> {
  const rows = database.selectFrom("versions").selectAll().where("id", "in", ids);
  return rows.where("bot_id", "=", botId).execute();
}

/** How many of a bot's latest matches on a ladder are searched for recently played versions. */
const LOOKED_AT = 5000;

/** Versions in the bot's latest matches, with the end of their last match. */
async function playedLast(
  database: Database,
  botId: BotId,
  most: number,
): Promise<Map<string, string>> {
  const ends = new Map<string, string>();
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
      .limit(LOOKED_AT)
      .as("latest");
    const rows = await database
      .selectFrom(seats)
      .select((eb) => ["version_id as id", eb.fn.max("ended").as("last")])
      .groupBy("version_id")
      .orderBy("last", "desc")
      .limit(most)
      .execute();
    for (const { id, last } of rows) if (last > (ends.get(id) ?? "")) ends.set(id, last);
  }
  return ends;
}

/** Decided by its last rated seat with a version that is not retired, so it takes few reads. */
export async function currentVersion(
  database: Database,
  botId: BotId,
  ladderId: LadderId,
): Promise<VersionRecord | null> {
  const played = await database
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
  const row = played ?? (await newest.executeTakeFirst());
  return row ? toRecord(row) : null;
}

function toColumns(version: VersionRecord): Row {
  const { id, botId, label, notes, created, retired } = version;
  return { id, bot_id: botId, label, notes, created, retired: Number(retired) };
}

function toRecord(row: Row): VersionRecord {
  const { id, bot_id: botId, label, notes, created, retired } = row;
  return { id, botId, label, notes, created, retired: retired === 1 };
}
