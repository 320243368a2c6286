import type { AvatarName } from "#core/ids/avatars.ts";
import type { AccountId, BotId } from "#core/ids/ids.ts";
import { botById, botByName, countActiveBots } from "#data/queries/bot.ts";
import { rankedLadders } from "#data/queries/match.ts";
import type { Database, OpenTransaction } from "#data/queries/tables.ts";
import { nameKey } from "#data/store/bot.ts";
import type { BotRecord, ClaimOutcome, NameReservation } from "#data/store/bot.ts";

import { accountById } from "./accounts.ts";
import { formerNameHolder, replaceName } from "./former-names.ts";

export async function botByFormerName(
  database: Database,
  name: string,
  now: string,
): Promise<BotRecord | null> {
  const id = await formerNameHolder(database, name, now);
  return id === null ? null : botById(database, id);
}

export async function playedBots(database: Database, ids: readonly BotId[]): Promise<BotId[]> {
  const playedIds: BotId[] = [];
  for (const id of ids) if ((await rankedLadders(database, id)).length > 0) playedIds.push(id);
  return playedIds;
}

export async function claimBot(
  tx: OpenTransaction,
  id: BotId,
  claimant: AccountId,
  limit: number,
): Promise<ClaimOutcome | null> {
  const bot = await botById(tx, id);
  if (bot === null) return null;
  if (bot.ownerId === claimant) return { outcome: "own", bot };
  const { handle = null } = (await accountById(tx, claimant)) ?? {};
  if (handle === null) return { outcome: "no_handle" };
  const refusal = await claimRefusal(tx, bot, claimant, limit);
  if (refusal !== null) return { outcome: refusal };
  const owner = { owner: handle, owner_id: claimant };
  await tx.updateTable("bots").set(owner).where("id", "=", id).execute();
  return {
    outcome: "claimed",
    bot: { ...bot, owner: handle, ownerId: claimant },
  };
}

async function claimRefusal(
  tx: OpenTransaction,
  { ownerId, status }: BotRecord,
  claimant: AccountId,
  limit: number,
): Promise<Exclude<ClaimOutcome["outcome"], "claimed" | "own"> | null> {
  if (!ownerId.startsWith("anon:")) return "already_claimed";
  if (status === "retired") return "retired";
  if (status !== "active") return "moderated";
  return (await countActiveBots(tx, claimant)) >= limit ? "bot_limit" : null;
}

export async function renameBot(
  tx: OpenTransaction,
  id: BotId,
  name: string,
  reservation: NameReservation,
): Promise<BotRecord | "name_taken" | null> {
  const bot = await botById(tx, id);
  if (bot === null) return null;
  const holder =
    (await botByName(tx, name))?.id ?? (await formerNameHolder(tx, name, reservation.at));
  if (holder !== null && holder !== id) return "name_taken";
  await tx
    .updateTable("bots")
    .set({ name, name_key: nameKey(name) })
    .where("id", "=", id)
    .execute();
  await replaceName(tx, id, [bot.name, name], reservation);
  return { ...bot, name };
}

export async function setAvatar(
  tx: OpenTransaction,
  id: BotId,
  avatar: AvatarName | null,
): Promise<BotRecord | null> {
  await tx.updateTable("bots").set({ avatar }).where("id", "=", id).execute();
  return botById(tx, id);
}
