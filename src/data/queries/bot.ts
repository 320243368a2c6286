import { sql } from "kysely";
import type { RawBuilder, Selectable } from "kysely";

import { accountOf } from "#core/accounts/name.ts";
import { HOUSE_OWNER } from "#core/words/house.ts";
import type { BotId, OwnerId } from "#core/words/ids.ts";
import { accountById, isTakenHandle } from "#data/accounts/accounts.ts";
import { countCreation } from "#data/accounts/daily-creations.ts";
import { formerBot } from "#data/accounts/former-names.ts";
import { countMade } from "#data/days/daily.ts";
import { nameKey } from "#data/store/bot.ts";
import type {
  AddBotOutcome,
  BotRecord,
  FoundBots,
  StatusChange,
  StatusOutcome,
} from "#data/store/bot.ts";

import { rankedLadders } from "./match.ts";
import { isCasual } from "./mode.ts";
import { inPortions, portionsOf } from "./portions.ts";
import { selection } from "./statement.ts";
import type { BotTable, Database, OpenTransaction } from "./tables.ts";

/** Adds bot and token. Adding the same id again, after an unknown outcome, is `added` too. */
export async function addBot(
  transaction: OpenTransaction,
  bot: BotRecord,
  tokenHash: string,
  limit: number | null,
): Promise<AddBotOutcome> {
  const holder = await botByName(transaction, bot.name);
  if (holder) return holder.id === bot.id ? "added" : "name_taken";
  if ((await formerBot(transaction, bot.name, bot.created)) !== null) return "name_taken";
  const owner = await ownerText(transaction, bot);
  if (typeof owner !== "object") return owner;
  if (limit !== null && (await countOf(transaction, bot.ownerId)) >= limit) return "bot_limit";
  const accountId = accountOf(bot.ownerId);
  if (accountId !== null && !(await countCreation(transaction, accountId, "bot", bot.created)))
    return "daily_limit";
  const inserted = await transaction
    .insertInto("bots")
    .values(toColumns({ ...bot, ...owner }))
    .onConflict((conflict) => conflict.column("name_key").doNothing())
    .executeTakeFirst();
  if (inserted.numInsertedOrUpdatedRows === 0n) return "name_taken";
  await addToken(transaction, bot.id, tokenHash);
  if (!bot.house) await countMade(transaction, "bots", bot.created);
  return "added";
}

/** What a new bot shows as its owner, or why it cannot have that owner. */
async function ownerText(
  open: OpenTransaction,
  { house, owner, ownerId, created }: BotRecord,
): Promise<{ owner: string } | "owner_taken" | "no_handle"> {
  const accountId = accountOf(ownerId);
  if (accountId !== null) {
    const { handle = null } = (await accountById(open, accountId)) ?? {};
    return handle === null ? "no_handle" : { owner: handle };
  }
  const isTaken = !house && (await isTakenHandle(open, owner, created));
  return isTaken ? "owner_taken" : { owner };
}

/** The owner's bots that count against its limit. */
export async function countOf(database: Database, ownerId: OwnerId): Promise<number> {
  const { bots } = await database
    .selectFrom("bots")
    .select((eb) => eb.fn.countAll<number>().as("bots"))
    .where("owner_id", "=", ownerId)
    .where("status", "<>", "retired")
    .executeTakeFirstOrThrow();
  return bots;
}

async function addToken(open: OpenTransaction, botId: BotId, hash: string): Promise<void> {
  await open.insertInto("tokens").values({ hash, bot_id: botId, stale: 0 }).execute();
}

export async function botByName(database: Database, name: string): Promise<BotRecord | null> {
  const [row] = await rowsByKey(database, nameKey(name));
  return row ? toRecord(row) : null;
}

const rowsByKey = selection((database, key: string) =>
  botRows(database).where("name_key", "=", key),
);

export async function botById(database: Database, id: string): Promise<BotRecord | null> {
  const [row] = await rowsById(database, id);
  return row ? toRecord(row) : null;
}

const rowsById = selection((database, id: string) => botRows(database).where("bots.id", "=", id));

export async function botByToken(
  database: Database,
  hash: string,
): Promise<{ bot: BotRecord; stale: boolean } | null> {
  const [row] = await rowsByToken(database, hash);
  return row ? { bot: toRecord(row), stale: row.stale === 1 } : null;
}

const rowsByToken = selection((database, hash: string) =>
  botRows(database)
    .innerJoin("tokens", "tokens.bot_id", "bots.id")
    .select("tokens.stale")
    .where("tokens.hash", "=", hash),
);

/** Owners without an account are known by their folded name, others by an id. */
const OWNER_KEY = sql<string>`case when owner_id like 'anon:%' then substr(owner_id, 6)
  else lower(owner) end`;

/** Those that begin with the text come first. */
export async function searchBots(
  database: Database,
  text: string,
  most: number,
): Promise<FoundBots> {
  const sought = text.replaceAll(/[!%_]/g, (sign) => `!${sign}`);
  const contains = (key: RawBuilder<string>) =>
    sql<boolean>`${key} like ${`%${sought}%`} escape '!'`;
  const isLater = (key: RawBuilder<string>) =>
    sql`case when ${key} like ${`${sought}%`} escape '!' then 0 else 1 end`;
  const name = sql<string>`name_key`;
  const known = database
    .selectFrom("bots")
    .leftJoin("accounts", "accounts.id", "bots.owner_id")
    .where("status", "<>", "banned")
    .where("accounts.banned_at", "is", null);
  const bots = await known
    .selectAll("bots")
    .select("accounts.banned_at as owner_banned_at")
    .where(contains(name))
    .orderBy(isLater(name))
    .orderBy("name_key")
    .limit(most)
    .execute();
  const owners = await known
    .select((eb) => ["owner_id as ownerId", eb.fn.min<string>("owner").as("owner")])
    .where(contains(OWNER_KEY))
    .groupBy(["owner_id", OWNER_KEY])
    .orderBy(isLater(OWNER_KEY))
    .orderBy(OWNER_KEY)
    .limit(most)
    .execute();
  return {
    bots: bots.map(toRecord),
    owners: owners.map((found) => ({ ...found, ownerBanned: false })),
  };
}

