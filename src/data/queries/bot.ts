import { sql } from "kysely";
import type { RawBuilder, Selectable } from "kysely";

import { accountIdOfOwner } from "#core/accounts/name-rules.ts";
import { HOUSE_OWNER } from "#core/ids/house-bots.ts";
import type { BotId, OwnerId } from "#core/ids/ids.ts";
import { accountById, isTakenHandle } from "#data/accounts/accounts.ts";
import { countCreation } from "#data/accounts/daily-creations.ts";
import { formerNameHolder } from "#data/accounts/former-names.ts";
import { countDailyCreation } from "#data/daily-stats/daily-counts.ts";
import { nameKey } from "#data/store/bot.ts";
import type {
  AddBotOutcome,
  BotRecord,
  BotSearchResult,
  StatusChange,
  StatusOutcome,
} from "#data/store/bot.ts";

import { readInChunks, toChunks } from "./chunks.ts";
import { isCasual } from "./match-mode.ts";
import { rankedLadders } from "./match.ts";
import { compiledSelect } from "./statement.ts";
import type { BotTable, Database, OpenTransaction } from "./tables.ts";

export async function insertBot(
  tx: OpenTransaction,
  bot: BotRecord,
  tokenHash: string,
  limit: number | null,
): Promise<AddBotOutcome> {
  const nameHolder = await botByName(tx, bot.name);
  if (nameHolder) return nameHolder.id === bot.id ? "added" : "name_taken";
  if ((await formerNameHolder(tx, bot.name, bot.created)) !== null) return "name_taken";
  const owner = await resolveOwner(tx, bot);
  if (typeof owner !== "object") return owner;
  if (limit !== null && (await countActiveBots(tx, bot.ownerId)) >= limit) return "bot_limit";
  const accountId = accountIdOfOwner(bot.ownerId);
  if (accountId !== null && !(await countCreation(tx, accountId, "bot", bot.created)))
    return "daily_limit";
  const result = await tx
    .insertInto("bots")
    .values(toColumns({ ...bot, ...owner }))
    .onConflict((conflict) => conflict.column("name_key").doNothing())
    .executeTakeFirst();
  if (result.numInsertedOrUpdatedRows === 0n) return "name_taken";
  await addToken(tx, bot.id, tokenHash);
  if (!bot.house) await countDailyCreation(tx, "bots", bot.created);
  return "added";
}

/** Returns the owner name to show for a new bot, or why the bot can't have this owner. */
async function resolveOwner(
  tx: OpenTransaction,
  { house, owner, ownerId, created }: BotRecord,
): Promise<{ owner: string } | "owner_taken" | "no_handle"> {
  const accountId = accountIdOfOwner(ownerId);
  if (accountId !== null) {
    const { handle = null } = (await accountById(tx, accountId)) ?? {};
    return handle === null ? "no_handle" : { owner: handle };
  }
  const isTaken = !house && (await isTakenHandle(tx, owner, created));
  return isTaken ? "owner_taken" : { owner };
}

export async function countActiveBots(database: Database, ownerId: OwnerId): Promise<number> {
  const { bots } = await database
    .selectFrom("bots")
    .select((eb) => eb.fn.countAll<number>().as("bots"))
    .where("owner_id", "=", ownerId)
    .where("status", "<>", "retired")
    .executeTakeFirstOrThrow();
  return bots;
}

async function addToken(tx: OpenTransaction, botId: BotId, hash: string): Promise<void> {
  await tx.insertInto("tokens").values({ hash, bot_id: botId, stale: 0 }).execute();
}

export async function botByName(database: Database, name: string): Promise<BotRecord | null> {
  const [row] = await botRowsByKey(database, nameKey(name));
  return row ? toRecord(row) : null;
}

const botRowsByKey = compiledSelect((database, key: string) =>
  botRows(database).where("name_key", "=", key),
);

