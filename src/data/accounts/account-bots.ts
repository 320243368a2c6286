// Bots of accounts: taking one over, another name, another picture.

import type { AvatarName } from "#core/words/avatars.ts";
import type { AccountId, BotId } from "#core/words/ids.ts";
import { botById, botByName, countOf } from "#data/queries/bot.ts";
import { rankedLadders } from "#data/queries/match.ts";
import type { Database, OpenTransaction } from "#data/queries/tables.ts";
import { nameKey } from "#data/store/bot.ts";
import type { BotRecord, ClaimOutcome, GivenUp } from "#data/store/bot.ts";

import { accountById } from "./accounts.ts";
import { formerBot, moveName } from "./former-names.ts";

export async function botByFormerName(
  database: Database,
  name: string,
  now: string,
): Promise<BotRecord | null> {
  const id = await formerBot(database, name, now);
  return id === null ? null : botById(database, id);
}

/** Which of them have played a ranked match. */
export async function playedBots(database: Database, ids: readonly BotId[]): Promise<BotId[]> {
  const played: BotId[] = [];
  for (const id of ids) if ((await rankedLadders(database, id)).length > 0) played.push(id);
  return played;
}

export async function claimBot(
  open: OpenTransaction,
  id: BotId,
  claimant: AccountId,
  limit: number,
): Promise<ClaimOutcome | null> {
  const bot = await botById(open, id);
  if (bot === null) return null;
  if (bot.ownerId === claimant) return { outcome: "own", bot };
  const { handle = null } = (await accountById(open, claimant)) ?? {};
  if (handle === null) return { outcome: "no_handle" };
  const refusal = await claimRefusal(open, bot, claimant, limit);
  if (refusal !== null) return { outcome: refusal };
  const owner = { owner: handle, owner_id: claimant };
  await open.updateTable("bots").set(owner).where("id", "=", id).execute();
  return {
    outcome: "claimed",
    bot: { ...bot, owner: handle, ownerId: claimant },
  };
}

/** Only bots of nobody's account can be claimed. */
async function claimRefusal(
  open: OpenTransaction,
  { ownerId, status }: BotRecord,
  claimant: AccountId,
  limit: number,
): Promise<Exclude<ClaimOutcome["outcome"], "claimed" | "own"> | null> {
  if (!ownerId.startsWith("anon:")) return "already_claimed";
  if (status === "retired") return "retired";
  if (status !== "active") return "moderated";
  return (await countOf(open, claimant)) >= limit ? "bot_limit" : null;
}

export async function renameBot(
  open: OpenTransaction,
  id: BotId,
  name: string,
  formerly: GivenUp,
): Promise<BotRecord | "name_taken" | null> {
  const bot = await botById(open, id);
  if (bot === null) return null;
  const holder = (await botByName(open, name))?.id ?? (await formerBot(open, name, formerly.at));
  if (holder !== null && holder !== id) return "name_taken";
  await open
    .updateTable("bots")
    .set({ name, name_key: nameKey(name) })
    .where("id", "=", id)
    .execute();
  await moveName(open, id, [bot.name, name], formerly);
  return { ...bot, name };
}

export async function setAvatar(
  open: OpenTransaction,
  id: BotId,
  avatar: AvatarName | null,
): Promise<BotRecord | null> {
  await open.updateTable("bots").set({ avatar }).where("id", "=", id).execute();
  return botById(open, id);
}