/** Bots with what their owner's account adds to them. */
function botRows(database: Database) {
  return database
    .selectFrom("bots")
    .leftJoin("accounts", "accounts.id", "bots.owner_id")
    .selectAll("bots")
    .select("accounts.banned_at as owner_banned_at");
}

/** Oldest first. */
export async function botsOfOwners(
  database: Database,
  ownerIds: readonly OwnerId[],
): Promise<BotRecord[]> {
  const own = botRows(database).orderBy("bots.created").orderBy("bots.id");
  const rows = await inPortions(ownerIds, (portion) =>
    own.where("bots.owner_id", "in", portion).execute(),
  );
  return rows.map(toRecord);
}

/** In no particular order; ids that do not exist are left out. */
export async function botsById(database: Database, ids: readonly string[]): Promise<BotRecord[]> {
  const all = botRows(database);
  const rows = await inPortions(ids, (portion) => all.where("bots.id", "in", portion).execute());
  return rows.map(toRecord);
}

/** The latest first. */
export async function moderatedBots(database: Database, most: number): Promise<BotRecord[]> {
  const rows = await botRows(database)
    .where("bots.status", "in", ["suspended", "banned"])
    .orderBy("bots.status_since", "desc")
    .orderBy("bots.id")
    .limit(most)
    .execute();
  return rows.map(toRecord);
}

/** Oldest first. */
export async function houseBots(database: Database): Promise<BotRecord[]> {
  const all = botRows(database).where("house", "=", 1);
  return (await all.orderBy("bots.created").orderBy("bots.id").execute()).map(toRecord);
}

/** The next ids in order. */
export async function botIds(
  database: Database,
  after: string | null,
  most: number,
): Promise<string[]> {
  const rows = await database
    .selectFrom("bots")
    .select("id")
    .where("id", ">", after ?? "")
    .orderBy("id")
    .limit(most)
    .execute();
  return rows.map(({ id }) => id);
}

/** The replaced hash is kept, as stale, for a banned bot only; older hashes are forgotten. */
export async function rotateToken(
  transaction: OpenTransaction,
  botId: BotId,
  tokenHash: string,
  former?: string,
): Promise<boolean> {
  if (former !== undefined && !(await isCurrent(transaction, botId, former))) return false;
  const bot = await botById(transaction, botId);
  const forgotten = transaction.deleteFrom("tokens").where("bot_id", "=", botId);
  if (bot?.status === "banned") {
    await forgotten.where("stale", "=", 1).execute();
    await transaction.updateTable("tokens").set({ stale: 1 }).where("bot_id", "=", botId).execute();
  } else {
    await forgotten.execute();
  }
  await addToken(transaction, botId, tokenHash);
  return true;
}

async function isCurrent(database: Database, botId: BotId, hash: string): Promise<boolean> {
  const token = database.selectFrom("tokens").select("hash").where("hash", "=", hash);
  const own = token.where("bot_id", "=", botId).where("stale", "=", 0);
  return (await own.executeTakeFirst()) !== undefined;
}

/** Null when there is no such bot. */
export async function setBotStatus(
  transaction: OpenTransaction,
  botId: BotId,
  { from, to, reason, at }: StatusChange,
): Promise<StatusOutcome | null> {
  const changed = await transaction
    .updateTable("bots")
    .set({ status: to, status_reason: reason, status_since: at })
    .where("id", "=", botId)
    .where("status", "in", from)
    .executeTakeFirst();
  const bot = await botById(transaction, botId);
  return bot && { isChanged: changed.numUpdatedRows > 0n, bot };
}

/** Tokens and versions are deleted with the bot by their foreign keys. */
export async function deleteBot(
  transaction: OpenTransaction,
  botId: BotId,
): Promise<"deleted" | "played" | "unknown"> {
  if ((await rankedLadders(transaction, botId)).length > 0) return "played";
  const casual = await transaction
    .selectFrom("seats")
    .select("match_id")
    .where("bot_id", "=", botId)
    .where(isCasual("seats"))
    .execute();
  for (const ids of portionsOf(casual.map((seat) => seat.match_id))) {
    await transaction.deleteFrom("seats").where("match_id", "in", ids).execute();
    await transaction.deleteFrom("match_documents").where("match_id", "in", ids).execute();
    await transaction.deleteFrom("matches").where("id", "in", ids).execute();
  }
  const gone = await transaction.deleteFrom("bots").where("id", "=", botId).executeTakeFirst();
  return gone.numDeletedRows > 0n ? "deleted" : "unknown";
}

/** Number of bots that are the house's by one column but not by the other. */
export async function wrongOwners(database: Database): Promise<number> {
  const { bots } = await database
    .selectFrom("bots")
    .select((eb) => eb.fn.countAll<number>().as("bots"))
    .where(sql<boolean>`(house = 1) <> (owner_id = ${HOUSE_OWNER})`)
    .executeTakeFirstOrThrow();
  return bots;
}

function toColumns(bot: BotRecord): Selectable<BotTable> {
  const { ownerId, ownerBanned: _, statusReason, statusSince, house, ...same } = bot;
  return {
    ...same,
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