export async function botById(database: Database, id: string): Promise<BotRecord | null> {
  const [row] = await botRowsById(database, id);
  return row ? toRecord(row) : null;
}

const botRowsById = compiledSelect((database, id: string) =>
  botRows(database).where("bots.id", "=", id),
);

export async function botByToken(
  database: Database,
  hash: string,
): Promise<{ bot: BotRecord; stale: boolean } | null> {
  const [row] = await botRowsByToken(database, hash);
  return row ? { bot: toRecord(row), stale: row.stale === 1 } : null;
}

const botRowsByToken = compiledSelect((database, hash: string) =>
  botRows(database)
    .innerJoin("tokens", "tokens.bot_id", "bots.id")
    .select("tokens.stale")
    .where("tokens.hash", "=", hash),
);

/**
 * Search key: the folded name of an owner without an account, otherwise the handle in lower case.
 */
const OWNER_KEY = sql<string>`case when owner_id like 'anon:%' then substr(owner_id, 6)
  else lower(owner) end`;

export async function searchBots(
  database: Database,
  text: string,
  limit: number,
): Promise<BotSearchResult> {
  const escapedText = text.replaceAll(/[!%_]/g, (character) => `!${character}`);
  const contains = (key: RawBuilder<string>) =>
    sql<boolean>`${key} like ${`%${escapedText}%`} escape '!'`;
  const matchesLater = (key: RawBuilder<string>) =>
    sql`case when ${key} like ${`${escapedText}%`} escape '!' then 0 else 1 end`;
  const name = sql<string>`name_key`;
  const visibleBots = database
    .selectFrom("bots")
    .leftJoin("accounts", "accounts.id", "bots.owner_id")
    .where("status", "<>", "banned")
    .where("accounts.banned_at", "is", null);
  const bots = await visibleBots
    .selectAll("bots")
    .select("accounts.banned_at as owner_banned_at")
    .where(contains(name))
    .orderBy(matchesLater(name))
    .orderBy("name_key")
    .limit(limit)
    .execute();
  const owners = await visibleBots
    .select((eb) => ["owner_id as ownerId", eb.fn.min<string>("owner").as("owner")])
    .where(contains(OWNER_KEY))
    .groupBy(["owner_id", OWNER_KEY])
    .orderBy(matchesLater(OWNER_KEY))
    .orderBy(OWNER_KEY)
    .limit(limit)
    .execute();
  return {
    bots: bots.map(toRecord),
    owners: owners.map((owner) => ({ ...owner, ownerBanned: false })),
  };
}

function botRows(database: Database) {
  return database
    .selectFrom("bots")
    .leftJoin("accounts", "accounts.id", "bots.owner_id")
    .selectAll("bots")
    .select("accounts.banned_at as owner_banned_at");
}

export async function botsOfOwners(
  database: Database,
  ownerIds: readonly OwnerId[],
): Promise<BotRecord[]> {
  const ownerQuery = botRows(database).orderBy("bots.created").orderBy("bots.id");
  const rows = await readInChunks(ownerIds, (chunk) =>
    ownerQuery.where("bots.owner_id", "in", chunk).execute(),
  );
  return rows.map(toRecord);
}

export async function botsById(database: Database, ids: readonly string[]): Promise<BotRecord[]> {
  const query = botRows(database);
  const rows = await readInChunks(ids, (chunk) => query.where("bots.id", "in", chunk).execute());
  return rows.map(toRecord);
}

export async function moderatedBots(database: Database, limit: number): Promise<BotRecord[]> {
  const rows = await botRows(database)
    .where("bots.status", "in", ["suspended", "banned"])
    .orderBy("bots.status_since", "desc")
    .orderBy("bots.id")
    .limit(limit)
    .execute();
  return rows.map(toRecord);
}

export async function houseBots(database: Database): Promise<BotRecord[]> {
  const query = botRows(database).where("house", "=", 1);
  return (await query.orderBy("bots.created").orderBy("bots.id").execute()).map(toRecord);
}

