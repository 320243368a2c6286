// Somebody leaves, or is made to: what goes, and what stays under another owner.

import { LEFT_OWNER } from "#core/accounts/account.ts";
import { ownerIdOf } from "#core/accounts/name.ts";
import type { AccountId } from "#core/words/ids.ts";
import { deleteUser } from "#data/identity/users.ts";
import { botsById, botsOfOwners, deleteBot } from "#data/queries/bot.ts";
import type { OpenTransaction } from "#data/queries/tables.ts";
import type { AccountRecord, Left, Leaving } from "#data/store/account.ts";
import type { BotRecord } from "#data/store/bot.ts";
import { EMBEDDED_ISSUER } from "#data/store/identity.ts";

import { playedBots } from "./account-bots.ts";
import { accountById, noteSignOut } from "./accounts.ts";
import { moveHandle } from "./former-names.ts";

const OWNER = {
  owner: LEFT_OWNER,
  owner_id: ownerIdOf({ house: false, owner: LEFT_OWNER, accountId: null }),
};

/** Keys and programs are deleted with the account by their foreign keys. */
export async function leave(
  open: OpenTransaction,
  id: AccountId,
  leaving: Leaving,
): Promise<Left | null> {
  const account = await accountById(open, id);
  if (account === null) return null;
  const bots = await botsOfOwners(open, [id]);
  const stays = await stayingBots(open, bots, leaving);
  for (const bot of bots) if (!stays.has(bot.id)) await deleteBot(open, bot.id);
  for (const botId of stays) await retire(open, botId, leaving);
  await moveHandle(open, id, [account.handle, null], leaving);
  await noteSignOut(open, account, leaving.second);
  await open.deleteFrom("accounts").where("id", "=", id).execute();
  return {
    account,
    deletedBots: bots.filter((bot) => !stays.has(bot.id)).map(({ id, name }) => ({ id, name })),
    keptBots: await botsById(open, [...stays]),
    identityDeleted: await forget(open, account),
  };
}

/** Those that have played or begun to, and those that an operator has dealt with. */
async function stayingBots(
  open: OpenTransaction,
  bots: readonly BotRecord[],
  { inMatch }: Leaving,
): Promise<ReadonlySet<string>> {
  const played = await playedBots(
    open,
    bots.map(({ id }) => id),
  );
  const moderated = bots.filter(({ status }) => status === "suspended" || status === "banned");
  const playing = bots.filter(({ id }) => inMatch.includes(id));
  return new Set([...played, ...[...moderated, ...playing].map(({ id }) => id)]);
}

/** A bot that an operator has dealt with keeps its state, unless it is banned now. */
async function retire(open: OpenTransaction, id: string, { at, ban }: Leaving): Promise<void> {
  await open.updateTable("bots").set(OWNER).where("id", "=", id).execute();
  const status = ban === null ? "retired" : "banned";
  const from = ban === null ? (["active"] as const) : (["active", "suspended", "retired"] as const);
  await open
    .updateTable("bots")
    .set({ status, status_reason: ban?.reason ?? null, status_since: at })
    .where("id", "=", id)
    .where("status", "in", from)
    .execute();
  if (ban !== null)
    await open.updateTable("tokens").set({ stale: 1 }).where("bot_id", "=", id).execute();
}

async function forget(open: OpenTransaction, { issuer, subject }: AccountRecord): Promise<boolean> {
  return issuer === EMBEDDED_ISSUER && deleteUser(open, subject);
}