export async function botIds(
  database: Database,
  afterId: string | null,
  limit: number,
): Promise<string[]> {
  const rows = await database
    .selectFrom("bots")
    .select("id")
    .where("id", ">", afterId ?? "")
    .orderBy("id")
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

export async function rotateToken(
  tx: OpenTransaction,
  botId: BotId,
  tokenHash: string,
  expectedHash?: string,
): Promise<boolean> {
  if (expectedHash !== undefined && !(await isCurrentToken(tx, botId, expectedHash))) return false;
  const bot = await botById(tx, botId);
  const deletion = tx.deleteFrom("tokens").where("bot_id", "=", botId);
  if (bot?.status === "banned") {
    await deletion.where("stale", "=", 1).execute();
    await tx.updateTable("tokens").set({ stale: 1 }).where("bot_id", "=", botId).execute();
  } else {
    await deletion.execute();
  }
  await addToken(tx, botId, tokenHash);
  return true;
}

async function isCurrentToken(database: Database, botId: BotId, hash: string): Promise<boolean> {
  const token = database.selectFrom("tokens").select("hash").where("hash", "=", hash);
  const currentQuery = token.where("bot_id", "=", botId).where("stale", "=", 0);
  return (await currentQuery.executeTakeFirst()) !== undefined;
}

export async function setBotStatus(
  tx: OpenTransaction,
  botId: BotId,
  { from: allowedStatuses, to: newStatus, reason, at }: StatusChange,
): Promise<StatusOutcome | null> {
  const result = await tx
    .updateTable("bots")
    .set({ status: newStatus, status_reason: reason, status_since: at })
    .where("id", "=", botId)
    .where("status", "in", allowedStatuses)
    .executeTakeFirst();
  const bot = await botById(tx, botId);
  return bot && { isChanged: result.numUpdatedRows > 0n, bot };
}

export async function deleteBot(
  tx: OpenTransaction,
  botId: BotId,
): Promise<"deleted" | "played" | "unknown"> {
  if ((await rankedLadders(tx, botId)).length > 0) return "played";
  const casualSeats = await tx
    .selectFrom("seats")
    .select("match_id")
    .where("bot_id", "=", botId)
    .where(isCasual("seats"))
    .execute();
  for (const ids of toChunks(casualSeats.map((seat) => seat.match_id))) {
    await tx.deleteFrom("seats").where("match_id", "in", ids).execute();
    await tx.deleteFrom("match_documents").where("match_id", "in", ids).execute();
    await tx.deleteFrom("matches").where("id", "in", ids).execute();
  }
  const result = await tx.deleteFrom("bots").where("id", "=", botId).executeTakeFirst();
  return result.numDeletedRows > 0n ? "deleted" : "unknown";
}

export async function countInconsistentOwners(database: Database): Promise<number> {
  const { bots } = await database
    .selectFrom("bots")
    .select((eb) => eb.fn.countAll<number>().as("bots"))
    .where(sql<boolean>`(house = 1) <> (owner_id = ${HOUSE_OWNER})`)
    .executeTakeFirstOrThrow();
  return bots;
}

function toColumns(bot: BotRecord): Selectable<BotTable> {
  const { ownerId, ownerBanned: _, statusReason, statusSince, house, ...otherColumns } = bot;
  return {
    ...otherColumns,
    name_key: nameKey(bot.name),
    owner_id: ownerId,
    status_reason: statusReason,
    status_since: statusSince,
    house: Number(house),
  };
}

function toRecord(row: Selectable<BotTable> & { owner_banned_at: string | null }): BotRecord {
  const { id, name, owner, house, status, created, avatar } = row;
  return {
    id,
    name,
    owner,
    ownerId: row.owner_id,
    house: house === 1,
    ownerBanned: row.owner_banned_at !== null,
    status,
    statusReason: row.status_reason,
    statusSince: row.status_since,
    created,
    avatar,
  };
}
